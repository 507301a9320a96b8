package sim

import (
	"fmt"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/sim/client"
	"mmsim/sim/engine"
	"mmsim/sim/maintenance"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
	"mmsim/workloads"
)

// world is a cluster with its managers, as one run sees it.
type world struct {
	exp         *configs.Experiment
	replication int // which of several runs with the same seed
	cluster     *server.Cluster
	managers    []*maintenance.Manager
	rows        []client.Rows // of each table so far
	dealt       []int64       // names that were given to threads as ranges of their own, by table
	keys        []*workloads.Keys
	events      engine.Heap
	log         *recorder
	now         engine.Time
}

// newWorld builds the cluster of an experiment. Random streams hang on positions and ids, never on names or the policy, so that every policy
// meets the same cluster and the same requests.
func newWorld(e *configs.Experiment, policy policies.Policy, ranksAll bool, replication int) (*world, error) {
	w := &world{exp: e, replication: replication, rows: make([]client.Rows, len(e.Tables)), dealt: make([]int64, len(e.Tables))}
	w.cluster = &server.Cluster{Costs: serverCosts(&e.Machine)}
	conf := serverConfig(e)
	for id := range e.Cluster.Servers {
		w.cluster.Servers = append(w.cluster.Servers, server.New(id, &conf, w.stream(fmt.Sprintf("server/%d", id), "service")))
	}
	var holding []opening
	for i := range e.Tables {
		tablets, err := w.addTable(i)
		if err != nil {
			return nil, err
		}
		holding = append(holding, tablets...)
	}
	for i := range holding {
		o := &holding[i]
		o.tablet = &w.cluster.Tablets[w.cluster.Tables[w.table(o.Table)].First+o.Initial.Tablet]
	}
	if err := w.open(holding); err != nil {
		return nil, err
	}
	w.log = newRecorder(w)
	ids := w.stream("cluster", "tablet ids")
	order := shuffled(len(w.cluster.Tablets), &ids)
	priority := make([]int32, len(e.Tables))
	for i := range e.Tables {
		priority[i] = int32(e.Tables[i].Priority)
	}
	cfg, costs := managerConfig(e), opCosts(e)
	for _, s := range w.cluster.Servers {
		entity := fmt.Sprintf("server/%d", s.ID)
		w.managers = append(w.managers, maintenance.New(cfg, costs, s, policy, ranksAll, order, priority, w.log, w.stream(entity, "decisions"), w.stream(entity, "op times")))
	}
	return w, nil
}

func (w *world) stream(entity, purpose string) engine.Rand {
	return engine.Stream(w.exp.Seed, w.replication, entity, purpose)
}

// addTable places a table's replicas and tells which tablets hold something at the start.
func (w *world) addTable(i int) (holding []opening, err error) {
	t := &w.exp.Tables[i]
	keys := keysOf(w.exp, t)
	order := keys.Order()
	w.keys = append(w.keys, keys)
	sizes := tableSizes(w.exp, t)
	rand := w.stream(t.ID, "placement")
	place := newPlacement(w.exp.Cluster.Servers, w.exp.Cluster.Placement == "random", &rand)
	w.cluster.Tables = append(w.cluster.Tables, server.Table{First: len(w.cluster.Tablets), Tablets: t.Tablets})
	initial := initialOf(w.exp, t)
	for bucket := range t.Tablets {
		space := newKeySpace(keys, initial[bucket])
		if n := t.Partitions.Ranges; n > 1 {
			space.from, space.width = float64(bucket%n)/float64(n), 1/float64(n)
		}
		if initial[bucket] != nil {
			holding = append(holding, opening{Initial: initial[bucket], space: space})
		}
		number := int32(len(w.cluster.Tablets))
		tab := server.Tablet{Table: int32(i)}
		for n, id := range place.tablet(w.exp.Cluster.Replication) {
			s := w.cluster.Servers[id]
			r := tablet.NewReplica(number, int32(i), int32(bucket), n == 0, sizes, int64(w.exp.Server.WALSegmentSize), order == workloads.Ordered || order == workloads.Appended, space.at,
				w.stream(fmt.Sprintf("%s/tablet/%d/replica/%d", t.ID, bucket, n), "key ranges"))
			tab.Replicas = append(tab.Replicas, server.Placed{Server: s, Replica: r})
			s.Replicas = append(s.Replicas, r)
		}
		w.cluster.Tablets = append(w.cluster.Tablets, tab)
	}
	return holding, nil
}

func (w *world) table(name string) int {
	for i := range w.exp.Tables {
		if w.exp.Tables[i].Name == name {
			return i
		}
	}
	return -1
}
