package pages

import (
	"io"
	"log"
	"regexp"
	"testing"
)

var silent = log.New(io.Discard, "", 0)

// goWords are Go's own words, which nobody should read.
var goWords = regexp.MustCompile(`strconv|json:|invalid character|unexpected EOF|unexpected end of JSON|\bEOF\b|dial tcp|lookup |parsing "|parsing time|yaml:|gzip:|flate:|archive/tar|x509:|tls:|http:|net/|context canceled|Get "|cannot unmarshal|bufio|runtime error|%!`)

func plainWords(t testing.TB, what string, err error) {
	t.Helper()
	if m := goWords.FindString(regexp.MustCompile(`https?://[^ ]*`).ReplaceAllString(err.Error(), "")); m != "" {
		t.Errorf("%s: %q in %q", what, m, err)
	}
}
