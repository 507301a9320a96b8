package layout

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/configs"
)

func TestReadLayout(t *testing.T) {
	const text = "# size\tmin\tmax\n32\ta\tb\n\n0.5\ta b\ta\xff\t600000\r\n0\tc\tc\t\n#1\tx\ty\n1e3\té\té"
	got, err := read("t.tsv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rowset{
		{Weight: 33554432, Full: 33554432, Min: "a", Max: "b"},
		{Weight: 524288, Full: 600000, Min: "a b", Max: "a\xff"},
		{Min: "c", Max: "c"},
		{Weight: 1048576000, Full: 1048576000, Min: "é", Max: "é"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBytesOfKeys: keys that are not text are written as Kudu's pages print them.
func TestBytesOfKeys(t *testing.T) {
	got, err := read("t.tsv", strings.NewReader("1\t\\x80\\x00\\x09,\t\\x80\\x00\\x0a\\xZZ\n"))
	if err != nil || len(got) != 1 || got[0].Min != "\x80\x00\t," || got[0].Max != "\x80\x00\n\\xZZ" {
		t.Errorf("%+v, error %v", got, err)
	}
}

func TestReadLayoutRefuses(t *testing.T) {
	const good = "# a comment\n1\ta\tb\n"
	for _, tt := range []struct{ name, text, want string }{
		{"no max key", good + "1\ta\n", "t.tsv:3: max key is missing or empty: want a key, with a tab before it"},
		{"empty min key", good + "1\t\tb\n", "t.tsv:3: min key is missing or empty: want a key, with a tab before it"},
		{"spaces", good + "1 a b\n", "t.tsv:3: min key is missing or empty: want a key, with a tab before it"},
		{"no size", good + "\ta\tb\n", "t.tsv:3: size is missing or empty: want a number of MB from 0 to 1000000000"},
		{"negative size", good + "-1\ta\tb\n", `t.tsv:3: size: "-1" is not a number of MB from 0 to 1000000000`},
		{"size is text", good + "MB\ta\tb\n", `t.tsv:3: size: "MB" is not a number of MB from 0 to 1000000000`},
		{"size NaN", good + "NaN\ta\tb\n", `t.tsv:3: size: "NaN" is not a number of MB from 0 to 1000000000`},
		{"size infinite", good + "1e999\ta\tb\n", `t.tsv:3: size: "1e999" is not a number of MB from 0 to 1000000000`},
		{"negative full size", good + "1\ta\tb\t-7\n", `t.tsv:3: full size: "-7" is not a whole number of bytes from 0 to 1048576000000000`},
		{"full size in MB", good + "1\ta\tb\t1.5\n", `t.tsv:3: full size: "1.5" is not a whole number of bytes from 0 to 1048576000000000`},
		{"fifth column", good + "1\ta\tb\t7\t8\n", `t.tsv:3: columns: "5" is not 3 or 4`},
		{"min above max", good + "1\tb\ta\xff\n", `t.tsv:3: min key: "b" is not at or below the max key, "a\xff"`},
		{"NUL", good + "1\ta\tb\x00\n", `t.tsv:3: max key: "b\x00" is not free of NUL bytes, which are written \x00`},
		{"long line", good + "1\ta\t" + strings.Repeat("b", maxLine), "t.tsv:3: the line is longer than 65536 bytes"},
		{"nothing", "# a comment\n", "t.tsv: no rowset in it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read("t.tsv", strings.NewReader(tt.text))
			var p *configs.Problem
			if !errors.As(err, &p) || err.Error() != tt.want {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
		})
	}
}

// endless gives the same line for ever and counts the bytes read.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	const line = "1\ta\tb\n"
	for i := range b {
		b[i] = line[(e.read+i)%len(line)]
	}
	e.read += len(b)
	return len(b), nil
}

func TestTooManyRowsets(t *testing.T) {
	var e endless
	_, err := read("t.tsv", &e)
	if want := "t.tsv:100001: more than 100000 rowsets, which no tablet has"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if e.read > 1e6 {
		t.Errorf("%d bytes were read to find out", e.read)
	}
}

func TestLoadLayoutRefuses(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{dir + "/none": dir + "/none: no such file or directory", dir: dir + ": a directory, not a file"} {
		if _, err := Load(path); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := read("t.tsv", io.MultiReader(strings.NewReader("1\ta\tb\n"), broken{})); err == nil || err.Error() != "t.tsv: broken" {
		t.Errorf("error %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

// FuzzReadLayout: whatever is read is a layout or refused.
func FuzzReadLayout(f *testing.F) {
	f.Add("32\ta\tb\t7\n#\n0.1\tc\td")
	f.Fuzz(func(t *testing.T, text string) {
		rowsets, err := read("t.tsv", strings.NewReader(text))
		if (err == nil) == (len(rowsets) == 0) {
			t.Fatalf("%d rowsets and error %v", len(rowsets), err)
		}
		for _, r := range rowsets {
			if r.Weight < 0 || r.Full < 0 || r.Min == "" || r.Min > r.Max {
				t.Fatalf("%+v", r)
			}
		}
	})
}
