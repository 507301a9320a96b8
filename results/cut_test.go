package results

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/files"
)

// A result of which a file was cut off, wherever, is none.
func TestCutFiles(t *testing.T) {
	for file, spare := range map[string]int{ // bytes at the end without which nothing is lost: a newline
		"raw/ops.tsv": 0, "raw/waits.tsv": 0, "raw/series.tsv": 0, "raw/latency.hlog": 0, ExperimentFile: 1, ResultFile: 1,
	} {
		dir := filepath.Join(t.TempDir(), "result")
		commit(t, dir, sampleRun("raw"))
		path := filepath.Join(dir, file)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		step := max(1, info.Size()/1000)
		for n := info.Size() - 1 - int64(spare); n >= 0; n -= step {
			if err := os.Truncate(path, n); err != nil {
				t.Fatal(err)
			}
			_, err := Read(dir)
			if err == nil || !strings.Contains(err.Error(), file+":") {
				t.Fatalf("%s, %d of %d bytes: %v", file, n, info.Size(), err)
			}
			if one := err.Error(); strings.Contains(one, "\n") || !strings.Contains(one, "cut off") {
				t.Fatalf("%s, %d of %d bytes: %v", file, n, info.Size(), err)
			}
		}
	}
}

// An op log of mmsim's that was cut off is refused; one of others is read as far as it goes.
func TestCutOpLogs(t *testing.T) {
	var log bytes.Buffer
	if err := files.Seal(&log, files.OpLog, LogOf(sampleRun("raw")).Write); err != nil {
		t.Fatal(err)
	}
	whole := log.String()
	for n := range len(whole) - 1 {
		if l, err := ReadOpLog("x", strings.NewReader(whole[:n])); err == nil {
			t.Fatalf("%d of %d bytes: %d ops", n, len(whole), len(l.Ops))
		}
	}
	_, own, _ := strings.Cut(whole, "\n") // as docs/compare-ops.md says
	for _, text := range []string{whole, own, own[:strings.LastIndex(own, "#")]} {
		if l, err := ReadOpLog("x", strings.NewReader(text)); err != nil || len(l.Ops) != 2 {
			t.Errorf("%v, %v", l, err)
		}
	}
}
