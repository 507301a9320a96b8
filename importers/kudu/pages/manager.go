package pages

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mmsim/importers/kudu/markup"
	"mmsim/reading"
)

// managerPage is what /maintenance-manager tells: the ops that run, and what the manager last found rowset compactions to be worth.
type managerPage struct {
	running     []string           // as CompactRowSetsOp(TABLET)
	compactions map[string]float64 // scores before workload and priority, by tablet; of those that could run
}

// The page's columns that are read, of the ops that run and of those that don't.
const (
	nameColumn     = "Name"
	runningColumn  = "Instances running"
	runnableColumn = "Runnable"
	perfColumn     = "Perf"
)

var compactionOp = regexp.MustCompile(`^CompactRowSetsOp\(([0-9a-f]+)\)$`)

// readManager reads /maintenance-manager. Its tables are told apart by their headings, as versions of Kudu show more or fewer columns.
func readManager(page []byte) (*managerPage, error) {
	m := &managerPage{compactions: map[string]float64{}}
	var heading []string
	running, others := false, false
	for _, row := range markup.Read(page).Rows {
		switch {
		case len(row) == 0:
		case row[0] == nameColumn:
			heading = row
			running = running || slices.Contains(row, runningColumn)
			others = others || slices.Contains(row, runnableColumn) && slices.Contains(row, perfColumn)
		case len(row) != len(heading):
		case slices.Contains(heading, runningColumn):
			m.running = append(m.running, row[0])
		default:
			if err := m.value(heading, row); err != nil {
				return nil, err
			}
		}
	}
	if !running || !others {
		return nil, errors.New("the page is not in a form that is known: it lacks the ops that run, or the scores of the others")
	}
	return m, nil
}

// value takes in an op that does not run.
func (m *managerPage) value(heading, row []string) error {
	runnable, perf := slices.Index(heading, runnableColumn), slices.Index(heading, perfColumn)
	op := compactionOp.FindStringSubmatch(row[0])
	if op == nil || runnable < 0 || perf < 0 || row[runnable] != "true" {
		return nil
	}
	score, ok := reading.Number(row[perf], 0, 1e9)
	if !ok {
		return fmt.Errorf("the page is not in a form that is known: %s of %s is %q, not a score", perfColumn, row[0], row[perf])
	}
	m.compactions[op[1]] = score
	return nil
}

// readManager reads the page of the server's maintenance manager, which an import can do without.
func (s *Server) readManager(ctx context.Context, n *Notes) error {
	page, err := s.Source.Page(ctx, "maintenance-manager", "")
	if errors.Is(err, errNoPage) {
		n.Missing("Which ops ran at the time, and what the server's own policy makes of its tablets: the page maintenance-manager is not there.")
		return nil
	}
	var unfit *unfitPage
	if errors.As(err, &unfit) {
		n.Warn("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if s.manager, err = readManager(page); err != nil {
		n.Warn("%s: maintenance-manager: %v", s.Source, err)
		return nil
	}
	for _, op := range s.manager.running {
		n.Warn("%s: %s ran when the pages were read: what it writes is not in the state", s.Source, op)
	}
	return nil
}

// Score is what the server's own policy made of a compaction of the tablet, if its manager had asked it and none runs that changes the tablet.
func (t *Tablet) Score() (score float64, known bool) {
	m := t.Server.manager
	if m == nil || t.Layout.Away > 0 || slices.ContainsFunc(m.running, func(op string) bool { return strings.HasSuffix(op, "("+t.ID+")") }) {
		return 0, false
	}
	score, known = m.compactions[t.ID]
	return score, known
}
