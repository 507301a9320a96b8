package oplog

import (
	"slices"
	"strings"
)

// Header names the columns of ops.tsv, one maintenance op a line. Times (_s) are seconds of simulated time; ran_s is empty
// for an op that still ran at the end. reason is in the words of Kudu's maintenance manager.
const Header = "server\top\tleader\tsince_s\tchosen_s\twaited_s\tran_s\trule\treason\tperf\tscore\t" +
	"scans_per_s\trows_per_s\tram_bytes\twal_bytes\tdata_bytes\tmemory_percent\t" +
	"candidates\trunner_up\trunner_up_score\tlongest_waiting\tlongest_waited_s\t" +
	"inputs\toutputs\tbytes_read\tbytes_written\theight_before\theight_after"

// measuredColumns are other names of columns in op files that scripts made of a real server's log.
var measuredColumns = map[string]string{
	"start_s": "chosen_s", "seconds": "ran_s", "input_rowsets": "inputs", "output_rowsets": "outputs",
}

// Is says whether a text begins as an op log does: with the header of a run's ops.tsv or of one that was measured, maybe below comments with #.
func Is(head string) bool {
	for strings.HasPrefix(head, "#") {
		_, head, _ = strings.Cut(head, "\n")
	}
	header, _, _ := strings.Cut(head, "\n")
	columns := strings.Split(strings.TrimSuffix(header, "\r"), "\t")
	return slices.Contains(columns, "op") && (slices.Contains(columns, "chosen_s") || slices.Contains(columns, "start_s"))
}

// float, count and rowsets give the number that a column of ops.tsv holds; nil if it holds none of the sort.
func (o *Op) float(column string) *float64 {
	switch column {
	case "score":
		return &o.Score
	case "memory_percent":
		return &o.MemoryPercent
	case "height_before":
		return &o.HeightBefore
	case "height_after":
		return &o.HeightAfter
	}
	return nil
}

func (o *Op) count(column string) *int64 {
	switch column {
	case "ram_bytes":
		return &o.RAM
	case "wal_bytes":
		return &o.WAL
	case "data_bytes":
		return &o.Data
	case "bytes_read":
		return &o.BytesRead
	case "bytes_written":
		return &o.BytesWritten
	}
	return nil
}

func (o *Op) rowsets(column string) *int {
	switch column {
	case "inputs":
		return &o.Inputs
	case "outputs":
		return &o.Outputs
	}
	return nil
}
