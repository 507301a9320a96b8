package sim

import (
	"fmt"

	"mmsim/configs"
	"mmsim/policies"
	"mmsim/sim/engine"
	"mmsim/sim/maintenance"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// historyOpening is how long tablets took to open, and how much of it their threads waited for the manager.
type historyOpening struct {
	tablets     int
	all, waited engine.Time
}

// bootstrap opens the experiment's tablets on a server whose manager runs already: each of some threads reads a tablet and then registers it, one after the
// other. Beside the experiment's keys it takes `bootstrap: {threads, read}`.
func (s *scenario) bootstrap(input string) (outcome, error) {
	e, extra, err := s.experiment(input, "bootstrap")
	if err != nil {
		return nil, err
	}
	own, _ := extra["bootstrap"].(map[string]any)
	threads, _ := own["threads"].(int)
	read := timeOf(own["read"])
	if threads == 0 || read == 0 {
		return nil, fmt.Errorf("bootstrap: %v has no threads, or no time to read a tablet", own)
	}
	return opened(e, threads, read)
}

// opened plays the threads beside the manager's loop.
func opened(e *configs.Experiment, threads int, read engine.Time) (*historyOpening, error) {
	policy, err := policyOf(e.Policies[0].Policy, e.Policies[0].Params)
	if err != nil {
		return nil, err
	}
	w, err := newWorld(e, policy, false, 0)
	if err != nil {
		return nil, err
	}
	replicas := w.cluster.Servers[0].Replicas
	m := emptyManager(w, policy)
	out := &historyOpening{tablets: len(replicas)}
	due := make([]engine.Time, min(threads, len(replicas))) // when each thread has read its tablet
	opens := make([]*tablet.Replica, len(due))
	for i := range due {
		due[i], opens[i], replicas = read, replicas[0], replicas[1:]
	}
	for left := len(due); left > 0; {
		first := 0
		for i := range due {
			if due[i] < due[first] {
				first = i
			}
		}
		if m.Next() <= due[first] {
			if err := m.Step(m.Next()); err != nil {
				return nil, err
			}
			continue
		}
		at, err := m.Register(due[first], opens[first])
		if err != nil {
			return nil, err
		}
		out.waited += at - due[first]
		out.all = max(out.all, at)
		if len(replicas) == 0 {
			due[first] = engine.Never
			left--
			continue
		}
		due[first], opens[first], replicas = at+read, replicas[0], replicas[1:]
	}
	return out, nil
}

// emptyManager makes a manager for a server of its own, which has no tablets yet.
func emptyManager(w *world, policy policies.Policy) *maintenance.Manager {
	conf := serverConfig(w.exp)
	srv := server.New(0, &conf, w.stream("server/0", "service"))
	order := make([]int32, len(w.cluster.Tablets))
	for i := range order {
		order[i] = int32(i)
	}
	return maintenance.New(managerConfig(w.exp), opCosts(w.exp), srv, policy, false, order, make([]int32, len(w.exp.Tables)), w.log,
		w.stream("server/0", "decisions"), w.stream("server/0", "op times"))
}

func (o *historyOpening) String() string { return fmt.Sprintf("%d tablets opened", o.tablets) }

func (o *historyOpening) value(words []string) (float64, error) {
	switch what := words[len(words)-1]; what {
	case "seconds":
		return float64(o.all) / 1e9, nil
	case "waited_s":
		return float64(o.waited) / 1e9, nil
	default:
		return 0, fmt.Errorf("%q is not known of tablets that open", what)
	}
}
