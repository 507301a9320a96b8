package kudu

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/configs"
	"mmsim/importers/kudu/pages"
)

// writer writes an experiment with comments.
type writer struct {
	*cluster
	options Options
	costs   costs
	notes   *pages.Notes
	out     bytes.Buffer
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

// comment writes a sentence over as many lines as it takes.
func (w *writer) comment(indent, text string) {
	const width = 140
	line := indent + "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != indent+"#" {
			w.line("%s", line)
			line = indent + "#  "
		}
		line += " " + word
	}
	w.line("%s", line)
}

// experiment writes all of it.
func (w *writer) experiment() []byte {
	s := w.servers[0]
	profile := w.profile(s)
	w.head(s)
	w.line("name: %s", w.options.Name)
	w.line("title: %s", text("state of "+w.versions()))
	w.line("profile: %s", profile)
	w.rules(s, profile)
	w.machine()
	w.line("cluster: {servers: %d, replication: %d}", len(w.servers), w.replication)
	w.settings(s, profile)
	w.tableList()
	w.initial()
	w.phase()
	w.policy(s)
	w.ending()
	return w.out.Bytes()
}

func (w *writer) head(s *pages.Server) {
	w.comment("", fmt.Sprintf("Made by mmsim import kudu from %s. What it starts with is what the servers' pages showed.", plural(len(w.servers), "tablet server")))
	if w.options.KeepKeys {
		w.comment("", "It holds row keys.")
	} else {
		w.comment("", "It holds no row keys: rowsets are given by places in the tablet's key space.")
	}
	if len(s.Flags) > 0 && len(w.servers) > 1 {
		w.comment("", "Flags are those of the first server.")
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// versions names the version of the servers.
func (w *writer) versions() string {
	if v := w.servers[0].Version; v != "" {
		return "Kudu " + v
	}
	return "a Kudu of unknown version"
}

// profile gives the profile and says where it does not fit.
func (w *writer) profile(s *pages.Server) string {
	const otherwise = "kudu-1.18"
	if s.Version == "" {
		w.notes.Warn("%s: the pages don't tell Kudu's version: profile %s is taken", s.Source, otherwise)
		return otherwise
	}
	profile, near := profileOf(s.Major, s.Minor)
	if !near {
		w.notes.Warn("%s: Kudu %s is none that a profile stands for: the nearest, %s, is taken; rules that came in between can be switched by rules", s.Source, s.Version, profile)
	}
	for _, other := range w.servers[1:] {
		if other.Version != s.Version {
			w.notes.Warn("%s runs Kudu %s, %s runs %s: the profile is the first one's", s.Source, s.Version, other.Source, other.Version)
		}
	}
	return profile
}

func (w *writer) rules(s *pages.Server, profile string) {
	if all := flags(s.Flags).rules(profile); len(all) > 0 {
		w.line("rules: %s  # by flags", flow(all))
	}
}

// flow writes settings as a mapping in one line.
func flow(all []setting) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = s.key + ": " + s.value
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (w *writer) machine() {
	w.comment("", "guess: pages don't tell what operations cost, nor how many cores there are. Measure it, or set cores, and factor to how much faster one core is.")
	const cores = "cores: 16, core_worth: 1, clients_share: false"
	if w.costs.shrunk {
		w.line("machine: {base: %s, %s, store: {disk_row: %v}}  # rows here are smaller than what that machine counts beyond key and fields", baseMachine, cores, w.costs.diskRow)
		return
	}
	w.line("machine: {base: %s, %s}", baseMachine, cores)
}

// settings writes what flags say.
func (w *writer) settings(s *pages.Server, profile string) {
	groups, refused := flags(s.Flags).settings(profile, w.memory(s))
	for _, r := range refused {
		w.notes.Warn("%s: %s", s.Source, r)
	}
	off := flags(s.Flags).off()
	for _, group := range groupsOfFlags {
		if len(groups[group]) == 0 && group != "maintenance" {
			continue
		}
		w.line("%s:", group)
		for _, set := range groups[group] {
			w.line("  %s: %s", set.key, set.value)
		}
		if group == "maintenance" && len(off) > 0 {
			w.line("  off: [%s]", strings.Join(off, ", "))
		}
		if group == "maintenance" {
			w.line("  rolled_block_rows: 0  # how full a compaction's outputs will be is chance: here all are as full as they are on average")
		}
	}
}

const mebibyte = 1 << 20

// memory gives what the server's memory page and metrics say.
func (w *writer) memory(s *pages.Server) (all []setting) {
	if limit := s.Flags["memory_limit_hard_bytes"]; limit == "" || limit == "0" {
		if s.MemoryLimit != "" {
			all = append(all, setting{"server.memory_limit", s.MemoryLimit})
		} else {
			w.notes.Missing("The memory limit of %s.", s.Source)
		}
	} else if strings.HasPrefix(limit, "-") {
		w.notes.Warn("%s: memory is not limited, which an experiment's always is", s.Source)
	}
	used, known := s.Value("memory_usage")
	if !known {
		return all
	}
	cache, _ := s.Value("block_cache_usage")
	used -= cache
	for _, t := range s.Tablets {
		used -= t.Value("memrowset_size") + float64(t.DeltaMemory)
	}
	base := configs.Bytes(math.Ceil(max(used, 0)/mebibyte)) * mebibyte
	return append(all, setting{"server.base_memory", base.String()})
}

// text writes a string that YAML reads as one.
func text(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_.- ", r))
	}) || s == "" || strings.TrimSpace(s) != s || s[0] == '-' {
		return strconv.Quote(s)
	}
	return s
}

func (w *writer) tableList() {
	w.line("tables:")
	for _, t := range w.tables {
		w.line("  - name: %s%s", t.name, t.renamed())
		w.line("    tablets: %d", len(t.tablets))
		keys := "uniform"
		if t.ycsb {
			keys = "ycsb"
		}
		w.line("    keys: %s%s", keys, t.howPlaced())
		if t.extra.Priority != 0 {
			w.line("    priority: %d", t.extra.Priority)
		}
		if t.extra.NoCompaction {
			w.line("    disable_compaction: true")
		}
		comment := "guess: the pages don't tell how large rows are"
		if t.shape.known {
			comment = fmt.Sprintf("guess: a row takes %.1f B on disk, shared out evenly among the columns", t.shape.perRow)
		}
		w.line("    record: {fields: %d, field_length: %dB, key_length: %dB}  # %s", t.shape.fields, t.shape.fieldLength, t.shape.keyLength, comment)
	}
}

func (t *tableState) renamed() string {
	if t.name == t.original {
		return ""
	}
	return "  # " + strconv.QuoteToASCII(t.original)
}

// howPlaced says where the places of the table's rowsets come from.
func (t *tableState) howPlaced() string {
	switch {
	case t.ycsb:
		return ""
	case slices.ContainsFunc(t.tablets, func(t *pages.Tablet) bool { return t.Layout.Hidden }):
		return "  # row keys are redacted: places are worked out from the drawing of the layout"
	}
	return "  # places are worked out from the drawing of the layout"
}

func (w *writer) policy(s *pages.Server) {
	w.line("policies:")
	line := "  - {name: as-configured, policy: priority-weighted"
	if params := flags(s.Flags).policy(); len(params) > 0 {
		line += ", params: " + flow(params)
	}
	w.line("%s}  # Kudu's formula with the server's flags", line)
}

// ending lists what is not in the experiment.
func (w *writer) ending() {
	deltas := int64(0)
	for _, t := range w.tables {
		for _, tablet := range t.tablets {
			deltas += tablet.DeltaMemory
		}
	}
	if deltas > 0 {
		w.notes.Missing("Updates in DeltaMemStores (%s in all) are left out: no page tells which rowsets they belong to.", configs.Bytes(deltas))
	}
	w.notes.Missing("REDO deltas: pages count them into a rowset's size. All of it is taken to be base data.")
	w.notes.Missing("The age of UNDO deltas, of MemRowSets and of the WAL, and what lies in the page cache.")
	w.notes.Missing("Since when scans and writes are counted for workload scores: here the windows begin anew.")
	if len(w.notes.Warnings) > 0 {
		w.line("")
		w.comment("", "Warnings of the import:")
		for _, text := range w.notes.Warnings {
			w.comment("", "- "+text)
		}
	}
	w.line("")
	w.comment("", "What the pages don't tell:")
	for _, text := range w.notes.Untold {
		w.comment("", "- "+text)
	}
}
