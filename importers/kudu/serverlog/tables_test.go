package serverlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTables(t *testing.T) {
	names, err := tableLines("t", strings.NewReader("# ids\n\naa\thot/0\r\nbb\thot/1\n"))
	if diff := cmp.Diff(map[string]string{"aa": "hot/0", "bb": "hot/1"}, names); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, tt := range []struct{ text, want string }{
		{"", "t: no tablet in it"},
		{"aa hot/0", `t:1: want a tablet's id, a tab and table/bucket, not "aa hot/0"`},
		{"aa\thot", `t:1: want a tablet's id, a tab and table/bucket, not "aa\thot"`},
		{"aa\thot/0\naa\thot/1", "t:2: aa has a name already, in line 1"},
		{"aa\thot/0\nbb\thot/0", "t:2: hot/0 is the name of another tablet already, in line 1"},
	} {
		if _, err := tableLines("t", strings.NewReader(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.want)
		}
	}
}

// FuzzTables: names of tablets are refused, or each is table/bucket.
func FuzzTables(f *testing.F) {
	f.Add("# ids\naa\thot/0\nbb\thot/1\n")
	f.Add("name: x\ninitial:\n  - table: t\n    tablet: 0  # 0123456789abcdef0123456789abcdef, hash bucket 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		names, err := readTables("x.tsv", []byte(text))
		if (err == nil) == (len(names) == 0) {
			t.Fatalf("%d names and error %v", len(names), err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "x.tsv") {
			t.Fatal(err)
		}
	})
}
