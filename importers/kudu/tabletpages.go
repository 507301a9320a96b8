package kudu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mmsim/reading"
)

// listed is a tablet on the page of a server's tablets.
type listed struct {
	table, id, partition, state string
	voters                      int // replicas that vote; 0 = not shown
}

var tabletID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// readTablets reads /tablets. Tombstoned replicas hold nothing and are left out.
func readTablets(page []byte) ([]listed, error) {
	d := readDocument(page)
	if !strings.Contains(strings.ToLower(d.text), "tablet replicas") {
		return nil, errors.New("not the page of a Kudu tablet server's tablets")
	}
	var all []listed
	for _, row := range d.rows {
		if len(row) < 5 || !tabletID.MatchString(row[1]) || strings.Contains(row[3], "TOMBSTONED") {
			continue
		}
		t := listed{table: row[0], id: row[1], partition: row[2], state: row[3]}
		peers := row[len(row)-1]
		t.voters = strings.Count(peers, "LEADER:") + strings.Count(peers, "FOLLOWER:")
		all = append(all, t)
	}
	return all, nil
}

// column is a column of a table.
type column struct {
	name, kind string
	key        bool
}

// tabletPage is what a tablet's own page says.
type tabletPage struct {
	leads   bool
	columns []column
	extra   extraConfig
}

var keyImage = regexp.MustCompile(`key\.png`)

// readTablet reads /tablet?id=. The page must be of the tablet that has the id.
func readTablet(page []byte, id string) (*tabletPage, error) {
	d := readDocument(page)
	t := &tabletPage{extra: readExtra(d.text)}
	if other := d.otherTablet(id); other != "" {
		return nil, fmt.Errorf("the page there is of another tablet, %s", other)
	}
	found := false
	for _, head := range d.heads {
		if strings.HasPrefix(head, "Tablet ") {
			found, t.leads = true, strings.Contains(head, "/LEADER)")
		}
	}
	if !found {
		return nil, errors.New("the page there is not that of a tablet")
	}
	keys := len(keyImage.FindAll(page, -1))
	for _, row := range d.rows {
		if len(row) < 6 || row[0] == "Column" {
			continue
		}
		// Key columns come first; an image marks them.
		t.columns = append(t.columns, column{strings.TrimSpace(row[0]), row[2], len(t.columns) < keys})
	}
	return t, nil
}

// extraConfig is what a table sets for itself.
type extraConfig struct {
	known        bool
	priority     int
	noCompaction bool
}

var (
	extraPriority   = regexp.MustCompile(`kudu\.table\.maintenance_priority\s*[:=]\s*(-?\d{1,9})\b`)
	extraCompaction = regexp.MustCompile(`kudu\.table\.disable_compaction\s*[:=]\s*(\w+)`)
)

// readExtra finds a table's extra configuration in the text of a page.
func readExtra(text string) extraConfig {
	x := extraConfig{known: strings.Contains(text, "Extra Config") || strings.Contains(text, "kudu.table.")}
	if m := extraPriority.FindStringSubmatch(text); m != nil {
		x.priority, _ = strconv.Atoi(m[1]) // at most nine digits
	}
	if m := extraCompaction.FindStringSubmatch(text); m != nil {
		x.noCompaction = m[1] == "1" || m[1] == "true"
	}
	return x
}

// humanBytes reads a size as Kudu's pages write it: 265B, 16.3K, 18.83G.
func humanBytes(text string) (int64, bool) {
	units := map[byte]float64{'B': 1, 'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30, 'T': 1 << 40}
	if text == "" {
		return 0, false
	}
	unit, ok := units[text[len(text)-1]]
	if !ok {
		return 0, false
	}
	n, ok := reading.Number(text[:len(text)-1], 0, 1e18/unit)
	if !ok {
		return 0, false
	}
	return int64(n*unit + 0.5), true
}

// isMemory tells the page mem-trackers from others.
func isMemory(page []byte) bool {
	d := readDocument(page)
	_, limited := d.cell("Memory limit")
	return limited || slices.ContainsFunc(d.rows, func(row []string) bool { return len(row) > 2 && row[0] == "root" })
}

// memoryLimit reads the hard limit from /mem-trackers, as an experiment writes it; empty = there is none.
func memoryLimit(page []byte) string {
	text, _ := readDocument(page).cell("Memory limit")
	switch _, ok := humanBytes(text); {
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
	for _, row := range readDocument(page).rows {
		if len(row) < 4 || row[0] != "DeltaMemStores" {
			continue
		}
		if id, ok := strings.CutPrefix(row[1], "tablet-"); ok {
			n, _ := humanBytes(row[3])
			all[id] = n
		}
	}
	return all
}
