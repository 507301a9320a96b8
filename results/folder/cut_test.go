package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/results"
	"mmsim/results/resultstest"
)

// A result of which a file was cut off, wherever, is none.
func TestCutFiles(t *testing.T) {
	for file, spare := range map[string]int{ // bytes at the end without which nothing is lost: a newline
		"raw/ops.tsv": 0, "raw/waits.tsv": 0, "raw/series.tsv": 0, "raw/latency.hlog": 0, ExperimentFile: 1, results.ResultFile: 1,
	} {
		dir := filepath.Join(t.TempDir(), "result")
		commit(t, dir, resultstest.Run("raw"))
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
