package oplog

import (
	"math"
	"regexp"
	"strconv"

	"mmsim/results"
)

// reasons are the words in which Kudu's maintenance manager logs why it chose an op, with what their numbers are. Those of Kudu before 1.12
// differ in little.
var reasons = []struct {
	rule  results.Rule
	words *regexp.Regexp
	set   func(o *Op, numbers []string)
}{
	{results.RulePerf, regexp.MustCompile(`^perf score=(\S+)$`),
		func(o *Op, n []string) { o.Score = number(n[1]) }},
	{results.RuleLogGC, regexp.MustCompile(`^free (\d+) bytes of WAL$`),
		func(o *Op, n []string) { o.WAL = count(n[1]) }},
	{results.RuleDataGC, regexp.MustCompile(`^(\d+) bytes on disk$`),
		func(o *Op, n []string) { o.Data = count(n[1]) }},
	{results.RuleLogRetention, regexp.MustCompile(`^(\d+) bytes log retention(?:, and flush (\d+) bytes memory)?$`),
		func(o *Op, n []string) { o.WAL, o.RAM = count(n[1]), count(n[2]) }},
	{results.RuleMemory, regexp.MustCompile(`^under memory pressure \((\S+)% used\), (\d+) bytes log retention, and flush (\d+) bytes memory$`),
		func(o *Op, n []string) { o.MemoryPercent, o.WAL, o.RAM = number(n[1]), count(n[2]), count(n[3]) }},
	{results.RuleMemory, regexp.MustCompile(`^under memory pressure \((\S+)% used, can flush (\d+) bytes\)$`),
		func(o *Op, n []string) { o.MemoryPercent, o.RAM = number(n[1]), count(n[2]) }},
}

// SetReason keeps a logged reason and takes its rule and numbers out of it. It says whether the words are known.
func (o *Op) SetReason(reason string) bool {
	o.Reason = reason
	return o.setReason()
}

func (o *Op) setReason() bool {
	for _, r := range reasons {
		if numbers := r.words.FindStringSubmatch(o.Reason); numbers != nil {
			o.Rule = r.rule
			r.set(o, numbers)
			return true
		}
	}
	return false
}

// number and count read what a reason says; what can't be read is not known.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func count(s string) int64 {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Unseen
	}
	return v
}
