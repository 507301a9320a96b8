package layout

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mmsim/importers/kudu/markup"
	"mmsim/reading"
)

// Page is what the drawing of a tablet's rowsets and the compaction policy's log beneath it say.
type Page struct {
	Bars   []Bar   // in the order of smallest keys
	Logged bool    // the policy wrote a log: ids, whole MB, picks and value are known, and keys if they are shown
	Keys   bool    // every bar has its keys
	Hidden bool    // keys are redacted
	Away   int     // rowsets that a compaction has taken, which are in neither
	Value  float64 // of the picked

	quarters []int64           // full sizes on disk in bytes, rounded by the page: smallest, quartiles, largest
	flags    map[string]string // of the server, by which its policy valued what it picked; nil = Kudu's defaults
}

// Bar is one rowset.
type Bar struct {
	ID       int
	MB       int64 // whole MiB as the policy weighs it, at least 1
	Picked   bool
	From, To float64 // on the axis of the tablet's data volume, 0 to 1
	Min, Max string
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

// ReadPage reads /tablet-rowsetlayout-svg?id= of a server with these flags. A page that names its tablet must be of the one that has the id.
func ReadPage(page []byte, id string, flags map[string]string) (*Page, error) {
	d := markup.Read(page)
	if !strings.Contains(d.Text, "Rowset Layout") {
		return nil, errors.New("not the page of a tablet's rowset layout")
	}
	if other := d.OtherTablet(id); other != "" {
		return nil, fmt.Errorf("the rowset layout there is of another tablet, %s", other)
	}
	l := &Page{flags: flags}
	if m := awayLine.FindStringSubmatch(d.Text); m != nil {
		away, ok := reading.Whole(m[1], 0, maxRowsets)
		if !ok {
			return nil, fmt.Errorf("%s rowsets under compaction are more than a tablet has, %d", m[1], maxRowsets)
		}
		l.Away = int(away)
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
	if text, ok := d.Cell("Count"); ok && text != strconv.Itoa(len(l.Bars)) {
		return nil, fmt.Errorf("the page counts %s rowsets and shows %d", text, len(l.Bars))
	}
	return l, nil
}

// drawnBars reads the drawing. Bars that overlap lie in different rows, which Kudu fills from the top in the order of smallest keys:
// sorted by place and row they come in that order again.
func drawnBars(d *markup.Document) ([]Bar, error) {
	type drawn struct {
		Bar
		x, y float64
	}
	var all []drawn
	for _, r := range d.Rects {
		if r["fill"] == groundFill {
			continue
		}
		if len(all) == maxRowsets {
			return nil, fmt.Errorf("the drawing shows more than %d rowsets, which no tablet has", maxRowsets)
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
		all = append(all, drawn{Bar{ID: -1, Picked: r["fill"] == pickedFill, From: v[0] / drawnWidth, To: (v[0] + v[2]) / drawnWidth}, v[0], v[1]})
	}
	slices.SortStableFunc(all, func(a, b drawn) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	bars := make([]Bar, len(all))
	for i := range all {
		bars[i] = all[i].Bar
		bars[i].ID = i
	}
	return bars, nil
}

// readLog reads the policy's log. It writes none when it sees at once that no compaction is worth while.
func (l *Page) readLog(d *markup.Document) error {
	block, ok := d.PreWith("Budgeted compaction selection")
	if !ok {
		return nil
	}
	l.Logged = true
	for _, line := range strings.Split(block, "\n") {
		if m := valueLine.FindStringSubmatch(line); m != nil {
			v, ok := reading.Number(m[1], -1e9, 1e9)
			if !ok {
				return fmt.Errorf("the policy's value %.40q is no number that its scores can be", m[1])
			}
			l.Value = v
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
		l.Bars = append(l.Bars, b)
	}
	return nil
}

const maxRowsetMB = 1 << 20 // a TiB, twenty times what Kudu advises for a tablet

// loggedBar reads a rowset's line of the policy's log, of the columns of barLine.
func loggedBar(m []string) (Bar, error) {
	id, known := reading.Whole(m[2], 0, math.MaxInt32)
	mb, sized := reading.Whole(m[3], 0, maxRowsetMB)
	from, begins := reading.Number(m[4], 0, 1)
	to, ends := reading.Number(m[5], from, 1)
	switch {
	case !known:
		return Bar{}, fmt.Errorf("RowSet(%.40s) in the policy's log has no number that a rowset can have", m[2])
	case !sized:
		return Bar{}, fmt.Errorf("rowset %d in the policy's log has %.40s MB, more than %d", id, m[3], maxRowsetMB)
	case !begins || !ends:
		return Bar{}, fmt.Errorf("rowset %d in the policy's log lies from %.40s to %.40s, not within 0 and 1", id, m[4], m[5])
	}
	return Bar{ID: int(id), MB: mb, Picked: m[1] == "x", From: from, To: to, Min: m[6]}, nil
}

// combine takes the bars' places from the drawing, which has all their digits, where the log has four. The log's selection is not yet held against
// compaction_minimum_improvement, the drawing's is (PickRowSets in compaction_policy.cc): it shows none where that is not worth while.
func (l *Page) combine(drawn []Bar) error {
	const logged = 0.00006 // half of the log's last digit, and a little
	if !l.Logged {
		l.Bars = drawn
		return nil
	}
	if len(drawn) != len(l.Bars) {
		return fmt.Errorf("the drawing shows %d rowsets and the policy's log %d", len(drawn), len(l.Bars))
	}
	worthwhile := slices.ContainsFunc(drawn, func(b Bar) bool { return b.Picked })
	for i := range drawn {
		a, b := &l.Bars[i], drawn[i]
		if math.Abs(a.From-b.From) > logged || math.Abs(a.To-b.To) > logged || worthwhile && a.Picked != b.Picked {
			return fmt.Errorf("rowset %d is elsewhere in the drawing than in the policy's log", a.ID)
		}
		a.From, a.To = b.From, b.To
	}
	return nil
}

const redacted = "<redacted>"

// partKeys parts the keys that the log shows of each rowset.
func (l *Page) partKeys() {
	l.Keys = l.Logged && len(l.Bars) > 0
	for i := range l.Bars {
		b := &l.Bars[i]
		pair := b.Min
		b.Min = ""
		if strings.Contains(pair, redacted) {
			l.Hidden, l.Keys = true, false
			continue
		}
		smallest, largest, ok := splitPair(pair)
		if !ok {
			l.Keys = false
			continue
		}
		b.Min, b.Max = smallest, largest
	}
}

// readQuarters reads the table of sizes.
func (l *Page) readQuarters(d *markup.Document) error {
	for _, name := range []string{"Min", "First quartile", "Median", "Third quartile", "Max"} {
		text, _ := d.Cell(name)
		n, ok := markup.Size(text)
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
