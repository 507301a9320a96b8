package calibrate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzTables: a table of measurements is refused, or gives a machine that an experiment can name.
func FuzzTables(f *testing.F) {
	for kind, name := range []string{"scan-cost.tsv", "insert-cost.tsv", "ops.tsv"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		lines := strings.SplitAfterN(string(text), "\n", 41)
		f.Add(uint8(kind), strings.Join(lines[:min(len(lines), 40)], ""))
	}
	f.Add(uint8(2), "server\top\tchosen_s\tran_s\tinputs\tbytes_written\n0\tLogGCOp(a/0)\t1\t0.006\t\t\n0\tLogGCOp(a/0)\t2\t1e-300\t\t\n0\tLogGCOp(a/0)\t3\t0.007\t\t\n0\tLogGCOp(a/0)\t4\t0.008\t\t\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		path := filepath.Join(dir, "fuzz.tsv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in := &Input{Base: "kudu-2core-vm", Name: "fuzz"}
		switch kind % 3 {
		case 0:
			in.Scan = path
		case 1:
			in.Insert = path
		case 2:
			in.Ops = []string{path}
		}
		r, err := Run(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) || strings.Contains(err.Error(), "strconv.") {
				t.Fatalf("error %v", err)
			}
			return
		}
		machine, err := r.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".yaml", machine, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := baseMachine(path + ".yaml"); err != nil {
			t.Fatalf("the machine is refused: %v\n%s", err, machine)
		}
		if _, err := json.Marshal(r); err != nil { // NaN and infinity have no form there
			t.Fatal(err)
		}
	})
}
