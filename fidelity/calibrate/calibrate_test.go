package calibrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/configs"
)

const (
	scanHeader   = "layout\theight\trowsets_at_or_above\tpredicate\tclient_mean_us\tclient_p10_us\tclient_p95_us\tserver_mean_us"
	insertHeader = "height\tbatch_rows\tapply_us_per_row\twrite_handler_us_per_batch\tapply_queue_us"
	opHeader     = "start_s\top\ttablet\tseconds\tbytes_written\tinput_rowsets"
)

// write puts lines under a header into a file.
func write(t *testing.T, name, header string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(header+"\n"+strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// scanLines measures a made-up machine: 100us fixed, 8us iterate, 15us seek, 20us a REDO file, 200us outside the server.
func scanLines(spread float64, redo bool) (lines []string) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []float64{1, 2, 4, 8, 16, 32, 64} {
		for repeat := range 6 {
			layout, over, files := "stacked", n, 0
			if repeat%2 == 1 {
				layout, over = "disjoint", 1
			}
			if redo {
				files = repeat / 2
			}
			server := (100 + 8*n + 15*over + float64(20*files)) * math.Exp(spread*random.NormFloat64())
			line := fmt.Sprintf("%s\t%v\t%v\tge\t%v\t%v\t%v\t%v", layout, over, n, server+200, server*0.6+200, server*1.7+200, server)
			if redo {
				line += fmt.Sprintf("\t%d", files)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// insertLines measures 400us and 3us a row on the apply thread, 0.7us or 0.3us a lookup, and 90us + 500us + 2us a row in the handler besides.
func insertLines(spread float64) (lines []string) {
	random := rand.New(rand.NewPCG(5, 6))
	for height := range 20 {
		for _, b := range []struct{ rows, bloom float64 }{{100, 0.7}, {1000, 0.3}} {
			apply := (400 + b.rows*(3+b.bloom*float64(height))) * math.Exp(spread*random.NormFloat64())
			handler := apply + (590+2*b.rows)*math.Exp(spread*random.NormFloat64())
			lines = append(lines, fmt.Sprintf("%d\t%v\t%v\t%v\t50", height, b.rows, apply/b.rows, handler+50))
		}
	}
	return lines
}

// opLines logs ops one after the other: flushes of 20 ms + 9 ms a MiB and 50 ms after a compaction, compactions of 100 ms + 10 ms a MiB and 0.3 ms a MiB and input,
// log GCs of 8 ms, with a log-normal factor of mean 1.
func opLines(spread float64) (lines []string) {
	random := rand.New(rand.NewPCG(7, 8))
	for i := range 120 {
		factor := math.Exp(spread*random.NormFloat64() - spread*spread/2)
		kind, ms, written, inputs := "LogGC", 8.0, 0, ""
		switch i % 4 {
		case 0, 1:
			size := 1 + i%19
			kind, ms, written = "FlushMRS", 20+float64(9*size), size<<20
			if i%4 == 0 && i > 0 { // the first follows nothing
				ms += 50
			}
		case 2:
			size, n := 40+i%90, 2+i%13
			kind, ms, written, inputs = "CompactRowSets", 100+float64(size)*(10+0.3*float64(n)), size<<20, fmt.Sprint(n)
		}
		lines = append(lines, fmt.Sprintf("%d\t%s\tt/0\t%.6f\t%d\t%s", 10*i, kind, ms*factor/1000, written, inputs))
	}
	return lines
}

// Costs that made the data lie in their intervals, which are narrow.
func TestRecovers(t *testing.T) {
	in := &Input{Base: "kudu-2core-vm", Name: "made-up", HoldOut: 5,
		Scan:   write(t, "scan.tsv", scanHeader+"\tredo_files", scanLines(0.1, true)...),
		Insert: write(t, "insert.tsv", insertHeader, insertLines(0.1)...),
		Ops:    []string{write(t, "ops.tsv", opHeader, opLines(0.2)...)}}
	r, err := Run(in)
	if err != nil {
		t.Fatal(err)
	}
	truth := map[string]float64{ // ns
		"scan.fixed": 100e3, "scan.iterate": 8e3, "scan.seek": 15e3, "scan.redo_file": 20e3,
		"client.scan":       100e3 * math.Exp(-0.045), // less 100us of round trip; a median
		"write.apply_fixed": 400e3, "write.apply_row": 3e3, "write.bloom": 700, "write.bloom_batch": 300, "write.fixed": 500e3, "write.row": 2e3,
		"op.flush_fixed": 20e6, "op.flush_mib": 9e6, "op.flush_sync": 50e6, "op.compact_fixed": 100e6, "op.compact_mib": 10e6, "op.compact_input_mib": 0.3e6, "op.log_gc": 8e6,
	}
	found := 0
	for _, f := range r.Fits {
		for _, p := range f.Parameters {
			found++
			if want := truth[p.Name]; want < p.Low || want > p.High {
				t.Errorf("%s: %v to %v, want %v inside", p.Name, p.Low, p.High, want)
			}
		}
		if f.MedianError > 0.2 || f.HeldOutError > 0.25 || f.Count(HeldOut) != (f.Count(HeldOut)+f.Count(Fitted))/5 {
			t.Errorf("%s: median error %v, of %d held out %v", f.Name, f.MedianError, f.Count(HeldOut), f.HeldOutError)
		}
	}
	if found != len(truth) {
		t.Errorf("%d parameters, want %d", found, len(truth))
	}
	if s := r.Machine.Op.Spread; s < 0.15 || s > 0.25 {
		t.Errorf("op.spread %v, want about 0.2", s)
	}
}

// The sigma of the server's factor is what the client's share leaves: here the share has none but the base's.
func TestScanSpread(t *testing.T) {
	base := configs.Machine{}
	const sigma, z10, z95 = 0.4, -1.2815515655446004, 1.6448536269514722
	var scans []scanPoint
	for i := range 6 {
		server := float64(100 * (i + 1))
		at := func(z float64) float64 { return server * math.Exp(sigma*z-sigma*sigma/2) }
		scans = append(scans, scanPoint{server: server, client: server, p10: at(z10), p95: at(z95)})
	}
	if p, used := scanSpread(scans, &base); used != 6 || math.Abs(p.Value-sigma) > 1e-9 {
		t.Errorf("%v of %d points, want %v of 6", p.Value, used, sigma)
	}
}

func TestRefuses(t *testing.T) {
	stacked := func(n float64) string { return scanLine("stacked", n, n) }
	batch := func(height, rows float64) string {
		return fmt.Sprintf("%v\t%v\t%v\t%v\t0", height, rows, 4+height/2, (10+height/2)*rows+1000)
	}
	op := func(kind string, mib, inputs int, seconds float64) string {
		return fmt.Sprintf("%v\t%s\tt/0\t%v\t%d\t%d", 100*float64(mib)+float64(inputs), kind, seconds, mib<<20, inputs)
	}
	for _, c := range []struct {
		name, header string
		lines        []string
		want         string // after the file's name
	}{
		{"one height", scanHeader, []string{stacked(3), stacked(3), stacked(3), stacked(3), stacked(3)},
			"scan.fixed, scan.iterate, scan.seek cannot be identified: all points have 3 rowsets over the key and all points have 3 rowsets at or above it; want points with several numbers of rowsets; points over rowsets that lie beside"},
		{"only stacked", scanHeader, []string{stacked(1), stacked(2), stacked(3), stacked(4), stacked(8)},
			"scan.iterate, scan.seek cannot be identified: what they multiply changes together in all points; want points over rowsets that lie beside each other (disjoint)"},
		{"only disjoint", scanHeader, []string{scanLine("disjoint", 1, 1), scanLine("disjoint", 1, 2), scanLine("disjoint", 1, 3), scanLine("disjoint", 1, 9), scanLine("disjoint", 1, 4)},
			"scan.fixed, scan.seek cannot be identified: all points have 1 rowsets over the key; want"},
		{"few points", scanHeader, []string{stacked(1), stacked(2)}, "scan.fixed cannot be identified: there are 2 usable points, want at least 5"},
		{"one batch size", insertHeader, []string{batch(0, 100), batch(1, 100), batch(2, 100), batch(3, 100), batch(4, 100), batch(5, 100)},
			"write.apply_fixed, write.apply_row, write.bloom_batch cannot be identified: all points have 100 rows a batch; want batches of several sizes"},
		{"one insert height", insertHeader, []string{batch(4, 100), batch(4, 1000), batch(4, 100), batch(4, 1000), batch(4, 100), batch(4, 1000)},
			"write.apply_fixed, write.apply_row, write.bloom, write.bloom_batch cannot be identified: all points have 4 rowsets in height; want"},
		{"one flush size", opHeader, []string{op("FlushMRS", 4, 0, 0.1), op("FlushMRS", 4, 0, 0.11), op("FlushMRS", 4, 0, 0.12), op("FlushMRS", 4, 0, 0.13)},
			"op.flush_fixed, op.flush_mib cannot be identified: all points have 4.194304e+06 bytes written; want flushes of several sizes"},
		{"one number of inputs", opHeader, []string{op("CompactRowSets", 4, 3, 0.1), op("CompactRowSets", 5, 3, 0.11), op("CompactRowSets", 6, 3, 0.12), op("CompactRowSets", 7, 3, 0.13), op("CompactRowSets", 8, 3, 0.13)},
			"op.compact_mib, op.compact_input_mib cannot be identified: all points have 3 inputs; want compactions of several sizes, and of several numbers of inputs; compactions of several numbers"},
		{"hardly any range", opHeader, []string{op("FlushMRS", 100, 0, 0.1), op("FlushMRS", 101, 0, 0.3), op("FlushMRS", 102, 0, 0.12), op("FlushMRS", 103, 0, 0.2), op("FlushMRS", 104, 0, 0.1)},
			"op.flush_fixed cannot be identified: its 95 % interval reaches up to"},
		{"nothing that is fitted", opHeader, []string{op("FlushDeltaMemStores", 1, 0, 1)}, "no op whose cost can be fitted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "points.tsv", c.header, c.lines...)
			expect(t, inputOf(path, c.header), path+": "+c.want)
		})
	}
}

func scanLine(layout string, over, above float64) string {
	server := 100 + 8*above + 15*over
	return fmt.Sprintf("%s\t%v\t%v\tge\t%v\t%v\t%v\t%v", layout, over, above, server+200, server+100, server+400, server)
}

func inputOf(path, header string) *Input {
	in := &Input{Base: "kudu-2core-vm", Name: "m"}
	switch header {
	case scanHeader:
		in.Scan = path
	case insertHeader:
		in.Insert = path
	default:
		in.Ops = []string{path}
	}
	return in
}

// expect wants an error that begins with a text.
func expect(t *testing.T, in *Input, want string) {
	t.Helper()
	_, err := Run(in)
	if err == nil {
		t.Fatalf("no error, want %s", want)
	}
	if !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestBadInput(t *testing.T) {
	scan := "stacked\t1\t1\tge\t400\t300\t500\t"
	insert := "0\t100\t5\t2000\t30"
	op := "0\tFlushMRS\tt/0\t"
	for _, c := range []struct{ name, header, text, want string }{
		{"not a number", scanHeader, scan + "fast", `:2: server_mean_us: "fast" is not a number of microseconds from 0.001 to 1e12`},
		{"NaN", scanHeader, scan + "NaN", `:2: server_mean_us: "NaN" is not a number of microseconds from 0.001 to 1e12`},
		{"infinite", scanHeader, scan + "+Inf", `:2: server_mean_us: "+Inf" is not a number`},
		{"negative", scanHeader, scan + "100\n" + scan + "-3", `:3: server_mean_us: "-3" is not a number of microseconds from 0.001 to 1e12`},
		{"zero", scanHeader, scan + "0", `:2: server_mean_us: "0" is not a number of microseconds from 0.001 to 1e12`},
		{"empty cell", scanHeader, scan, ":2: server_mean_us is missing or empty: want a number of microseconds from 0.001 to 1e12"},
		{"predicate", scanHeader, "stacked\t1\t1\tlt\t400\t300\t500\t100", `:2: predicate: "lt" is not ge or eq`},
		{"lower than high", scanHeader, "stacked\t3\t1\tge\t400\t300\t500\t100", `:2: rowsets_at_or_above: "1" is not a number of rowsets from the height, 3, to 1000000`},
		{"columns", scanHeader, "stacked\t3", ":2: 2 columns, want 8 as in the header"},
		{"batch", insertHeader, "0\t0\t5\t2000\t30", `:2: batch_rows: "0" is not a number of rows from 1 to 10000000`},
		{"negative wait", insertHeader, insert + "\n" + "0\t100\t5\t2000\t-1", `:3: apply_queue_us: "-1" is not a number of microseconds, at least 0`},
		{"seconds", opHeader, op + "soon\t1\t", `:2: seconds: "soon" is not a number of seconds from 0 to 1e6, or "unfinished" for an op that still ran`},
		{"bytes", opHeader, op + "1\t-1\t", `:2: bytes_written: "-1" is not a number from 0 to 1e15`},
		{"a server's log", "Log file created at: 2026/11/30 21:12:58", "", ":1: a server's log: mmsim import kudu-log makes an op log of it"},
		{"only a header", opHeader, "", ": empty: want a header with columns start_s, op,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "bad.tsv", c.header, c.text)
			expect(t, inputOf(path, c.header), path+c.want)
		})
	}
	for _, c := range []struct{ name, text, want string }{
		{"no file content", "", ": empty: want a header with columns layout, height,"},
		{"no such column", strings.Replace(scanHeader, "server_mean_us", "mean", 1) + "\n", ":1: column server_mean_us is missing or empty: want columns layout, height,"},
		{"twice", scanHeader + "\theight\n", `:1: header: "height" is not a column of its own: it stands there twice`},
		{"gzip", "\x1f\x8b\x08\x00", ":1: gzipped: want plain text with tabs between columns; unpack it first"},
		{"NUL", scanHeader + "\n\x00", ":2: not text: it holds a NUL byte"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "bad.tsv", strings.TrimSuffix(c.text, "\n"))
			expect(t, &Input{Base: "kudu-2core-vm", Scan: path}, path+c.want)
		})
	}
	path := write(t, "ops.tsv", "server\top\tchosen_s\tinputs\tbytes_written")
	expect(t, inputOf(path, opHeader), path+":1: column ran_s is missing or empty: want columns server, op, chosen_s, ran_s, inputs, bytes_written")
	expect(t, &Input{Base: "kudu-2core-vm", Keep: []string{"op.flush"}}, `--keep: parameter: "op.flush" is not a time of a machine, such as op.flush_fixed, or one of core_worth, client.warm_up, client.warm_up_ops`)
	expect(t, &Input{Base: "kudu-2core-vm", Scan: "none.tsv"}, "none.tsv: no such file or directory")
	expect(t, &Input{Base: "kudu-3core-vm"}, `--base:`)
}

// Ops that say nothing about costs are left out, and say why.
func TestOpsNotUsed(t *testing.T) {
	lines := opLines(0.2)
	path := write(t, "ops.tsv", opHeader, append(lines,
		"2000\tFlushMRS\tt/0\t0.100\t0\t",
		"2010\tFlushMRS\tt/0\t10.0\t1048576\t",
		"2012\tFlushMRS\tt/1\t10.0\t1048576\t",
		"2030\tFlushMRS\tt/0\tunfinished\t\t",
		"2050\tFlushMRS\tt/0\t1e-300\t1048576\t",
		"2060\tFlushMRS\tt/0\t1e-10\t1048576\t")...)
	r, err := Run(inputOf(path, opHeader))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range r.Fits[0].Points {
		if p.Use == NotUsed {
			got = append(got, fmt.Sprintf("%d %s", p.Line, p.Why))
		}
	}
	want := "122 it found nothing to do|123 another op ran beside it|124 another op ran beside it|125 it still ran at the end of the log|" +
		"126 it took less than a clock can tell|127 it took less than a clock can tell"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

// An op log that is given twice would count twice: under its own name, another one, or as a copy.
func TestLogGivenTwice(t *testing.T) {
	lines := opLines(0.2)
	path := write(t, "ops.tsv", opHeader, lines...)
	dir := t.TempDir()
	link, hard := filepath.Join(dir, "link.tsv"), filepath.Join(dir, "hard.tsv")
	if err := errors.Join(os.Symlink(path, link), os.Link(path, hard)); err != nil {
		t.Skip(err)
	}
	for _, again := range []string{path, link, hard, write(t, "copy.tsv", opHeader, lines...)} {
		in := inputOf(path, opHeader)
		in.Ops = append(in.Ops, again)
		want := fmt.Sprintf("--ops: file: %q is not another log than %s: it holds the same, which would count twice", again, path)
		if _, err := Run(in); err == nil || err.Error() != want && !strings.Contains(err.Error(), "...\" is not another log") {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// What is kept stays as the base has it, and the rest is fitted around it.
func TestKeep(t *testing.T) {
	path := write(t, "ops.tsv", opHeader, opLines(0)...)
	in := inputOf(path, opHeader)
	in.Base = write(t, "base.yaml", "name: base\nop: {flush_fixed: 18ms, flush_sync: 50ms, compact_fixed: 100ms, compact_mib: 10ms, compact_input_mib: 0.27ms}")
	in.Keep = []string{"op.compact_fixed", "op.compact_mib", "op.compact_input_mib", "op.flush_fixed", "op.flush_sync"} // 18ms, and 20ms in the log
	r, err := Run(in)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Fits[0]; len(r.Fits) != 2 || len(f.Parameters) != 1 || f.Parameters[0].Name != "op.flush_mib" || math.Abs(f.Parameters[0].Value-9.2e6) > 0.1e6 {
		t.Errorf("%d fits, the first of %+v", len(r.Fits), f.Parameters)
	}
	if o := r.Machine.Op; o.FlushFixed.String() != "18ms" || o.CompactMiB.String() != "10ms" {
		t.Errorf("flush_fixed %v, compact_mib %v, want 18ms and 10ms", o.FlushFixed, o.CompactMiB)
	}
}

// A run's own op log has other columns and names. Ops of other servers don't run beside each other.
func TestRunLog(t *testing.T) {
	lines := []string{}
	for i := range 12 {
		server, mib := i%2, 1+i
		lines = append(lines, fmt.Sprintf("%d\tFlushMRSOp(a/%d)\t%d\t%v\t0\t%d", server, i, i/2*100, 0.02+0.01*float64(mib), mib<<20))
	}
	path := write(t, "ops.tsv", "server\top\tchosen_s\tran_s\tinputs\tbytes_written", append(lines, "0\tFlushMRSOp(a/0)\t9000\t\t0\t0")...)
	r, err := Run(&Input{Base: "kudu-2core-vm", Ops: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Fits[0]; f.Count(Fitted) != 12 || f.Count(NotUsed) != 1 {
		t.Errorf("%d fitted, %d not used, want 12 and 1", f.Count(Fitted), f.Count(NotUsed))
	}
	if o := r.Machine.Op; o.FlushFixed.String() != "20ms" || o.FlushMiB.String() != "10ms" {
		t.Errorf("flush_fixed %v, flush_mib %v, want 20ms and 10ms", o.FlushFixed, o.FlushMiB)
	}
}

// The tables of a real server: the fit agrees with plain least squares of each series, and half of the points are within 10 %.
func TestMeasured(t *testing.T) {
	r, err := Run(&Input{Base: "kudu-2core-vm", Name: "measured", Scan: "testdata/scan-cost.tsv", Insert: "testdata/insert-cost.tsv",
		Ops: []string{"testdata/ops.tsv", "testdata/flushes.tsv"}, Keep: []string{"op.flush_fixed"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Fits[:4] {
		if f.MedianError > 0.1 {
			t.Errorf("%s: median error %.3f, want at most 0.1", f.Name, f.MedianError)
		}
	}
	s, w := r.Machine.Scan, r.Machine.Write
	us := func(d configs.Duration) float64 { return float64(d) / 1000 }
	scan, insert := "testdata/scan-cost.tsv", "testdata/insert-cost.tsv"
	for _, c := range []struct {
		name             string
		intercept, slope float64
		points           [][2]float64
	}{
		{"disjoint", us(s.Fixed) + us(s.Seek), us(s.Iterate), series(t, scan, "rowsets_at_or_above", "server_mean_us", "layout=disjoint", "predicate=ge", "limit=20")},
		{"stacked", us(s.Fixed), us(s.Iterate) + us(s.Seek), series(t, scan, "height", "server_mean_us", "layout=stacked", "predicate=ge", "limit=20")},
		{"batches of 100", us(w.ApplyFixed)/100 + us(w.ApplyRow), us(w.Bloom), series(t, insert, "height", "apply_us_per_row", "batch_rows=100")},
		{"batches of 1000", us(w.ApplyFixed)/1000 + us(w.ApplyRow), us(w.BloomBatch), series(t, insert, "height", "apply_us_per_row", "batch_rows=1000")},
	} {
		line(t, c.name, c.points, c.intercept, c.slope)
	}
}

// series reads the points of a table that have certain settings.
func series(t *testing.T, path, x, y string, settings ...string) (points [][2]float64) {
	t.Helper()
	table, err := readTable(path, []string{x, y})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.rows {
		meant := true
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			meant = meant && r.text(name) == value
		}
		if meant {
			points = append(points, [2]float64{r.number(x, 0, 1e9, ""), r.number(y, 0, 1e9, "")})
		}
	}
	return points
}

// line wants intercept and slope inside the 95 % intervals of ordinary least squares.
func line(t *testing.T, name string, points [][2]float64, intercept, slope float64) {
	t.Helper()
	n := float64(len(points))
	var sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := p[0], p[1]
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	b := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	a := (sy - b*sx) / n
	rest := 0.0
	for _, p := range points {
		rest += math.Pow(p[1]-a-b*p[0], 2)
	}
	sigma := math.Sqrt(rest / (n - 2))
	slopeError := sigma / math.Sqrt(sxx-sx*sx/n)
	q := studentT(len(points) - 2)
	t.Logf("%s: %.2f + %.3f x, fitted %.2f + %.3f x", name, a, b, intercept, slope)
	if half := q * slopeError; math.Abs(slope-b) > half {
		t.Errorf("%s: slope %.3f, want %.3f +- %.3f", name, slope, b, half)
	}
	if half := q * slopeError * math.Sqrt(sxx/n); math.Abs(intercept-a) > half {
		t.Errorf("%s: intercept %.3f, want %.3f +- %.3f", name, intercept, a, half)
	}
}

// What is written is a machine by itself, with the values that were fitted.
func TestYAML(t *testing.T) {
	r, err := Run(&Input{Base: "review-15995", Name: "measured", Scan: "testdata/scan-cost.tsv"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name: measured\n", "factor: 1\n", "devices: 12 # of review-15995\n", "iterate: 8.31us # fitted to 39 points: 6.9us to 9.73us\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	path := write(t, "measured.yaml", string(text))
	m, err := baseMachine(path)
	if err != nil {
		t.Fatal(err)
	}
	if m != r.Machine {
		t.Errorf("read again it is\n%+v\nnot\n%+v", m, r.Machine)
	}
}

func TestJSON(t *testing.T) {
	r, err := Run(&Input{Base: "kudu-2core-vm", Name: "measured", Insert: "testdata/insert-cost.tsv", HoldOut: 4})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if f := back.Fits[0]; f.Count(HeldOut) != 10 || f.HeldOutError == 0 || f.Points[0].Fit == 0 || f.Points[0].Line != 2 {
		t.Errorf("got %+v", f)
	}
}
