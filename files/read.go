package files

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A table's first line promises its seal.
const (
	promise  = "# mmsim table: "
	promised = ", whole only with its last line"
)

// A CutError says that a file is not as mmsim wrote it.
type CutError struct{ what string }

func (e *CutError) Error() string { return e.what }

// Texts of CutErrors.
const (
	cutOff  = "cut off: the last line, with the checksum that mmsim ends it with, is not there"
	changed = "changed since mmsim wrote it: its checksum is another"
	advice  = " (if you changed it yourself, remove its first line)"
)

// NewReader gives a reader of a file that may be one of mmsim's tables. Of one whose first line promises a seal it gives whole lines only and, instead of
// the end, a CutError unless the seal fits; the first and the last line are comments with #. Anything else it gives as it is.
func NewReader(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(len(promise)); string(head) != promise { // a shorter file gives all it has
		return in
	}
	return &lineReader{in: in}
}

// NewWholeReader is NewReader for a file that must have a seal, whether its first line promises it or not.
func NewWholeReader(r io.Reader) io.Reader {
	return &lineReader{in: bufio.NewReaderSize(r, 1<<16)}
}

// lineReader holds back the line it read last, which may be the seal or a part of a line.
type lineReader struct {
	in   *bufio.Reader
	crc  uint32 // of all given out but for what is held
	n    int64
	out  []byte // to be given out
	held []byte
	next []byte
	err  error
}

func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		l.advance()
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}

// advance gives out the line that is held once there is another, and at the end if it is the seal.
func (l *lineReader) advance() {
	next, err := l.line()
	if errors.Is(err, io.EOF) {
		if l.err = l.check(next); l.err == io.EOF {
			l.out = l.held
		}
		return
	}
	if err != nil {
		l.err = err
		return
	}
	l.out = l.held
	l.crc, l.n = crc32.Update(l.crc, castagnoli, l.held), l.n+int64(len(l.held))
	l.held, l.next = next, l.held
}

// line reads a line into the buffer that is free.
func (l *lineReader) line() ([]byte, error) {
	line := l.next[:0:cap(l.next)]
	l.next = nil
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > longestLine {
			return nil, fmt.Errorf("a line is longer than %d bytes", longestLine)
		}
	}
}

// longestLine is far above that of any table.
const longestLine = 1 << 24

// check gives io.EOF if the line that is held is the seal of all before it and nothing follows it.
func (l *lineReader) check(rest []byte) error {
	s, ok := sealOf(l.held)
	switch {
	case len(rest) > 0 || !ok || s.length != len(l.held):
		return &CutError{cutOff + advice}
	case !s.fits(l.n, l.crc):
		return &CutError{changed + advice}
	}
	return io.EOF
}

// Unsealed gives the content of a file that mmsim wrote and others may have changed, without the line that is its seal. It refuses one that lacks it.
func Unsealed(data []byte) ([]byte, error) {
	at := sealPattern.FindIndex(data)
	if at == nil {
		return nil, &CutError{cutOff}
	}
	if s, ok := sealOf(data); ok {
		data = data[:len(data)-s.length]
	}
	return data, nil
}
