// Package plots draws what runs left behind: one file a figure, one figure a question that a reviewer asks. Figures are
// made for slides of 13.33 x 7.5 inches, as SVG and as PNG. Equal input gives equal bytes.
package plots

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/results"
)

// Input is what the figures show.
type Input struct {
	Title      string            // of the experiment; every figure names it
	Scale      float64           // of the experiment; 1 = full size, 0 = not said
	Starvation configs.Duration  // a wait longer than this starves; 0 draws no threshold
	Runs       []*results.Run    // one a policy line; the first is what the others are compared with. Their ops, waits and samples come from Source
	Source     Source            // read as far as a figure shows it
	Memory     MemoryLines       // of every server
	Measured   *configs.Measured // numbers of the real experiment, drawn as marks; may be nil
	Worst      int               // tables a figure, if there are more; at least 1
	Force      bool              // replace files of the figures' names that mmsim did not write, or that were changed since

	shown // which tables are left in Runs
}

// Draw writes every figure into dir, which it makes if need be, and gives the paths of the files in the order in which
// they were written: latency percentiles and before/after bars for each phase, waits, and a timeline for each policy line.
// When ctx ends it stops after the figure it is at. If a file must not be replaced, none is written.
func Draw(ctx context.Context, dir string, in Input) ([]string, error) {
	written, err := drawAll(ctx, dir, in)
	if err != nil {
		return written, fmt.Errorf("plots: %w", err)
	}
	return written, nil
}

func drawAll(ctx context.Context, dir string, in Input) ([]string, error) {
	if err := check(in); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	all, err := figures(in)
	if err != nil {
		return nil, err
	}
	outputs := make([][]*files.Output, len(all))
	for i, f := range all {
		if outputs[i], err = plan(dir, f.name, in.Force); err != nil {
			return nil, err
		}
	}
	var written []string
	for i := range all {
		f, err := all[i].make()
		if err != nil {
			return written, err
		}
		for _, o := range outputs[i] {
			if err := o.Write(ctx, func(w io.Writer) error { return f.draw(w, o.Name()) }); err != nil {
				return written, err
			}
			written = append(written, o.Name())
		}
	}
	return written, nil
}

// check refuses what cannot be drawn.
func check(in Input) error {
	if len(in.Runs) == 0 {
		return errors.New("no runs to draw")
	}
	if in.Worst < 1 {
		return fmt.Errorf("%d tables a figure, want at least 1", in.Worst)
	}
	for i, r := range in.Runs {
		if r == nil {
			return fmt.Errorf("run %d of %d is nil", i, len(in.Runs))
		}
		if len(r.Tables) != len(in.Runs[0].Tables) {
			return fmt.Errorf("run %q has %d tables, %q %d", r.Line, len(r.Tables), in.Runs[0].Line, len(in.Runs[0].Tables))
		}
	}
	return nil
}

// pending is a figure to come. What it shows is read when it is made, so that one figure at a time is in memory.
type pending struct {
	name string // of the files, without their ending
	make func() (figure, error)
}

// figures lists what there is to draw.
func figures(in Input) ([]pending, error) {
	longest, err := in.longestWaits()
	if err != nil {
		return nil, err
	}
	var all []pending
	add := func(name string, make func() (figure, error)) { all = append(all, pending{name, make}) }
	names, lines := namesOf(in.Runs), lineStyles(in.Runs)
	for i, ph := range in.Runs[0].Phases {
		add(names.percentiles[i], func() (figure, error) { return percentiles(in.changedIn(ph.Name), lines, ph.Name), nil })
	}
	for i, ph := range in.Runs[0].Phases {
		add(names.beforeAfter[i], func() (figure, error) { return beforeAfter(in.changedIn(ph.Name), lines, ph.Name), nil })
	}
	waits := func(kinds []string) func() (figure, error) {
		return func() (figure, error) {
			part, err := in.only(longest.worst(kinds, in.Worst)).withWaits(kinds)
			return waiting(part, lines, kinds), err
		}
	}
	add(names.waiting, waits(longest.ranked))
	if len(longest.collected) > 0 {
		add(names.waitingGC, waits(longest.collected))
	}
	series := sync.OnceValues(func() (timelines, error) { return in.only(in.slowest(longest)).timelines() })
	for i := range in.Runs {
		add(names.timelines[i], func() (figure, error) {
			t, err := series()
			if err != nil {
				return figure{}, err
			}
			return timeline(t.Input, t.Runs[i], lines[i], t.limits, t.kinds), nil
		})
	}
	return all, nil
}

// figureNames are the names of the files of all figures, without their endings.
type figureNames struct {
	percentiles, beforeAfter []string // by phase
	waiting, waitingGC       string
	timelines                []string // by run
}

func namesOf(runs []*results.Run) figureNames {
	n := figureNames{waiting: "waiting", waitingGC: "waiting-gc"}
	taken := namer{n.waiting: true, n.waitingGC: true}
	for _, ph := range runs[0].Phases {
		n.percentiles = append(n.percentiles, taken.file("latency-percentiles-"+ph.Name))
	}
	for _, ph := range runs[0].Phases {
		n.beforeAfter = append(n.beforeAfter, taken.file("before-after-"+ph.Name))
	}
	for _, r := range runs {
		n.timelines = append(n.timelines, taken.file("timeline-"+r.Line))
	}
	return n
}

// Files names all files that the figures of runs may be drawn into.
func Files(runs []*results.Run) []string {
	n := namesOf(runs)
	var all []string
	for _, name := range slices.Concat(n.percentiles, n.beforeAfter, []string{n.waiting, n.waitingGC}, n.timelines) {
		for _, ending := range endings {
			all = append(all, name+ending)
		}
	}
	return all
}

// subtitle says which experiment a figure shows, and on a second line which tables if not all.
func (in Input) subtitle() string {
	s := in.Title
	if in.Scale != 0 && in.Scale != 1 {
		s = fmt.Sprintf("%s, scale %g", in.Title, in.Scale)
	}
	if tables := in.Selection.String(); tables != "" {
		s += "\nShown are " + tables
	}
	return s
}

// namer turns names into names of files, each different from the others even where case is ignored.
type namer map[string]bool

func (n namer) file(name string) string {
	slug := []byte{}
	for _, c := range []byte(name) {
		switch {
		case 'A' <= c && c <= 'Z':
			slug = append(slug, c-'A'+'a')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.', c == '_':
			slug = append(slug, c)
		case len(slug) > 0 && slug[len(slug)-1] != '-':
			slug = append(slug, '-')
		}
	}
	if len(slug) > 100 {
		slug = slug[:100]
	}
	file := string(slug)
	for i := 2; n[file]; i++ {
		file = fmt.Sprintf("%s-%d", slug, i)
	}
	n[file] = true
	return filepath.Base(file)
}
