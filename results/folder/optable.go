package folder

import (
	"bufio"

	"mmsim/files"
	"mmsim/results"
	"mmsim/results/oplog"
)

func writeOps(path string, run *results.Run) error {
	return writeFile(path, files.Ops, func(out *bufio.Writer) error {
		out.WriteString(oplog.Header + "\n")
		var r row
		for i := range run.Ops {
			r.op(run, &run.Ops[i])
			r.end(out)
		}
		return nil
	})
}

func (r *row) op(run *results.Run, o *results.Op) {
	r.int(o.Server)
	r.opName(o.Kind, run.Tables[o.Table].Name, o.Tablet)
	r.role(o.Leader)
	r.seconds(o.Since)
	r.seconds(o.Chosen)
	r.seconds(o.Chosen - o.Since)
	if o.End < 0 {
		r.text("")
	} else {
		r.seconds(o.End - o.Chosen)
	}
	r.text(string(o.Rule))
	*r = append(o.AppendReason(*r), '\t')
	r.float(o.Perf)
	r.float(o.Score)
	r.float(o.ScansPS)
	r.float(o.RowsPS)
	r.int64(o.RAM)
	r.int64(o.WAL)
	r.int64(o.Data)
	r.float(o.MemoryPercent)
	r.int(o.Candidates)
	r.text(o.RunnerUp)
	r.float(o.RunnerScore)
	r.text(o.Longest)
	r.seconds(o.LongestWait)
	r.int(o.Inputs)
	r.int(o.Outputs)
	r.int64(o.BytesRead)
	r.int64(o.BytesWritten)
	r.float(o.HeightBefore)
	r.float(o.HeightAfter)
}

func (r *row) opName(kind, table string, tablet int) {
	*r = append(append(append(append(*r, kind...), '('), table...), '/')
	r.int(tablet)
	*r = append((*r)[:len(*r)-1], ')', '\t')
}

func (r *row) role(leader bool) {
	if leader {
		r.text("yes")
	} else {
		r.text("no")
	}
}

func readOps(path string, run *results.Run, each func(results.Op)) error {
	return readTable(path, oplog.Header, run, func(f *fields) {
		var o results.Op
		o.Server = f.server(run)
		o.Kind, o.Table, o.Tablet = f.op()
		o.Leader = f.next() == "yes"
		o.Since = f.seconds()
		o.Chosen = f.seconds()
		f.next() // waited_s follows from the two before
		o.End = f.endOf(o.Chosen)
		o.Rule = results.Rule(f.text())
		f.next() // reason follows from the figures
		o.Perf, o.Score, o.ScansPS, o.RowsPS = f.float(), f.float(), f.float(), f.float()
		o.RAM, o.WAL, o.Data, o.MemoryPercent = f.int64(), f.int64(), f.int64(), f.float()
		o.Candidates, o.RunnerUp, o.RunnerScore = f.int(), f.text(), f.float()
		o.Longest, o.LongestWait = f.text(), f.seconds()
		o.Inputs, o.Outputs, o.BytesRead, o.BytesWritten = f.int(), f.int(), f.int64(), f.int64()
		o.HeightBefore, o.HeightAfter = f.float(), f.float()
		each(o)
	})
}

// endOf reads ran_s.
func (f *fields) endOf(chosen int64) int64 {
	ran := f.next()
	if ran == "" {
		return -1
	}
	ns, err := results.ParseSeconds(ran)
	f.fail(err)
	return chosen + ns
}
