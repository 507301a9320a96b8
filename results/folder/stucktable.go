package folder

import (
	"bufio"

	"mmsim/files"
	"mmsim/results"
)

// stuckHeader names the columns of stuck.tsv, one compaction that was stuck at the end a line. for_s is up to the end.
const stuckHeader = "server\top\tleader\theight\trowsets\tstate\twhy\tsince_s\tfor_s"

func writeStuck(path string, run *results.Run) error {
	return writeFile(path, files.Stuck, func(out *bufio.Writer) error {
		out.WriteString(stuckHeader + "\n")
		var r row
		for i := range run.Stuck {
			s := &run.Stuck[i]
			r.int(s.Server)
			r.opName("CompactRowSetsOp", run.Tables[s.Table].Name, s.Tablet)
			r.role(s.Leader)
			r.float(s.Height)
			r.int(s.Rowsets)
			r.text(s.Why.State())
			r.text(string(s.Why))
			r.seconds(s.Since)
			r.seconds(run.End - s.Since)
			r.end(out)
		}
		return nil
	})
}

func readStuck(path string, run *results.Run, each func(results.Stuck)) error {
	return readTable(path, stuckHeader, run, func(f *fields) {
		var s results.Stuck
		s.Server = f.int()
		_, s.Table, s.Tablet = f.op()
		s.Leader = f.next() == "yes"
		s.Height, s.Rowsets = f.float(), f.int()
		f.next() // the state follows from why
		s.Why, s.Since = results.Why(f.text()), f.seconds()
		f.next() // for_s follows from since
		each(s)
	})
}
