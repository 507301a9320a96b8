package oplog

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"mmsim/results"
)

// Write writes the ops in the format of a run's ops.tsv. What is not known is left empty.
func (l *Log) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString(Header + "\n")
	columns := strings.Split(Header, "\t")
	for i := range l.Ops {
		for k, column := range columns {
			if k > 0 {
				out.WriteByte('\t')
			}
			out.WriteString(l.Ops[i].cell(column))
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// cell gives the text of a column of ops.tsv.
func (o *Op) cell(column string) string {
	switch column {
	case "server":
		return strconv.Itoa(o.Server)
	case "op":
		return o.Kind + "(" + o.Tablet + ")"
	case "leader":
		return o.Role
	case "chosen_s":
		return string(results.AppendSeconds(nil, o.Chosen))
	case "ran_s":
		if o.Ran >= 0 {
			return string(results.AppendSeconds(nil, o.Ran))
		}
	case "rule":
		return string(o.Rule)
	case "reason":
		return o.Reason
	}
	if f := o.float(column); f != nil && !math.IsNaN(*f) {
		return strconv.FormatFloat(*f, 'g', -1, 64)
	}
	if n := o.count(column); n != nil && *n != Unseen {
		return strconv.FormatInt(*n, 10)
	}
	if n := o.rowsets(column); n != nil && *n != Unseen {
		return strconv.Itoa(*n)
	}
	return ""
}
