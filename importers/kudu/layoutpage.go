package kudu

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mmsim/reading"
)

// layoutPage is what the drawing of a tablet's rowsets and the compaction policy's log beneath it say.
type layoutPage struct {
	bars     []bar   // in the order of smallest keys
	logged   bool    // the policy wrote a log: ids, whole MB, picks and value are known, and keys if they are shown
	keys     bool    // every bar has its keys
	hidden   bool    // keys are redacted
	away     int     // rowsets that a compaction has taken, which are in neither
	value    float64 // of the picked
	quarters []int64 // full sizes on disk in bytes, rounded by the page: smallest, quartiles, largest
	flags    flags   // of the server, by which its policy valued what it picked; nil = Kudu's defaults
}

// bar is one rowset.
type bar struct {
	id       int
	mb       int64 // whole MiB as the policy weighs it, at least 1
	picked   bool
	from, to float64 // on the axis of the tablet's data volume, 0 to 1
	min, max string
}

var (
	awayLine  = regexp.MustCompile(`there are (\d+) rowset\(s\) currently undergoing`)
	valueLine = regexp.MustCompile(`Solution value: (\S+)`)
	barLine   = regexp.MustCompile(`^\s*\[([ x])\] [A-Za-z]*\((\d+)\)\(\s*(\d+)M\) \[([-\d.e]+), ([-\d.e]+)\](?: \[(.*)\])?\s*$`)
)

const (
	drawnWidth = 1200   // of the whole axis in the drawing
	drawnSlack = 0.01   // by which rounding may move an end
	pickedFill = "#f66" // of a picked rowset in it
	groundFill = "#fff" // of what is behind them
)

// readLayoutPage reads /tablet-rowsetlayout-svg?id=. A page that names its tablet must be of the one that has the id.
func readLayoutPage(page []byte, id string) (*layoutPage, error) {
	d := readDocument(page)
	if !strings.Contains(d.text, "Rowset Layout") {
		return nil, errors.New("not the page of a tablet's rowset layout")
	}
	if other := d.otherTablet(id); other != "" {
		return nil, fmt.Errorf("the rowset layout there is of another tablet, %s", other)
	}
	l := &layoutPage{}
	if m := awayLine.FindStringSubmatch(d.text); m != nil {
		away, ok := reading.Whole(m[1], 0, MaxRowsets)
		if !ok {
			return nil, fmt.Errorf("%s rowsets under compaction are more than a tablet has, %d", m[1], MaxRowsets)
		}
		l.away = int(away)
	}
	drawn, err := drawnBars(d)
	if err != nil {
		return nil, err
	}
	if err := l.readLog(d); err != nil {
		return nil, err
	}
	if err := l.combine(drawn); err != nil {
		return nil, err
	}
	l.partKeys()
	if err := l.readQuarters(d); err != nil {
		return nil, err
	}
	if text, ok := d.cell("Count"); ok && text != strconv.Itoa(len(l.bars)) {
		return nil, fmt.Errorf("the page counts %s rowsets and shows %d", text, len(l.bars))
	}
	return l, nil
}

// drawnBars reads the drawing. Bars that overlap lie in different rows, which Kudu fills from the top in the order of smallest keys:
// sorted by place and row they come in that order again.
func drawnBars(d *document) ([]bar, error) {
	type drawn struct {
		bar
		x, y float64
	}
	var all []drawn
	for _, r := range d.rects {
		if r["fill"] == groundFill {
			continue
		}
		if len(all) == MaxRowsets {
			return nil, fmt.Errorf("the drawing shows more than %d rowsets, which no tablet has", MaxRowsets)
		}
		var v [3]float64
		for i, name := range []string{"x", "y", "width"} {
			f, ok := reading.Number(r[name], -drawnSlack, 1e9)
			if !ok {
				return nil, fmt.Errorf("a rowset's %s in the drawing is %.40q, which is not a number from 0 up", name, r[name])
			}
			v[i] = f
		}
		if v[0]+v[2] > drawnWidth+drawnSlack {
			return nil, fmt.Errorf("a rowset in the drawing ends at %.6g, beyond its width of %d", v[0]+v[2], drawnWidth)
		}
		all = append(all, drawn{bar{id: -1, picked: r["fill"] == pickedFill, from: v[0] / drawnWidth, to: (v[0] + v[2]) / drawnWidth}, v[0], v[1]})
	}
	slices.SortStableFunc(all, func(a, b drawn) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	bars := make([]bar, len(all))
	for i := range all {
		bars[i] = all[i].bar
		bars[i].id = i
	}
	return bars, nil
}

// readLog reads the policy's log. It writes none when it sees at once that no compaction is worth while.
func (l *layoutPage) readLog(d *document) error {
	block, ok := d.preWith("Budgeted compaction selection")
	if !ok {
		return nil
	}
	l.logged = true
	for _, line := range strings.Split(block, "\n") {
		if m := valueLine.FindStringSubmatch(line); m != nil {
			v, ok := reading.Number(m[1], -1e9, 1e9)
			if !ok {
				return fmt.Errorf("the policy's value %.40q is no number that its scores can be", m[1])
			}
			l.value = v
			continue
		}
		if !strings.Contains(line, "M) [") {
			continue
		}
		m := barLine.FindStringSubmatch(line)
		if m == nil {
			return errors.New("a line of the policy's log is not in a form that is known")
		}
		b, err := loggedBar(m)
		if err != nil {
			return err
		}
		l.bars = append(l.bars, b)
	}
	return nil
}

const maxRowsetMB = 1 << 20 // a TiB, twenty times what Kudu advises for a tablet

// loggedBar reads a rowset's line of the policy's log, of the columns of barLine.
func loggedBar(m []string) (bar, error) {
	id, known := reading.Whole(m[2], 0, math.MaxInt32)
	mb, sized := reading.Whole(m[3], 0, maxRowsetMB)
	from, begins := reading.Number(m[4], 0, 1)
	to, ends := reading.Number(m[5], from, 1)
	switch {
	case !known:
		return bar{}, fmt.Errorf("RowSet(%.40s) in the policy's log has no number that a rowset can have", m[2])
	case !sized:
		return bar{}, fmt.Errorf("rowset %d in the policy's log has %.40s MB, more than %d", id, m[3], maxRowsetMB)
	case !begins || !ends:
		return bar{}, fmt.Errorf("rowset %d in the policy's log lies from %.40s to %.40s, not within 0 and 1", id, m[4], m[5])
	}
	return bar{id: int(id), mb: mb, picked: m[1] == "x", from: from, to: to, min: m[6]}, nil
}

// combine takes the bars' places from the drawing, which has all their digits, where the log has four. The log's selection is not yet held against
// compaction_minimum_improvement, the drawing's is (PickRowSets in compaction_policy.cc): it shows none where that is not worth while.
func (l *layoutPage) combine(drawn []bar) error {
	const logged = 0.00006 // half of the log's last digit, and a little
	if !l.logged {
		l.bars = drawn
		return nil
	}
	if len(drawn) != len(l.bars) {
		return fmt.Errorf("the drawing shows %d rowsets and the policy's log %d", len(drawn), len(l.bars))
	}
	worthwhile := slices.ContainsFunc(drawn, func(b bar) bool { return b.picked })
	for i := range drawn {
		a, b := &l.bars[i], drawn[i]
		if math.Abs(a.from-b.from) > logged || math.Abs(a.to-b.to) > logged || worthwhile && a.picked != b.picked {
			return fmt.Errorf("rowset %d is elsewhere in the drawing than in the policy's log", a.id)
		}
		a.from, a.to = b.from, b.to
	}
	return nil
}

const redacted = "<redacted>"

// partKeys parts the keys that the log shows of each rowset.
func (l *layoutPage) partKeys() {
	l.keys = l.logged && len(l.bars) > 0
	for i := range l.bars {
		b := &l.bars[i]
		pair := b.min
		b.min = ""
		if strings.Contains(pair, redacted) {
			l.hidden, l.keys = true, false
			continue
		}
		smallest, largest, ok := splitPair(pair)
		if !ok {
			l.keys = false
			continue
		}
		b.min, b.max = smallest, largest
	}
}

// splitPair parts a pair of keys at the comma between them. Keys may hold commas: then it is the one that parts keys of equal length, which most
// are, or else the middle one.
func splitPair(pair string) (smallest, largest string, ok bool) {
	var commas, even []int
	for i := range len(pair) {
		if pair[i] != ',' {
			continue
		}
		commas = append(commas, i)
		if len(unescaped(pair[:i])) == len(unescaped(pair[i+1:])) {
			even = append(even, i)
		}
	}
	var at int
	switch {
	case len(even) == 1:
		at = even[0]
	case len(commas)%2 == 1:
		at = commas[len(commas)/2]
	default:
		return "", "", false
	}
	smallest, largest = unescaped(pair[:at]), unescaped(pair[at+1:])
	return smallest, largest, smallest <= largest
}

var escape = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// unescaped gives the bytes of a key that Kudu wrote with \x before those that cannot be read.
func unescaped(text string) string {
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		b, _ := strconv.ParseUint(e[2:], 16, 8)
		return string([]byte{byte(b)})
	})
}

// readQuarters reads the table of sizes.
func (l *layoutPage) readQuarters(d *document) error {
	for _, name := range []string{"Min", "First quartile", "Median", "Third quartile", "Max"} {
		text, _ := d.cell(name)
		n, ok := humanBytes(text)
		if !ok {
			l.quarters = nil
			return nil
		}
		if n > maxRowsetMB*mebibyte || len(l.quarters) > 0 && n < l.quarters[len(l.quarters)-1] {
			return fmt.Errorf("%s of the rowsets' sizes is %s: it is below the one before or above 1 TiB", name, text)
		}
		l.quarters = append(l.quarters, n)
	}
	return nil
}
