package maintenance

import (
	"slices"

	"mmsim/policies"
)

// resize makes every column n rows long.
func resize(c *policies.Candidates, n int) {
	c.Kind = sized(c.Kind, n)
	c.Table, c.Tablet, c.Priority = sized(c.Table, n), sized(c.Tablet, n), sized(c.Priority, n)
	c.RAM, c.WAL, c.Data, c.Bytes, c.WaitingSince = sized(c.RAM, n), sized(c.WAL, n), sized(c.Data, n), sized(c.Bytes, n), sized(c.WaitingSince, n)
	c.Perf, c.ScansPerSec, c.RowsPerSec = sized(c.Perf, n), sized(c.ScansPerSec, n), sized(c.RowsPerSec, n)
	c.HeightRemoved, c.Seconds = sized(c.HeightRemoved, n), sized(c.Seconds, n)
}

func sized[T any](column []T, n int) []T { return slices.Grow(column[:0], n)[:n] }
