// Package files writes every file that mmsim leaves: whole or not at all, never over one of the inputs, and over what somebody else
// wrote only when told to. It also makes temporary folders that vanish once nobody lives in them.
package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// A Kind is a sort of file that mmsim writes. Its name stands in the file.
type Kind struct {
	name   string
	format format
	table  bool // its first line promises the seal, so that readers know a part of it for one
}

// The kinds of files.
var (
	Machine    = Kind{name: "machine", format: hash}
	Experiment = Kind{name: "experiment", format: hash}
	OpLog      = Kind{name: "op log", format: hash, table: true}
	Report     = Kind{name: "report", format: markup}
	SVG        = Kind{name: "figure", format: markup}
	PNG        = Kind{name: "figure", format: png}
	Profile    = Kind{name: "profile", format: bare}

	// Those of a result folder.
	Resolved  = Kind{name: "experiment" + ofRun, format: hash}
	Ops       = Kind{name: "ops" + ofRun, format: hash, table: true}
	Waits     = Kind{name: "waits" + ofRun, format: hash, table: true}
	Series    = Kind{name: "series" + ofRun, format: hash, table: true}
	Servers   = Kind{name: "servers" + ofRun, format: hash, table: true}
	Stuck     = Kind{name: "stuck compactions" + ofRun, format: hash, table: true}
	Latencies = Kind{name: "latencies" + ofRun, format: hash}
	RunSVG    = Kind{name: "figure" + ofRun, format: markup}
	RunPNG    = Kind{name: "figure" + ofRun, format: png}
	JSON      = Kind{name: "json", format: bare} // a part of which is no JSON
)

// ofRun ends the names of the kinds of which a result folder is made.
const ofRun = " of a run"

// OfRun says whether mmsim wrote a file for a result folder and nobody changed it since.
func OfRun(path string) bool {
	kind, err := sealed(path)
	return err == nil && strings.HasSuffix(kind, ofRun)
}

// format is how a seal is put at the end of a file.
type format int

const (
	hash   format = iota // a last line that is a comment with #: YAML, tables, logs of histograms
	markup               // a last line that is a comment with <!-- -->: SVG, Markdown
	png                  // a chunk of text before the one that ends the picture
	bare                 // none: mmsim does not know such a file again
)

// formats lists those that have a seal.
var formats = []format{hash, markup, png}

// castagnoli is the polynomial of CRC-32C, which processors compute.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealText is what a seal says: the kind of the file, the length of all that stands before it, and the checksum of that and the kind. crc is that of what
// stands before it.
func sealText(kind string, n int64, crc uint32) string {
	crc = crc32.Update(crc, castagnoli, []byte(kind))
	return fmt.Sprintf("mmsim wrote this file (%s): %d bytes above, crc32c %08x", kind, n, crc)
}

var sealPattern = regexp.MustCompile(`mmsim wrote this file \(([a-z ]+)\): ([0-9]{1,18}) bytes above, crc32c ([0-9a-f]{8})`)

// longestSeal is more than any seal takes up in any format.
const longestSeal = 256

// end gives what stands in a file from its seal on.
func (f format) end(seal string) []byte {
	switch f {
	case hash:
		return []byte("# " + seal + "\n")
	case markup:
		return []byte("<!-- " + seal + " -->\n")
	case png:
		return append(pngText(seal), pngEnd...)
	}
	return nil
}

// pngEnd is the chunk that ends a PNG.
var pngEnd = []byte("\x00\x00\x00\x00IEND\xaeB`\x82")

// pngText is a chunk of a PNG that names the software (PNG specification, 11.3.3.2).
func pngText(text string) []byte {
	typed := append([]byte("tEXtSoftware\x00"), text...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(typed)-4))
	chunk = append(chunk, typed...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(typed))
}

// seal is what stands at the end of a file that mmsim wrote.
type seal struct {
	text   string
	kind   string
	n      int64 // bytes before it
	length int   // bytes that it takes up
}

// sealOf finds the seal at the end of the last bytes of a file.
func sealOf(last []byte) (s seal, ok bool) {
	for _, m := range sealPattern.FindAllSubmatch(last, -1) {
		n, _ := strconv.ParseInt(string(m[2]), 10, 64) // of at most 18 digits
		for _, f := range formats {
			if end := f.end(string(m[0])); bytes.HasSuffix(last, end) {
				return seal{string(m[0]), string(m[1]), n, len(end)}, true
			}
		}
	}
	return seal{}, false
}

// fits says whether it is the seal of n bytes with a checksum.
func (s *seal) fits(n int64, crc uint32) bool { return s.text == sealText(s.kind, n, crc) }

// sealed says which kind of file mmsim wrote at path; "" if it did not write it, or somebody changed it since.
func sealed(path string) (kind string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	last := make([]byte, min(info.Size(), longestSeal))
	if _, err := file.ReadAt(last, info.Size()-int64(len(last))); err != nil {
		return "", err
	}
	s, ok := sealOf(last)
	if !ok || s.n+int64(s.length) != info.Size() {
		return "", nil
	}
	if crc, err := checksum(file, s.n); err != nil || !s.fits(s.n, crc) {
		return "", err
	}
	return s.kind, nil
}
