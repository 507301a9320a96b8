package folder

import (
	"bufio"

	"mmsim/files"
	"mmsim/results"
)

// seriesHeader names the columns of series.tsv, one interval of one table a line, at_s being the interval's end in seconds of
// simulated time.
const seriesHeader = "at_s\ttable\tscans\tscan_mean_us\tscan_p95_us\trows\trejected\theight\thot_height\trowsets\tmemory_bytes\tredo_files\twal_bytes"

func writeSeries(path string, run *results.Run) error {
	return writeFile(path, files.Series, func(out *bufio.Writer) error {
		out.WriteString(seriesHeader + "\n")
		var r row
		for _, s := range run.Samples {
			r.seconds(s.At)
			r.text(run.Tables[s.Table].Name)
			r.int64(s.Scans)
			r.float(s.ScanMean)
			r.float(s.ScanP95)
			r.int64(s.Rows)
			r.int64(s.Rejected)
			r.float(s.Height)
			r.float(s.HotHeight)
			r.int(s.Rowsets)
			r.int64(s.Memory)
			r.int(s.RedoFiles)
			r.int64(s.WAL)
			r.end(out)
		}
		return nil
	})
}

func readSeries(path string, run *results.Run, each func(results.Sample)) error {
	return readTable(path, seriesHeader, run, func(f *fields) {
		var s results.Sample
		s.At, s.Table = f.seconds(), f.table()
		s.Scans, s.ScanMean, s.ScanP95 = f.int64(), f.float(), f.float()
		s.Rows, s.Rejected = f.int64(), f.int64()
		s.Height, s.HotHeight = f.float(), f.float()
		s.Rowsets, s.Memory = f.int(), f.int64()
		s.RedoFiles, s.WAL = f.int(), f.int64()
		each(s)
	})
}

// serversHeader names the columns of servers.tsv, the state of one server at the end of one interval a line.
const serversHeader = "at_s\tserver\tmemory_bytes\twal_bytes"

func writeServers(path string, run *results.Run) error {
	return writeFile(path, files.Servers, func(out *bufio.Writer) error {
		out.WriteString(serversHeader + "\n")
		var r row
		for _, s := range run.ServerSamples {
			r.seconds(s.At)
			r.int(s.Server)
			r.int64(s.Memory)
			r.int64(s.WAL)
			r.end(out)
		}
		return nil
	})
}

func readServers(path string, run *results.Run, each func(results.ServerSample)) error {
	return readTable(path, serversHeader, run, func(f *fields) {
		each(results.ServerSample{At: f.seconds(), Server: f.int(), Memory: f.int64(), WAL: f.int64()})
	})
}
