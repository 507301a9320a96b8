package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/configs"
	"mmsim/sim/client"
	"mmsim/sim/engine"
	"mmsim/sim/server"
	"mmsim/sim/tablet"
)

// operator carries out the events of a phase, and ends it if it has a duration.
type operator struct {
	world *world
	start engine.Time // of the phase's clients
	end   engine.Time // of the phase; Never = with its last client
	todo  []configs.Event
	fleet *client.Fleet
	loads []*client.Load
	names []string // of the table of each load
}

func newOperator(w *world, p *configs.Phase, start engine.Time) *operator {
	o := &operator{world: w, start: start, end: engine.Never, todo: slices.Clone(p.Events)}
	if p.Duration > 0 {
		o.end = start + ns(p.Duration)
	}
	slices.SortStableFunc(o.todo, func(a, b configs.Event) int { return cmp.Compare(a.After, b.After) })
	for i := range p.Clients {
		o.names = append(o.names, p.Clients[i].Table)
	}
	return o
}

// attend hands the operator the phase's clients. With a duration the phase goes on when they have ended.
func (o *operator) attend(f *client.Fleet, loads []*client.Load) {
	o.fleet, o.loads = f, loads
	if o.end != engine.Never {
		f.Hold()
	}
}

// stops is when the clients of a table are stopped; 0 = never.
func (o *operator) stops(table string) engine.Time {
	for i := range o.todo {
		if e := &o.todo[i]; e.Drop == table {
			return min(o.at(e), o.end)
		}
	}
	if o.end == engine.Never {
		return 0
	}
	return o.end
}

func (o *operator) at(e *configs.Event) engine.Time { return o.start + ns(e.After) }

// next is when the operator acts again.
func (o *operator) next() engine.Time {
	if len(o.todo) == 0 {
		return o.end
	}
	return min(o.at(&o.todo[0]), o.end)
}

// step carries out what is due, and at its end stops the phase.
func (o *operator) step(now engine.Time) error {
	for len(o.todo) > 0 && o.at(&o.todo[0]) <= now {
		e := &o.todo[0]
		o.todo = o.todo[1:]
		if err := o.carryOut(e); err != nil {
			return err
		}
	}
	if now >= o.end {
		o.end = engine.Never
		o.fleet.StopAll()
	}
	return nil
}

// leave carries out what was to happen after the last client's end, and forgets what servers still owe to clients that were stopped.
func (o *operator) leave() error {
	for ; len(o.todo) > 0; o.todo = o.todo[1:] {
		if err := o.carryOut(&o.todo[0]); err != nil {
			return err
		}
	}
	for o.world.events.Len() > 0 {
		o.world.events.Pop()
	}
	return nil
}

// carryOut does on all servers what an event says.
func (o *operator) carryOut(e *configs.Event) error {
	if err := o.switchOps(e.SwitchOn, true); err != nil {
		return err
	}
	if err := o.switchOps(e.SwitchOff, false); err != nil {
		return err
	}
	if e.Manager != "" {
		for _, m := range o.world.managers {
			m.SetEnabled(e.Manager == "on")
		}
		o.world.log.event("maintenance manager %s", e.Manager)
	}
	if e.Drop != "" {
		return o.drop(e.Drop)
	}
	return nil
}

func (o *operator) switchOps(kinds []string, on bool) error {
	if len(kinds) == 0 {
		return nil
	}
	for _, m := range o.world.managers {
		for _, k := range kinds {
			if err := m.Switch(kindOf(k), on); err != nil {
				return fmt.Errorf("switching %s: %w", k, err)
			}
		}
	}
	word := "off"
	if on {
		word = "on"
	}
	o.world.log.event("%s switched %s", strings.Join(kinds, ", "), word)
	return nil
}

// drop ends a table's clients and takes its replicas away: each as soon as none of its ops runs any more.
func (o *operator) drop(name string) error {
	w := o.world
	for i, l := range o.loads {
		if o.names[i] == name {
			o.fleet.Stop(l)
		}
	}
	w.log.event("table %s dropped", name)
	t := &w.cluster.Tables[w.table(name)]
	at, left := w.now, 0
	for number := t.First; number < t.First+t.Tablets; number++ {
		left += len(w.cluster.Tablets[number].Replicas)
	}
	for number := t.First; number < t.First+t.Tablets; number++ {
		for _, p := range w.cluster.Tablets[number].Replicas {
			err := w.managers[p.Server.ID].Unregister(w.now, int32(number), func(now engine.Time) {
				remove(p)
				if left--; left == 0 && now > at {
					w.log.event("the last op on table %s has ended", name)
				}
			})
			if err != nil {
				return fmt.Errorf("dropping table %q: %w", name, err)
			}
		}
	}
	return nil
}

// remove takes a replica off its server.
func remove(p server.Placed) {
	p.Server.Memory.Add(-p.Replica.Memory())
	p.Replica.Clear()
	p.Server.Replicas = slices.DeleteFunc(p.Server.Replicas, func(r *tablet.Replica) bool { return r == p.Replica })
}
