package files

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
)

// sealer passes a file's content on and seals it at the end.
type sealer struct {
	out  io.Writer
	kind Kind
	n    int64
	crc  uint32
	last byte
	held []byte // of a PNG: what may be the chunk that ends it
}

// Seal writes a file of a kind to out: the promise of a seal if the kind has one, what fill writes, and the seal.
func Seal(out io.Writer, kind Kind, fill func(io.Writer) error) error {
	s := &sealer{out: out, kind: kind}
	if kind.table {
		if _, err := io.WriteString(s, promise+kind.name+promised+"\n"); err != nil {
			return err
		}
	}
	if err := fill(s); err != nil {
		return err
	}
	return s.seal()
}

func (s *sealer) Write(p []byte) (int, error) {
	if s.kind.format != png {
		return s.pass(p)
	}
	s.held = append(s.held, p...)
	if more := len(s.held) - len(pngEnd); more > 0 {
		if _, err := s.pass(s.held[:more]); err != nil {
			return 0, err
		}
		s.held = s.held[:copy(s.held, s.held[more:])]
	}
	return len(p), nil
}

func (s *sealer) pass(p []byte) (int, error) {
	n, err := s.out.Write(p)
	s.crc = crc32.Update(s.crc, castagnoli, p[:n])
	s.n += int64(n)
	if n > 0 {
		s.last = p[n-1]
	}
	return n, err
}

func (s *sealer) seal() error {
	switch s.kind.format {
	case bare:
		return nil
	case png:
		if !bytes.Equal(s.held, pngEnd) {
			return errors.New("the picture is no PNG")
		}
	default:
		if s.n > 0 && s.last != '\n' {
			if _, err := s.pass([]byte("\n")); err != nil {
				return err
			}
		}
	}
	_, err := s.out.Write(s.kind.format.end(sealText(s.kind.name, s.n, s.crc)))
	return err
}

// checksum reads the first n bytes of r.
func checksum(r io.Reader, n int64) (uint32, error) {
	sum := crc32.New(castagnoli)
	_, err := io.CopyN(sum, r, n)
	return sum.Sum32(), err
}
