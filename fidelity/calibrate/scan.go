package calibrate

import (
	"fmt"
	"math"

	"mmsim/configs"
)

// scanPoint is one line of a scan-cost table: the mean of many scans of one tablet.
type scanPoint struct {
	file             string
	line             int
	layout           string
	above, over      float64 // rowsets at or above the start key, and of these those over it; of an equality both are those over the key
	redoFiles        float64 // of the rowset that is read
	server           float64 // ns, mean
	client, p10, p95 float64 // ns
}

var scanColumns = []string{"layout", "height", "rowsets_at_or_above", "predicate", "client_mean_us", "client_p10_us", "client_p95_us", "server_mean_us"}

const redoColumn = "redo_files" // may be left out

// readScans reads a scan-cost table.
func readScans(path string) (points []scanPoint, redo bool, err error) {
	t, err := readTable(path, scanColumns)
	if err != nil {
		return nil, false, err
	}
	for _, r := range t.rows {
		p := scanPoint{file: path, line: r.line, layout: r.text("layout")}
		p.over = r.number("height", 0, 1e6, "a number of rowsets from 0 to 1000000")
		p.above = r.number("rowsets_at_or_above", p.over, 1e6, fmt.Sprintf("a number of rowsets from the height, %v, to 1000000", p.over))
		switch r.text("predicate") {
		case "ge":
		case "eq": // sees only rowsets whose range holds the key
			p.above = p.over
		default:
			r.refuse("predicate", "ge or eq")
		}
		if t.has(redoColumn) {
			p.redoFiles = r.number(redoColumn, 0, 1e6, "a number of REDO files from 0 to 1000000")
			redo = redo || p.redoFiles > 0
		}
		p.server, p.client = r.micros("server_mean_us"), r.micros("client_mean_us")
		p.p10, p.p95 = r.micros("client_p10_us"), r.micros("client_p95_us")
		if *r.err != nil {
			return nil, false, *r.err
		}
		points = append(points, p)
	}
	return points, redo, nil
}

func (p *scanPoint) point(measured float64, x ...float64) Point {
	return Point{File: p.file, Line: p.line, What: fmt.Sprintf("%s, %v of %v rowsets over the key", p.layout, p.over, p.above),
		Measured: measured, Use: Fitted, x: x, settings: []float64{p.over, p.above, p.redoFiles}}
}

var scanSettings = []string{"rowsets over the key", "rowsets at or above it", "REDO files"}

// serverModel is the simulator's service time of a scan without cold reads.
func serverModel(path string, scans []scanPoint, redo bool) *model {
	m := &model{name: "scan, server", source: path, formula: "fixed + iterate * rowsets at or above the key + seek * rowsets over it",
		settings: scanSettings[:2],
		terms: []term{
			{"scan.fixed", "points with several numbers of rowsets"},
			{"scan.iterate", "points over rowsets that lie beside each other (disjoint), with several numbers of them above the key"},
			{"scan.seek", "points over rowsets that lie on each other (stacked), of several heights"},
		}}
	if redo {
		m.formula += " + redo_file * REDO files"
		m.settings = scanSettings
		m.terms = append(m.terms, term{"scan.redo_file", "points with several numbers of REDO files and the same rowsets"})
	}
	for i := range scans {
		p := &scans[i]
		m.points = append(m.points, p.point(p.server, 1, p.above, p.over, p.redoFiles))
	}
	return m
}

// shareModel is a scan's latency, whose part in the server is taken as measured. The base's round trip is taken to be in the rest.
func shareModel(path string, scans []scanPoint, base *configs.Machine) *model {
	m := &model{name: "scan, client", source: path, formula: "server as measured + network.round_trip + client.scan * exp(append_spread^2 / 2)",
		terms: []term{{"network.round_trip", ""}, {"client.scan", "points"}}}
	sigma := base.Client.AppendSpread
	for i := range scans {
		p := &scans[i]
		point := p.point(p.client, 1, math.Exp(sigma*sigma/2)) // client.scan is a median
		point.known = p.server
		if p.client <= p.server {
			point.Use, point.Why = NotUsed, "the client's time is not above the server's"
		}
		m.points = append(m.points, point)
	}
	return m
}

// scanSpread takes the server's sigma from the quantiles of the clients' times at points where the server takes most of the time: what
// the client's share doesn't add to the variance of the sum of two log-normal times is the server's (Fenton 1960). The points' median counts.
func scanSpread(scans []scanPoint, base *configs.Machine) (spread Parameter, used int) {
	const between = 1.2815515655446004 + 1.6448536269514722 // normal quantiles of 10 and 95 %
	var sigmas []float64
	for i := range scans {
		p := &scans[i]
		if p.server < p.client/2 || p.p95 < p.p10 {
			continue
		}
		all := variance(p.client, math.Log(p.p95/p.p10)/between)
		rest := all - variance(max(0, p.client-p.server), base.Client.AppendSpread)
		sigmas = append(sigmas, math.Sqrt(math.Log1p(max(0, rest)/(p.server*p.server))))
	}
	return medianOf("scan.spread", sigmas, base.Scan.Spread), len(sigmas)
}

// variance of a log-normal time.
func variance(mean, sigma float64) float64 { return mean * mean * math.Expm1(sigma*sigma) }
