package kudu

import (
	"testing"
)

func TestTrafficGuess(t *testing.T) {
	for _, tt := range []struct {
		name   string
		seen   traffic
		loaded bool
		want   clientGuess
		none   bool
	}{
		{name: "idle", seen: traffic{scans: 0.004}, loaded: true, none: true},
		{name: "scans", seen: traffic{scans: 1500, updates: 500, scanned: 50, first: 0.9}, loaded: true,
			want: clientGuess{threads: 4, target: 2000, update: 0.25, scan: 0.75, longest: 99, firstBucket: true}},
		{name: "reads", seen: traffic{scans: 100, inserts: 100, scanned: 1}, loaded: true, want: clientGuess{threads: 1, target: 200, read: 0.5, insert: 0.5}},
		{name: "nothing to read", seen: traffic{scans: 100, inserts: 10, scanned: 0}, want: clientGuess{threads: 1, target: 10, insert: 1}},
		{name: "spread over tablets", seen: traffic{scans: 10, scanned: 10.4, first: 0.25}, loaded: true, want: clientGuess{threads: 1, target: 10, scan: 1, longest: 20}},
	} {
		got, ok := tt.seen.guess(4, tt.loaded)
		if ok == tt.none || got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
