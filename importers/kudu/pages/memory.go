package pages

import (
	"slices"
	"strings"

	"mmsim/importers/kudu/markup"
)

// isMemory tells the page mem-trackers from others.
func isMemory(page []byte) bool {
	d := markup.Read(page)
	_, limited := d.Cell("Memory limit")
	return limited || slices.ContainsFunc(d.Rows, func(row []string) bool { return len(row) > 2 && row[0] == "root" })
}

// memoryLimit reads the hard limit from /mem-trackers, as an experiment writes it; empty = there is none.
func memoryLimit(page []byte) string {
	text, _ := markup.Read(page).Cell("Memory limit")
	switch _, ok := markup.Size(text); {
	case !ok:
		return ""
	case strings.HasSuffix(text, "B"):
		return text
	}
	return text + "iB"
}

// deltaMemory adds up the DeltaMemStores of each tablet on /mem-trackers, in bytes.
func deltaMemory(page []byte) map[string]int64 {
	all := map[string]int64{}
	for _, row := range markup.Read(page).Rows {
		if len(row) < 4 || row[0] != "DeltaMemStores" {
			continue
		}
		if id, ok := strings.CutPrefix(row[1], "tablet-"); ok {
			n, _ := markup.Size(row[3])
			all[id] = n
		}
	}
	return all
}
