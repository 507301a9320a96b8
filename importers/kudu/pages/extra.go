package pages

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"mmsim/importers/kudu/markup"
)

// ExtraConfig is what a table sets for itself.
type ExtraConfig struct {
	Known        bool
	Priority     int
	NoCompaction bool
}

var (
	extraPriority   = regexp.MustCompile(`kudu\.table\.maintenance_priority\s*[:=]\s*(-?\d{1,9})\b`)
	extraCompaction = regexp.MustCompile(`kudu\.table\.disable_compaction\s*[:=]\s*(\w+)`)
)

// readExtra finds a table's extra configuration in the text of a page.
func readExtra(text string) ExtraConfig {
	x := ExtraConfig{Known: strings.Contains(text, "Extra Config") || strings.Contains(text, "kudu.table.")}
	if m := extraPriority.FindStringSubmatch(text); m != nil {
		x.Priority, _ = strconv.Atoi(m[1]) // at most nine digits
	}
	if m := extraCompaction.FindStringSubmatch(text); m != nil {
		x.NoCompaction = m[1] == "1" || m[1] == "true"
	}
	return x
}

// ReadExtra reads what a table sets for itself from the master's page of it, where Kudu shows it so far. A page that is not there, or not whole, leaves it
// unknown.
func ReadExtra(ctx context.Context, master Source, table, id string, n *Notes) (x ExtraConfig, err error) {
	page, err := master.Page(ctx, "table", id)
	var unfit *unfitPage
	switch {
	case err == nil:
		return readExtra(markup.Read(page).Text), nil
	case errors.As(err, &unfit):
		n.Warn("table %s: %v", table, err)
	case !errors.Is(err, errNoPage):
		return x, err
	}
	return x, nil
}
