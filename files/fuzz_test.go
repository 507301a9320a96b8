package files

import (
	"bytes"
	"io"
	"testing"
)

// FuzzReader: what mmsim wrote comes back; cut anywhere or with any byte changed it does not, and what is not mmsim's is left as it is.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\tb\n1\t2\n"), 3, byte(1))
	f.Add([]byte(""), 0, byte(0))
	f.Add(bytes.Repeat([]byte("long\n"), 20_000), 70_000, byte(255))
	f.Fuzz(func(t *testing.T, content []byte, at int, by byte) {
		var b bytes.Buffer
		if err := Seal(&b, Ops, func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		if got, err := io.ReadAll(NewReader(bytes.NewReader(whole))); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("%q gives %q, %v", whole, got, err)
		}
		at = max(0, at) % len(whole)
		if _, err := io.ReadAll(NewWholeReader(bytes.NewReader(whole[:at]))); err == nil {
			t.Fatalf("the first %d bytes of %q pass", at, whole)
		}
		if by != 0 {
			whole[at] ^= by
			if _, err := io.ReadAll(NewWholeReader(bytes.NewReader(whole))); err == nil {
				t.Fatalf("%q passes, with byte %d changed by %d", whole, at, by)
			}
		}
		if bytes.HasPrefix(content, []byte(promise)) {
			return
		}
		if got, err := io.ReadAll(NewReader(bytes.NewReader(content))); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%q gives %q, %v", content, got, err)
		}
	})
}
