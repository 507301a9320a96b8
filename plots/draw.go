// Package plots draws what runs left behind: one file a figure, one figure a question that a reviewer asks. Figures are
// made for slides of 13.33 x 7.5 inches, as SVG and as PNG. Equal input gives equal bytes.
package plots

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/results"
)

// Input is what the figures show.
type Input struct {
	Title      string            // of the experiment; every figure names it
	Scale      float64           // of the experiment; 1 = full size, 0 = not said
	Starvation configs.Duration  // a wait longer than this starves; 0 draws no threshold
	Runs       []*results.Run    // one a policy line; the first is what the others are compared with
	Measured   *configs.Measured // numbers of the real experiment, drawn as marks; may be nil
	Force      bool              // replace files of the figures' names that mmsim did not write, or that were changed since
}

// Draw writes every figure into dir, which it makes if need be, and gives the paths of the files in the order in which
// they were written: latency percentiles and before/after bars for each phase, waits, and a timeline for each policy line.
// When ctx ends it stops after the figure it is at. If a file must not be replaced, none is written.
func Draw(ctx context.Context, dir string, in Input) ([]string, error) {
	if err := check(in); err != nil {
		return nil, fmt.Errorf("plots: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("plots: %w", err)
	}
	all := figures(in)
	outputs := make([][]*files.Output, len(all))
	for i, f := range all {
		var err error
		if outputs[i], err = f.plan(dir, in.Force); err != nil {
			return nil, fmt.Errorf("plots: %w", err)
		}
	}
	var written []string
	for i, f := range all {
		for _, o := range outputs[i] {
			if err := o.Write(ctx, func(w io.Writer) error { return f.draw(w, o.Name()) }); err != nil {
				return written, fmt.Errorf("plots: %w", err)
			}
			written = append(written, o.Name())
		}
	}
	return written, nil
}

// check refuses what cannot be drawn: no run at all, and rows that name a table which is not there.
func check(in Input) error {
	if len(in.Runs) == 0 {
		return fmt.Errorf("no runs to draw")
	}
	for i, r := range in.Runs {
		if r == nil {
			return fmt.Errorf("run %d of %d is nil", i, len(in.Runs))
		}
		for _, s := range r.Samples {
			if s.Table < 0 || s.Table >= len(r.Tables) {
				return fmt.Errorf("run %q: a sample is of table %d of %d", r.Line, s.Table, len(r.Tables))
			}
		}
		for _, o := range r.Ops {
			if o.Table < 0 || o.Table >= len(r.Tables) {
				return fmt.Errorf("run %q: a %s is of table %d of %d", r.Line, o.Kind, o.Table, len(r.Tables))
			}
		}
		for _, w := range r.Waits {
			if w.Table < 0 || w.Table >= len(r.Tables) {
				return fmt.Errorf("run %q: a wait of %s is of table %d of %d", r.Line, w.Kind, w.Table, len(r.Tables))
			}
		}
	}
	return nil
}

// figures lists what there is to draw. Nothing is drawn yet, so that one figure at a time is in memory.
func figures(in Input) []figure {
	var all []figure
	names := namer{"waiting": true, "waiting-gc": true}
	lines := lineStyles(in.Runs)
	for _, ph := range in.Runs[0].Phases {
		all = append(all, percentiles(in, lines, ph.Name, names.file("latency-percentiles-"+ph.Name)))
	}
	for _, ph := range in.Runs[0].Phases {
		all = append(all, beforeAfter(in, lines, ph.Name, names.file("before-after-"+ph.Name)))
	}
	ranked, collected := waitedKinds(in.Runs)
	all = append(all, waiting(in, lines, ranked, "waiting"))
	if len(collected) > 0 {
		all = append(all, waiting(in, lines, collected, "waiting-gc"))
	}
	limits := timelineLimits(in.Runs)
	for i, r := range in.Runs {
		all = append(all, timeline(in, r, lines[i], limits, names.file("timeline-"+r.Line)))
	}
	return all
}

// subtitle says which experiment a figure shows.
func (in Input) subtitle() string {
	if in.Scale == 0 || in.Scale == 1 {
		return in.Title
	}
	return fmt.Sprintf("%s, scale %g", in.Title, in.Scale)
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
