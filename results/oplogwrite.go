package results

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"
)

// Write writes the ops in the format of a run's ops.tsv. What is not known is left empty.
func (l *OpLog) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString(opsHeader + "\n")
	columns := strings.Split(opsHeader, "\t")
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
func (o *LoggedOp) cell(column string) string {
	switch column {
	case "server":
		return strconv.Itoa(o.Server)
	case "op":
		return o.Kind + "(" + o.Tablet + ")"
	case "leader":
		return o.Role
	case "chosen_s":
		return string(AppendSeconds(nil, o.Chosen))
	case "ran_s":
		if o.Ran >= 0 {
			return string(AppendSeconds(nil, o.Ran))
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
