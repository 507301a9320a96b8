package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// unzipped reads a compressed file of the policy's test data.
func unzipped(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open("../../sim/tablet/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// compact runs the verb on a layout and reads its JSON.
func compact(t testing.TB, layout []byte, f compactFlags) (c chosen) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "layout.tsv")
	if err := os.WriteFile(file, layout, 0o666); err != nil {
		t.Fatal(err)
	}
	f.json = true
	var out bytes.Buffer
	if err := f.run(t.Context(), &out, file); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCompactYCSB: Kudu's test layout, a large tablet after days of inserts. Qualities are those of a direct port.
func TestCompactYCSB(t *testing.T) {
	layout := unzipped(t, "policy-ycsb-rowsets.tsv.gz")
	noTradeoff := []string{"small_rowset_tradeoff=0"}
	for _, tt := range []struct {
		flags   compactFlags
		quality float64
		picked  int
		mb      int64
	}{
		{compactFlags{profile: "kudu-1.12"}, 0.173621, 10, 123},
		{compactFlags{profile: "kudu-1.18"}, 0.173621, 10, 123},
		{compactFlags{profile: "kudu-1.19"}, 0.302312, 14, 251},
		{compactFlags{profile: "kudu-1.18", budget: "256MiB"}, 0.302312, 14, 251},
		{compactFlags{profile: "kudu-1.19", budget: "128MiB", sets: noTradeoff}, 0.118193, 8, 121},
		{compactFlags{profile: "kudu-1.19", sets: noTradeoff}, 0.252549, 8, 256},
	} {
		c := compact(t, layout, tt.flags)
		if !near(c.Quality, tt.quality, 6e-7) || len(c.Picked) != tt.picked || c.PickedMB != tt.mb {
			t.Errorf("%+v: quality %.6f, %d picked of %d MB; want %.6f, %d, %d", tt.flags, c.Quality, len(c.Picked), c.PickedMB, tt.quality, tt.picked, tt.mb)
		}
		if !near(c.Height, 40.43992, 6e-6) || c.HeightAfter > c.Height-tt.quality/2 {
			t.Errorf("%+v: height %v, after %v", tt.flags, c.Height, c.HeightAfter)
		}
	}
}

// TestCompactLikeKudu: what a Kudu 1.18.1 server picked, by way of files.
func TestCompactLikeKudu(t *testing.T) {
	checked := 0
	for dec := json.NewDecoder(bytes.NewReader(unzipped(t, "policy-kudu-picks.jsonl.gz"))); ; {
		var layout struct {
			Name    string
			Budget  int64 `json:"budget_mb"`
			Rowsets []struct {
				ID     int    `json:"id"`
				MB     int64  `json:"mb"`
				Min    string `json:"min_key"`
				Max    string `json:"max_key"`
				Weight int64  `json:"weight_bytes"`
				Full   int64  `json:"full_bytes"`
			}
			Picked []int
			Value  float64
			Height float64 `json:"average_height"`
		}
		if err := dec.Decode(&layout); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		var tsv bytes.Buffer
		known := true
		for _, r := range layout.Rowsets {
			known = known && r.Weight > 0
			fmt.Fprintf(&tsv, "%v\t%s\t%s\t%d\n", float64(r.Weight)/mebibyte, r.Min, r.Max, r.Full)
		}
		if !known {
			continue
		}
		checked++
		c := compact(t, tsv.Bytes(), compactFlags{profile: "kudu-1.18", budget: fmt.Sprintf("%dMiB", layout.Budget)})
		var ids []int
		mb := int64(0)
		for _, row := range c.Picked {
			ids = append(ids, layout.Rowsets[row].ID)
			mb += layout.Rowsets[row].MB
		}
		slices.Sort(ids)
		slices.Sort(layout.Picked)
		if !slices.Equal(ids, layout.Picked) || c.PickedMB != mb {
			t.Errorf("%s: picked %v of %d MB, Kudu %v of %d MB", layout.Name, ids, c.PickedMB, layout.Picked, mb)
		}
		if !near(c.Quality, layout.Value, max(.001, .001*layout.Value)) || !near(c.Height, layout.Height, .001*layout.Height) {
			t.Errorf("%s: quality %.6f, height %.6f; Kudu %.6f, %.6f", layout.Name, c.Quality, c.Height, layout.Value, layout.Height)
		}
	}
	if checked < 50 {
		t.Errorf("only %d layouts with known sizes", checked)
	}
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func BenchmarkCompactYCSB(b *testing.B) {
	file := filepath.Join(b.TempDir(), "layout.tsv")
	if err := os.WriteFile(file, unzipped(b, "policy-ycsb-rowsets.tsv.gz"), 0o666); err != nil {
		b.Fatal(err)
	}
	f := compactFlags{profile: "kudu-1.18", json: true}
	for b.Loop() {
		if err := f.run(b.Context(), io.Discard, file); err != nil {
			b.Fatal(err)
		}
	}
}
