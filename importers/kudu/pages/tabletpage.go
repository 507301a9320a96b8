package pages

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mmsim/importers/kudu/markup"
)

// Column is a column of a table.
type Column struct {
	Name, Type string
	Key        bool
}

// TabletPage is what a tablet's own page says.
type TabletPage struct {
	Leads   bool
	Columns []Column
	Extra   ExtraConfig
}

var keyImage = regexp.MustCompile(`key\.png`)

// readTablet reads /tablet?id=. The page must be of the tablet that has the id.
func readTablet(page []byte, id string) (*TabletPage, error) {
	d := markup.Read(page)
	t := &TabletPage{Extra: readExtra(d.Text)}
	if other := d.OtherTablet(id); other != "" {
		return nil, fmt.Errorf("the page there is of another tablet, %s", other)
	}
	found := false
	for _, head := range d.Heads {
		if strings.HasPrefix(head, "Tablet ") {
			found, t.Leads = true, strings.Contains(head, "/LEADER)")
		}
	}
	if !found {
		return nil, errors.New("the page there is not that of a tablet")
	}
	keys := len(keyImage.FindAll(page, -1))
	for _, row := range d.Rows {
		if len(row) < 6 || row[0] == "Column" {
			continue
		}
		// Key columns come first; an image marks them.
		t.Columns = append(t.Columns, Column{strings.TrimSpace(row[0]), row[2], len(t.Columns) < keys})
	}
	return t, nil
}
