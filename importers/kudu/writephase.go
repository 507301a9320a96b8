package kudu

import (
	"fmt"
	"slices"

	"mmsim/importers/kudu/pages"
)

// phase writes a first guess of the workload.
func (w *writer) phase() {
	w.line("phases:")
	w.comment("  ", "guess: the recent workload goes on for ten minutes"+w.since()+".")
	w.line("  - name: now")
	w.line("    duration: 10m")
	begun := false
	for _, t := range w.tables {
		traffic := w.traffic(t)
		if traffic.deletes >= busy {
			w.notes.Missing("Deletes are left out: table %s has %.3g a second.", t.original, traffic.deletes)
		}
		g, ok := traffic.guess(len(t.tablets), t.loaded(w.costs))
		if !ok {
			continue
		}
		if !begun {
			w.line("    clients:")
			begun = true
		}
		w.client(t, &traffic, &g)
	}
	w.notes.Missing("Which keys are asked for, how long single scans are, how large writes' batches are, how many clients there are: see the guesses.")
}

// since says over how long rates were counted.
func (w *writer) since() string {
	s := w.servers[0]
	if s.Between <= 0 {
		return ", with no clients since rates are unknown"
	}
	if s.Watched() {
		return fmt.Sprintf(". Rates were counted over %.3g s", s.Between.Seconds())
	}
	return fmt.Sprintf(". Rates are means over the %.3g s since the server started", s.Between.Seconds())
}

// loaded says whether a table has rows.
func (t *tableState) loaded(c costs) bool {
	return slices.ContainsFunc(t.tablets, func(tablet *pages.Tablet) bool {
		return len(tablet.Layout.Bars) > 0 || t.shape.memRows(tablet, c) > 0
	})
}

func (w *writer) client(t *tableState, seen *traffic, g *clientGuess) {
	w.comment("      ", fmt.Sprintf("guess: %.4g scans and reads, %.4g inserts, %.4g updates a second were seen", seen.scans, seen.inserts, seen.updates))
	w.line("      - table: %s", t.name)
	w.line("        threads: %d  # guess", g.threads)
	w.line("        target: %s", decimal(g.target))
	w.line("        workload:")
	for _, share := range []struct {
		name  string
		value float64
	}{{"read", g.read}, {"update", g.update}, {"insert", g.insert}, {"scan", g.scan}} {
		if share.value > 0 {
			w.line("          %s: %s", share.name, decimal(share.value))
		}
	}
	w.line("          request_distribution: uniform  # guess")
	if g.longest > 0 {
		w.line("          scan_length_distribution: uniform  # guess")
		w.line("          max_scan_length: %d  # guess: scans returned %.3g rows on average", g.longest, seen.scanned)
		place := "uniform"
		if g.firstBucket {
			place = "first_bucket"
		}
		w.line("          scan_placement: %s  # guess: %.0f %% of scans began at the first of %d tablets", place, 100*seen.first, len(t.tablets))
	}
}
