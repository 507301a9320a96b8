package pages

import (
	"encoding/json"
	"errors"
	"fmt"

	"mmsim/reading"
)

// entity is what metrics are of: the server, or one tablet.
type entity struct {
	Type       string            `json:"type"`
	ID         string            `json:"id"`
	Attributes map[string]string `json:"attributes"`
	Metrics    []metric          `json:"metrics"`

	values map[string]float64
}

type metric struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// value gives a metric that is a number.
func (e *entity) value(name string) (float64, bool) {
	v, ok := e.values[name]
	return v, ok
}

// metrics are a tablet server's.
type metrics struct {
	server  *entity
	tablets map[string]*entity
}

// readMetrics reads /metrics of a tablet server.
func readMetrics(page []byte) (*metrics, error) {
	var all []*entity
	if err := json.Unmarshal(page, &all); err != nil {
		line, field, value, want := reading.JSON(page, err)
		if field != "" {
			want = fmt.Sprintf("%s: %q is not %s", field, value, want)
		}
		return nil, fmt.Errorf("line %d: not the metrics of a Kudu server: %s", line, want)
	}
	m := &metrics{tablets: map[string]*entity{}}
	for _, e := range all {
		if e == nil {
			continue
		}
		e.values = make(map[string]float64, len(e.Metrics))
		for _, v := range e.Metrics {
			if f, ok := v.Value.(float64); ok && 0 <= f && f <= 1e18 { // all that are read are counts and sizes
				e.values[v.Name] = f
			}
		}
		e.Metrics = nil
		switch {
		case e.Type == "tablet":
			m.tablets[e.ID] = e
		case e.Type == "server" && e.ID == "kudu.tabletserver":
			m.server = e
		case e.Type == "server" && e.ID == "kudu.master":
			return nil, errors.New("the metrics of a Kudu master: give the addresses of tablet servers")
		}
	}
	if m.server == nil {
		return nil, errors.New("not the metrics of a Kudu tablet server: no server kudu.tabletserver in them")
	}
	return m, nil
}
