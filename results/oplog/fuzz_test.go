package oplog_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/files"
	"mmsim/results/folder"
	"mmsim/results/oplog"
	"mmsim/results/resultstest"
)

// opsOfRun is the ops.tsv of a run without the lines that tell that it is whole, so that fuzzing gets past the checksum.
func opsOfRun(t testing.TB) string {
	t.Helper()
	f, err := folder.Create(filepath.Join(t.TempDir(), "result"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if err := f.WriteRun(resultstest.Run("raw")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Path("raw/ops.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			rows.WriteString(line)
		}
	}
	return rows.String()
}

// FuzzRead: an op log of anybody is refused, or can be written, read again and compared.
func FuzzRead(f *testing.F) {
	var ours bytes.Buffer
	if err := files.Seal(&ours, files.OpLog, oplog.Of(resultstest.Run("raw")).Write); err != nil {
		f.Fatal(err)
	}
	f.Add(ours.String())
	f.Add(opsOfRun(f))
	f.Add("start_s\top\ttablet\treason\tseconds\tbytes_written\tinput_rowsets\toutput_rowsets\n-3\tLogGC\tta/0\tfree 8 bytes of WAL\t0.017\t0\t\t\n" +
		"1\tCompactRowSets\tta/0\tperf score=14.000000\tunfinished\t53202252\t15\t2\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := oplog.Read("x", strings.NewReader(text))
		if err != nil {
			return
		}
		if len(l.Ops) == 0 {
			t.Error("a log without ops")
		}
		var first, second bytes.Buffer
		if err := l.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := oplog.Read("x", bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%q: %v", first.String(), err)
		}
		if err := again.Write(&second); err != nil || first.String() != second.String() {
			t.Fatalf("%q\nis read as\n%q", first.String(), second.String())
		}
		if err := oplog.Compare(l, again, l.Ops[0].Kind, "").WriteText(io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// FuzzHeights: heights of anybody are refused or known at each time.
func FuzzHeights(f *testing.F) {
	f.Add("t_s\tta/0\ttb/0\n0.5\t15\t14\n3.5\t3\t14\n")
	f.Fuzz(func(t *testing.T, text string) {
		l := &oplog.Log{Servers: 1}
		if err := l.ReadHeights("x", strings.NewReader(text)); err != nil {
			return
		}
		for _, line := range l.Tablets {
			if len(line.At) != len(line.Height) {
				t.Errorf("%d times and %d heights", len(line.At), len(line.Height))
			}
		}
	})
}

// An op log of mmsim's that was cut off is refused; one of others is read as far as it goes.
func TestCutLogs(t *testing.T) {
	var log bytes.Buffer
	if err := files.Seal(&log, files.OpLog, oplog.Of(resultstest.Run("raw")).Write); err != nil {
		t.Fatal(err)
	}
	whole := log.String()
	for n := range len(whole) - 1 {
		if l, err := oplog.Read("x", strings.NewReader(whole[:n])); err == nil {
			t.Fatalf("%d of %d bytes: %d ops", n, len(whole), len(l.Ops))
		}
	}
	_, own, _ := strings.Cut(whole, "\n") // as docs/compare-ops.md says
	for _, text := range []string{whole, own, own[:strings.LastIndex(own, "#")]} {
		if l, err := oplog.Read("x", strings.NewReader(text)); err != nil || len(l.Ops) != 2 {
			t.Errorf("%v, %v", l, err)
		}
	}
}
