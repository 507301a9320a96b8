package serverlog

import (
	"encoding/json"
	"regexp"
	"strings"

	"mmsim/reading"
	"mmsim/results/oplog"
)

// What the lines that matter say, by the source file that writes them.
var (
	scheduling = regexp.MustCompile(`^P (\S+): Scheduling (\w+Op)\(([^()\t]+)\): ([^\t]+)$`)
	complete   = regexp.MustCompile(`^P (\S+): (\w+Op)\(([^()\t]+)\) complete\. Timing: real ([0-9.]+)s\b.*?(?:Metrics: (.*))?$`)
	notReady   = regexp.MustCompile(`^P (\S+): Prepare failed for (\w+Op)\(([^()]+)\)`)
	becoming   = regexp.MustCompile(`^T (\S+) P (\S+) \[.*\]: Becoming (Leader|Follower)`)
	creating   = regexp.MustCompile(`^Processing CreateTablet for tablet (\S+) \((?:[A-Z_]+ )?table=([^\t]+) \[id=[^\]]*\]\)(?:, partition=(.*))?$`)
	hashBucket = regexp.MustCompile(`^HASH \([^()]*\) PARTITION (\d+)(?:, RANGE \([^()]*\) PARTITION UNBOUNDED)?$`)
)

// begunOp is an op with the line that tells of its beginning.
type begunOp struct {
	oplog.Op
	line    int
	dropped bool // it could not begin
}

// message takes in what a line says; at is ns since the start.
func (in *logReader) message(l logLine, at int64) {
	switch l.file {
	case "maintenance_manager.cc":
		in.manager = true
		in.maintenance(l, at)
	case "tablet.cc":
		if strings.Contains(l.message, "Compaction resulted in no output rows") {
			in.emptied[l.thread] = true
		}
	case "raft_consensus.cc":
		if m := becoming.FindStringSubmatch(l.message); m != nil {
			in.roles[m[1]+" "+m[2]] = map[string]string{"Leader": "yes", "Follower": "no"}[m[3]]
		}
	case "tablet_service.cc":
		in.created(l.message)
	}
}

// maintenance takes in what the maintenance manager says.
func (in *logReader) maintenance(l logLine, at int64) {
	if m := scheduling.FindStringSubmatch(l.message); m != nil {
		in.scheduled(m[1], m[2], m[3], m[4], at)
	} else if m := complete.FindStringSubmatch(l.message); m != nil {
		in.completed(l.thread, m, at)
	} else if m := notReady.FindStringSubmatch(l.message); m != nil {
		in.dropped(m[1], m[2]+"("+m[3]+")")
	} else if strings.Contains(l.message, ": Scheduling ") || strings.Contains(l.message, " complete. Timing") {
		in.warn("this line of the maintenance manager could not be read and was left out: %.80q", l.message)
	}
}

// scheduled begins an op.
func (in *logReader) scheduled(server, kind, tablet, reason string, at int64) {
	o := oplog.NewOp(kind, tablet, at)
	o.Server = in.server(server)
	o.Role = in.roles[tablet+" "+server]
	if !o.SetReason(reason) {
		in.warn("unknown reason for %s(%s), kept as it is: %.80q", kind, tablet, reason)
	}
	key := opKey{o.Server, kind + "(" + tablet + ")"}
	in.running[key] = append(in.running[key], len(in.ops))
	in.ops = append(in.ops, begunOp{Op: o, line: in.n})
}

const longestOp = 1e8 // s: three years

// completed ends an op, of the columns of complete.
func (in *logReader) completed(thread string, m []string, at int64) {
	server, kind, tablet := in.server(m[1]), m[2], m[3]
	seconds, ok := reading.Number(m[4], 0, longestOp)
	if !ok {
		in.warn("%s(%s) took %q s, which is not a number from 0 to %.0f: left as unfinished", kind, tablet, m[4], float64(longestOp))
		return
	}
	ran := int64(seconds*1e3+0.5) * 1e6 // the log has whole ms
	i := in.begun(opKey{server, kind + "(" + tablet + ")"}, at-ran)
	if i < 0 {
		in.warn("%s(%s) ends but did not begin in this log: why it was chosen is not known", kind, tablet)
		o := oplog.NewOp(kind, tablet, at-ran)
		o.Server, o.Role = server, in.roles[tablet+" "+m[1]]
		i = len(in.ops)
		in.ops = append(in.ops, begunOp{Op: o, line: in.n})
	}
	o := &in.ops[i].Op
	o.Ran = ran
	if m[5] != "" {
		in.metrics(o, m[5])
	}
	if in.emptied[thread] {
		o.Outputs = 0
		delete(in.emptied, thread)
	}
}

// begun finds and takes away the running op that began nearest to a time: the same op may run more than once at a time.
func (in *logReader) begun(key opKey, at int64) int {
	running := in.running[key]
	if len(running) == 0 {
		return -1
	}
	best := 0
	for k, i := range running {
		if distance(in.ops[i].Chosen, at) < distance(in.ops[running[best]].Chosen, at) {
			best = k
		}
	}
	i := running[best]
	in.running[key] = append(running[:best:best], running[best+1:]...)
	return i
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// dropped takes away the op chosen last of a name, which could not begin, such as when its tablet was being shut down.
func (in *logReader) dropped(server, name string) {
	key := opKey{in.server(server), name}
	running := in.running[key]
	if len(running) == 0 {
		return // servers that log the choice only afterwards
	}
	last := running[len(running)-1]
	in.running[key] = running[:len(running)-1]
	in.ops[last].dropped = true
	in.warn("%s was chosen but could not begin: left out", name)
}

// metrics takes over what an op counted. bytes_read is what it took from data files, by way of the block cache or not; Kudu's rowset
// compaction reads its inputs twice.
func (in *logReader) metrics(o *oplog.Op, text string) {
	var counted map[string]any
	if err := json.Unmarshal([]byte(text), &counted); err != nil {
		_, field, value, want := reading.JSON([]byte(text), err)
		in.warn("the metrics of %s(%s) could not be read: %s", o.Kind, o.Tablet, strings.TrimSpace(field+" "+value+" "+want))
		return
	}
	number := func(name string) int64 {
		if v, ok := counted[name].(float64); ok && 0 <= v && v <= 1e18 {
			return int64(v)
		}
		return oplog.Unseen
	}
	o.BytesWritten = number("bytes_written")
	o.Inputs, o.Outputs = int(number("num_input_rowsets")), int(number("drs_written"))
	hit, missed := number("cfile_cache_hit_bytes"), number("cfile_cache_miss_bytes")
	if hit != oplog.Unseen || missed != oplog.Unseen {
		o.BytesRead = max(hit, 0) + max(missed, 0)
	}
}

// server numbers the servers in the order in which they appear.
func (in *logReader) server(uuid string) int {
	n, ok := in.servers[uuid]
	if !ok {
		n = len(in.servers)
		in.servers[uuid] = n
	}
	return n
}

// created takes a tablet's table from the line that tells of its creation, and its bucket if one hash is all that partitions it.
func (in *logReader) created(message string) {
	m := creating.FindStringSubmatch(message)
	if m == nil {
		return
	}
	in.names[m[1]] = m[2] + "/" + m[1]
	if bucket := hashBucket.FindStringSubmatch(m[3]); bucket != nil {
		in.names[m[1]] = m[2] + "/" + bucket[1]
	}
}
