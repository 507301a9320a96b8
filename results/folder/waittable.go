package folder

import (
	"bufio"

	"mmsim/files"
	"mmsim/results"
)

// waitsHeader names the columns of waits.tsv, one wait of a maintenance op a line. Times are seconds of simulated time; a wait still
// open at the end has waited until then.
const waitsHeader = "server\top\tsince_s\tuntil_s\twaited_s\toutcome"

func writeWaits(path string, run *results.Run) error {
	return writeFile(path, files.Waits, func(out *bufio.Writer) error {
		out.WriteString(waitsHeader + "\n")
		var r row
		for i := range run.Waits {
			w := &run.Waits[i]
			r.int(w.Server)
			r.opName(w.Kind, run.Tables[w.Table].Name, w.Tablet)
			r.seconds(w.Since)
			r.seconds(w.Until)
			r.seconds(w.Age(run.End))
			r.text(string(w.Outcome))
			r.end(out)
		}
		return nil
	})
}

func readWaits(path string, run *results.Run, each func(results.Wait)) error {
	return readTable(path, waitsHeader, run, func(f *fields) {
		var w results.Wait
		w.Server = f.server(run)
		w.Kind, w.Table, w.Tablet = f.op()
		w.Since, w.Until = f.seconds(), f.seconds()
		f.next() // waited_s follows from the others
		w.Outcome = results.Outcome(f.text())
		each(w)
	})
}
