package files

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func tableOf(t *testing.T, kind Kind, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Seal(&b, kind, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A table that is cut anywhere gives whole lines and then an error, never its end.
func TestCutTables(t *testing.T) {
	for _, text := range []string{"", "a\tb\n1\t2\n", "a\tb\n" + strings.Repeat("100\t20000\n", 200), strings.Repeat("x", 1<<17) + "\n2\n"} {
		whole := tableOf(t, Ops, text)
		if got, err := io.ReadAll(NewReader(iotest.HalfReader(bytes.NewReader(whole)))); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("%q: %v", got, err)
		}
		for n := range whole {
			if n > 1000 && n < len(whole)-1000 {
				continue
			}
			got, err := io.ReadAll(NewWholeReader(bytes.NewReader(whole[:n])))
			if n >= len(promise) {
				got, err = io.ReadAll(NewReader(bytes.NewReader(whole[:n])))
			}
			var cut *CutError
			if !errors.As(err, &cut) || len(got) > 0 && got[len(got)-1] != '\n' {
				t.Fatalf("%d of %d bytes: %v, %d bytes are given", n, len(whole), err, len(got))
			}
		}
	}
}

func TestChangedTables(t *testing.T) {
	whole := tableOf(t, Ops, "a\tb\n1\t2\n")
	for what, table := range map[string]string{
		"a number":         strings.Replace(string(whole), "1\t2", "1\t3", 1),
		"a line less":      strings.Replace(string(whole), "1\t2\n", "", 1),
		"twice":            string(whole) + string(whole),
		"a line after it":  string(whole) + "1\t2\n",
		"half a line more": string(whole) + "1",
	} {
		var cut *CutError
		if _, err := io.ReadAll(NewReader(strings.NewReader(table))); !errors.As(err, &cut) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// What is not mmsim's is read as it is.
func TestTablesOfOthers(t *testing.T) {
	for _, text := range []string{"", "a", "a\tb\n1\t2", "# mmsim\na\n", "\x1f\x8b"} {
		if got, err := io.ReadAll(NewReader(strings.NewReader(text))); err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// Somebody may have changed a file of settings, but not cut it.
func TestUnsealed(t *testing.T) {
	whole := string(tableOf(t, Experiment, "name: x\n"))
	for text, want := range map[string]string{whole: "name: x\n", "title: y\n" + whole: "title: y\nname: x\n", whole + "title: y\n": whole + "title: y\n"} {
		if got, err := Unsealed([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for n := range len(whole) - 1 { // without the last newline nothing is lost
		if got, err := Unsealed([]byte(whole[:n])); err == nil {
			t.Errorf("%d of %d bytes: %q", n, len(whole), got)
		}
	}
}
