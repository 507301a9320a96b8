// Package reading is what all readers of data from outside share: numbers within limits, text that may be gzipped, and the errors of Go's libraries in words for whoever wrote
// the data.
package reading

import (
	"bufio"
	"compress/gzip"
	"io"
	"math"
	"strconv"
)

// Number reads a finite number from low to high.
func Number(text string, low, high float64) (v float64, ok bool) {
	v, err := strconv.ParseFloat(text, 64)
	ok = err == nil && low <= v && v <= high && !math.IsInf(v, 0)
	return v, ok
}

// Whole reads a whole number from low to high.
func Whole(text string, low, high int64) (v int64, ok bool) {
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil && low <= v && v <= high
}

// Plain gives the text of what may be gzipped, which its first bytes show.
func Plain(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(2); len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
		return buffered, nil
	}
	text, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, Cause(err)
	}
	return text, nil
}
