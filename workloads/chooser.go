package workloads

import "fmt"

// Chooser picks an existing key for an operation that reads or updates, by YCSB's request distribution.
type Chooser struct {
	kind      requests
	records   float64
	scrambled *ScrambledZipfian
	latest    *Latest
}

type requests uint8

const (
	uniform requests = iota
	zipfian
	latest
)

// NewChooser takes the distribution ("uniform", "zipfian" or "latest"), the keys present at the start (records, 1 or
// more; 3 or more for latest) and how many inserts are expected.
//
// Under "zipfian" YCSB spreads its requests over room for twice the inserts it expects, so that a popular key stays
// the same key while the table grows. Unlike YCSB's that room is not cut off at 2^31-1 keys.
func NewChooser(dist string, records int64, inserts float64) (*Chooser, error) {
	if records < 1 {
		return nil, fmt.Errorf("request distribution %q over %d records: there must be 1 or more", dist, records)
	}
	c := &Chooser{records: float64(records)}
	switch dist {
	case "uniform":
		c.kind = uniform
	case "zipfian":
		c.kind = zipfian
		c.scrambled = NewScrambled(0, records+int64(inserts*2)+1)
	case "latest":
		if records < 3 {
			return nil, fmt.Errorf("request distribution %q over %d records: there must be 3 or more", dist, records)
		}
		c.kind = latest
		c.latest = NewLatest(records)
	default:
		return nil, fmt.Errorf("request distribution %q: must be uniform, zipfian or latest", dist)
	}
	return c, nil
}

// At is the key for the uniform u in [0, 1) when last is the newest key that the caller counts as inserted. Only
// "latest" looks at last. Under "zipfian" the key can lie beyond it: the caller then draws again, as YCSB does.
func (c *Chooser) At(u float64, last int64) int64 {
	switch c.kind {
	case zipfian:
		return c.scrambled.At(u)
	case latest:
		return c.latest.At(u, last)
	default:
		return int64(u * c.records)
	}
}
