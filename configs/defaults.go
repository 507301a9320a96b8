package configs

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"time"

	"mmsim/rules"
)

const (
	second      = Duration(time.Second)
	mebi        = Bytes(1 << 20)
	baseMachine = "kudu-2core-vm" // of an experiment that names none; all others rest on it
)

// defaultProfile is that of an experiment that names none.
const defaultProfile = "kudu-1.18"

// adopt gives an experiment or a decision what a profile brings with it. A name that is none changes nothing: decoding refuses it.
func adopt(profile string, name *string, set *rules.Set, m *Maintenance) {
	if p, s, ok := rules.Of(profile); ok {
		*name, *set, m.CompactionBudget = p.Name, s, Bytes(p.CompactionBudget)
	}
}

// defaults is an experiment with Kudu's defaults and nothing to do.
func defaults() (Experiment, error) {
	m, err := shippedMachine(baseMachine)
	e := Experiment{
		Kind:        "storage",
		Seed:        1,
		Scale:       1,
		Machine:     m,
		Cluster:     Cluster{Servers: 6, Replication: 3, Placement: "balanced"},
		Server:      defaultServer(),
		Maintenance: defaultMaintenance(),
		Workload:    WorkloadRate{MinInterval: 60 * second, ResetInterval: 300 * second},
		Starvation:  Starvation{After: 600 * second},
		Series:      Series{Interval: 10 * second},
	}
	adopt(defaultProfile, &e.Profile, &e.Rules, &e.Maintenance)
	return e, err
}

func defaultServer() Server {
	return Server{
		RPCServiceThreads: 10,
		RPCQueueLength:    50,
		MemoryLimit:       16 << 10 * mebi,
		MemoryPressure:    60,
		MemorySoftLimit:   80,
		BlockCache:        512 * mebi,
		PageCache:         "warm",
		BaseMemory:        256 * mebi,
		WALSegmentSize:    8 * mebi,
		WALMinSegments:    1,
	}
}

func defaultMaintenance() Maintenance {
	return Maintenance{
		Enabled:             true,
		Threads:             1,
		PollingInterval:     second / 4,
		LogTargetReplaySize: 1024 * mebi,
		DataGCProbability:   0.5,
		FlushThreshold:      1024 * mebi,
		FlushThresholdTime:  120 * second,
		FlushUpperBound:     3600 * second,
		TargetRowsetSize:    32 * mebi,
		RolledBlockRows:     100,
		WeightUnit:          mebi,
		MinimumImprovement:  0.01,
		SmallRowsetTradeoff: 0.009,
		ApproximationRatio:  1.05,
		MinorDeltaMax:       1000,
		MajorDeltaMinRatio:  0.1,
		DeleteOnlyFiles:     1,
		HistoryMaxAge:       168 * 3600 * second,
		UndoGCInitBudget:    second,
		AncientUndoRatio:    0.2,
		DeltaMemoryFactor:   5,
		MinDeltasSize:       64 * mebi,
		PriorityMultiplier:  1.1,
		PriorityRange:       5,
	}
}

// itemDefaults gives what an item of a list starts from, by its type; others start from zero.
var itemDefaults = map[reflect.Type]any{
	reflect.TypeFor[Table]():      Table{Keys: "ycsb", Record: Record{Fields: 10, FieldLength: 100, KeyLength: 23}},
	reflect.TypeFor[DecisionOp](): DecisionOp{Runnable: true, Runs: 1},
	reflect.TypeFor[Client](): Client{
		Threads: 1,
		Workload: Workload{RequestDist: "zipfian", ScanLenDist: "zipfian", MinScanLen: 1, MaxScanLen: 100, UpsertNew: 0.5,
			InsertOrder: "hashed", ZeroPadding: 1, ScanPlace: "first_bucket"},
		Session: Session{BufferOps: 2000, Buffers: 2, FlushInterval: second},
	},
}

// itemDefault gives what an item of a list starts from.
func itemDefault(t reflect.Type) reflect.Value {
	if start, ok := itemDefaults[t]; ok {
		return reflect.ValueOf(start)
	}
	return reflect.Zero(t)
}

// derive fills what defaults to something else in the experiment.
func (e *Experiment) derive() {
	if e.Server.RAM == 0 {
		e.Server.RAM = e.Server.MemoryLimit + e.Server.MemoryLimit/4
	}
	for i := range e.Tables {
		t := &e.Tables[i]
		if t.ID == "" {
			t.ID = fmt.Sprintf("t%d", i)
		}
		if p := &t.Partitions; *p != (Parts{}) {
			p.Hash, p.Ranges = max(p.Hash, 1), max(p.Ranges, 1)
			t.Tablets = cmp.Or(t.Tablets, p.Hash*p.Ranges)
		}
	}
	for i := range e.Phases {
		for j := range e.Phases[i].Clients {
			w := &e.Phases[i].Clients[j].Workload
			w.YCSB, w.YCSBPhase = "", ""
		}
	}
	for i := range e.Policies {
		if e.Policies[i].Name == "" {
			e.Policies[i].Name = e.Policies[i].label()
		}
	}
}

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// label names a line after its policy and parameters: workload-scaled-bound-10.
func (l *Line) label() string {
	text := l.Policy
	if text == "" {
		text = filepath.Base(l.Plugin)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Params)) {
		text += fmt.Sprintf("-%s-%v", name, l.Params[name])
	}
	return safeFrom(text)
}
