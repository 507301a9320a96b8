// Package serverlog reads the log of a tablet server: the maintenance ops that it tells of, as an op log.
package serverlog

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"mmsim/configs"
	"mmsim/reading"
	"mmsim/results/oplog"
)

// Log is what a tablet server's INFO log tells of its maintenance ops. Times of the ops are ns since Start.
type Log struct {
	oplog.Log
	Start    time.Time // of the first line, in the server's own time zone, which a log does not name: here as UTC
	Last     time.Time // of the last line
	Version  string    // such as kudu 1.18.1; "" = not told
	Warnings []Warning // in the order of lines
}

// Warning is something that makes an import less than complete.
type Warning struct {
	Line int // of the file
	Text string
}

// Read reads the INFO log of a tablet server, plain or gzipped. The ops come out under the ids of their tablets, or as table/bucket where the
// log tells of the tablet's creation. What was cut off, or could not be understood, is in Warnings.
//
// A file without a single op is refused, and one whose time runs backwards, with a *configs.Problem.
func Read(name string, r io.Reader) (*Log, error) {
	text, err := reading.Plain(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in := logReader{log: &Log{Log: oplog.Log{Name: name, Servers: 1}}, names: map[string]string{},
		servers: map[string]int{}, roles: map[string]string{}, running: map[opKey][]int{}, emptied: map[string]bool{}}
	if err := in.readAll(bufio.NewReaderSize(text, 1<<20)); err != nil {
		if p, ok := errors.AsType[*configs.Problem](err); ok {
			p.File = name
			return nil, p
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := in.finish(); err != nil {
		err.File = name
		return nil, err
	}
	return in.log, nil
}

// logReader takes a log in line by line.
type logReader struct {
	log     *Log
	clock   logClock
	n       int    // lines read
	known   int    // of them that have the form of a log line
	manager bool   // whether a line of the maintenance manager was among them
	cut     bool   // the gzipped data ends early
	host    string // as the head of the log names the machine; "" = not yet

	names   map[string]string // table/bucket by tablet id
	servers map[string]int    // numbers of the servers by their uuid
	roles   map[string]string // of replicas by tablet id and server
	ops     []begunOp         // in the order of their beginning
	running map[opKey][]int   // those that have not ended, as positions in ops
	emptied map[string]bool   // threads whose compaction found nothing left of its rowsets
}

// opKey names an op of one server.
type opKey struct {
	server int
	name   string
}

func (in *logReader) warn(format string, args ...any) {
	in.log.Warnings = append(in.log.Warnings, Warning{in.n, fmt.Sprintf(format, args...)})
}

// readAll reads lines of any length; what is longer than the buffer is no line of the maintenance manager.
func (in *logReader) readAll(r *bufio.Reader) error {
	for skipping := false; ; {
		text, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			skipping = true
			continue
		}
		if len(text) > 0 {
			in.n++
		}
		whole := err == nil
		if whole && !skipping {
			if err := in.line(strings.TrimRight(string(text), "\r\n")); err != nil {
				return err
			}
		}
		skipping = false
		if whole {
			continue
		}
		if len(text) > 0 {
			in.warn("the last line is cut off and was left out")
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			in.cut = true
			in.warn("the gzipped data ends early: what followed is not there")
			return nil
		}
		return fmt.Errorf("after line %d: %w", in.n, reading.Cause(err))
	}
}

// line takes one line in.
func (in *logReader) line(text string) error {
	l, ok := parseLogLine(text)
	if !ok {
		return in.heading(text)
	}
	in.known++
	at, err := in.clock.at(l)
	if err != nil {
		return &configs.Problem{Line: in.n, Allowed: err.Error()}
	}
	if in.known == 1 {
		in.log.Start = at
	}
	in.log.Last = in.clock.latest
	in.message(l, at.Sub(in.log.Start).Nanoseconds())
	return nil
}

// heading looks at lines without a time, which stand in the head of a log.
func (in *logReader) heading(text string) error {
	if created, ok := strings.CutPrefix(text, "Log file created at: "); ok {
		if t, err := time.Parse("2006/01/02 15:04:05", strings.TrimSpace(created)); err == nil {
			in.clock.near = t
		}
	}
	if host, ok := strings.CutPrefix(text, "Running on machine: "); ok {
		return in.machine(strings.TrimSpace(host))
	}
	if strings.HasPrefix(text, "kudu ") && in.log.Version == "" {
		in.log.Version = text
	}
	return nil
}

// machine takes in that a log of this machine begins. Logs of one server may follow each other in one file.
func (in *logReader) machine(host string) error {
	switch {
	case in.host == "":
		in.host = host
	case in.host != host:
		return &configs.Problem{Line: in.n, Field: "machine", Value: host, Allowed: "still " + in.host + ": a file holds the log of one server"}
	case in.known > 0:
		in.warn("another log begins here; it is taken for the same server's next")
	}
	return nil
}

// finish closes the log: what still runs is unfinished.
func (in *logReader) finish() *configs.Problem {
	l := in.log
	end := ""
	if in.cut {
		end = "; its gzipped data ends early"
	}
	in.warnOfUnfinished()
	for i := range in.ops {
		if !in.ops[i].dropped {
			l.Ops = append(l.Ops, in.ops[i].Op)
		}
	}
	switch {
	case in.n == 0:
		return &configs.Problem{Allowed: "the file is empty" + end}
	case in.known == 0:
		return &configs.Problem{Allowed: fmt.Sprintf("not a Kudu log: none of its %d lines begins as its lines do, such as I20261130 20:15:28.261200%s", in.n, end)}
	case len(l.Ops) == 0 && in.manager:
		return &configs.Problem{Allowed: "no whole line in it tells of a maintenance op that ran" + end}
	case len(l.Ops) == 0:
		return &configs.Problem{Allowed: fmt.Sprintf("no maintenance op in its %d lines%s: it takes the INFO log of a tablet server", in.n, end)}
	}
	l.End = l.Last.Sub(l.Start).Nanoseconds()
	l.Servers = max(len(in.servers), 1)
	if l.Servers > 1 {
		in.warn("the log tells of %d servers: it is joined of their logs", l.Servers)
	}
	l.Rename(in.names)
	slices.SortStableFunc(l.Ops, func(a, b oplog.Op) int { return cmp.Compare(a.Chosen, b.Chosen) })
	return nil
}

// warnOfUnfinished names the first few ops that had not ended.
func (in *logReader) warnOfUnfinished() {
	const most = 4
	n := 0
	for i := range in.ops {
		o := &in.ops[i]
		if o.Ran != oplog.Unseen || o.dropped {
			continue
		}
		if n++; n <= most {
			in.log.Warnings = append(in.log.Warnings, Warning{o.line, fmt.Sprintf("%s(%s) has not ended when the log ends", o.Kind, o.Tablet)})
		}
	}
	if n > most {
		in.warn("%d more ops have not ended when the log ends", n-most)
	}
}
