package kudu

import (
	"fmt"
	"strconv"

	"mmsim/configs"
	"mmsim/importers/kudu/pages"
)

// initial writes what tablets hold.
func (w *writer) initial() {
	w.line("initial:")
	for _, t := range w.tables {
		for i, tablet := range t.tablets {
			w.line("  - table: %s", t.name)
			w.line("    tablet: %d  # %s", i, label(tablet))
			if rows := t.shape.memRows(tablet, w.costs); rows > 0 {
				w.line("    memrowset_rows: %d  # guess: %s of memory", rows, configs.Bytes(tablet.Value("memrowset_size")))
			}
			all, guess := t.rowsets(tablet, w.costs)
			if len(all) == 0 {
				continue
			}
			if guess {
				w.line("    rowsets:  # guess: sizes are shown in whole MB, and what they hold follows from them")
			} else {
				w.line("    rowsets:")
			}
			undo := w.undo(tablet, all)
			for i := range all {
				w.line("      - {%s%s%s}", sizes(&all[i]), w.place(t, tablet, &all[i]), undo[i])
			}
		}
	}
}

// label names a tablet without its range, which may hold row keys.
func label(t *pages.Tablet) string {
	text := t.ID
	for _, b := range t.Buckets() {
		text += fmt.Sprintf(", hash bucket %d", b)
	}
	if score, known := t.Score(); known {
		text += fmt.Sprintf("; its compaction is worth %v to the server", score)
	}
	return text
}

func sizes(r *stored) string {
	size := fmt.Sprintf("size: %s", configs.Bytes(r.bytes))
	if r.rows > 0 {
		return fmt.Sprintf("rows: %d, %s", r.rows, size)
	}
	return size
}

// place writes where a rowset lies.
func (w *writer) place(t *tableState, tablet *pages.Tablet, r *stored) string {
	if w.options.KeepKeys && tablet.Layout.Keys {
		if tablet.Layout.TextKeys() {
			return fmt.Sprintf(", keys: [%q, %q]", r.Min, r.Max)
		}
		w.notes.Warn("table %s: keys that are not text are kept as places", t.original)
	}
	return fmt.Sprintf(", span: [%s, %s]", decimal(r.span.From), decimal(r.span.To))
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// undo shares out the UNDO deltas that could be dropped among the rowsets by size.
func (w *writer) undo(t *pages.Tablet, all []stored) []string {
	texts := make([]string, len(all))
	old := t.Value("undo_delta_block_estimated_retained_bytes")
	if old <= 0 {
		return texts
	}
	w.notes.Missing("Which rowsets hold the UNDO deltas that could be dropped: they are shared out by size.")
	age := t.Server.Flags["tablet_history_max_age_sec"]
	if age == "" {
		age = "604800"
	}
	sum := 0.0
	for i := range all {
		sum += float64(all[i].bytes)
	}
	for i := range all {
		if bytes := configs.Bytes(old * float64(all[i].bytes) / sum); bytes > 0 {
			texts[i] = fmt.Sprintf(", undo: %s, undo_age: %ss", bytes, age)
		}
	}
	return texts
}
