package server

import (
	"math"

	"mmsim/sim/engine"
)

// CPU is a server's cores, shared evenly by the threads that compute on it: as many as there are cores go at full speed, more slow each other down. A
// request's answer must be known when it comes, so it goes on as fast as what it then finds lets it. Maintenance jobs get what that leaves, from moment to
// moment, so that no work is lost or done twice. docs/model.md says how far this is from sharing at every instant.
type CPU struct {
	cores  float64       // what all do together; less than their number where they hinder each other
	now    engine.Time   // until when the jobs have computed
	tick   int64         // ticks until now
	active int           // threads of the foreground that compute now
	rate   int           // how fast they do together, in parts of a core
	change [ticks]change // by tick
	due    int           // changes to come
	owed   engine.Time   // what rounding to ticks has taken from the foreground's computing so far
	debt   float64       // ns of a core that jobs have had beyond what the foreground left
	jobs   []*Job        // maintenance that computes
}

// change is what becomes of active and rate at a tick.
type change struct{ active, rate, count int32 }

// The foreground's threads end at ticks of 32,768 ns; what that adds to one or takes from it is made good by the next. A thread is seen ticks ahead, 67 ms: one
// that computes for longer is counted for so long.
const (
	tickBits = 15
	ticks    = 1 << 11
	parts    = 1 << 16       // of a core
	mostDebt = 50_000_000    // ns
	longest  = 1 << tickBits // ns between looks at a job that others slow down
)

// NewCPU makes idle cores.
func NewCPU(cores float64) CPU { return CPU{cores: cores} }

// slower is how many times as long as alone each of so many threads takes.
func (c *CPU) slower(threads int) float64 { return max(1, float64(threads)/c.cores) }

// slowed is how many times as long as alone one more thread takes that comes now, beside those that compute now and so many others.
func (c *CPU) slowed(now engine.Time, others int) float64 {
	c.pass(now)
	if threads := c.active + len(c.jobs) + others + 1; float64(threads) <= c.cores {
		return 1
	}
	c.compute(now) // some of the jobs may be done
	return c.slower(c.active + len(c.jobs) + others + 1)
}

// occupy has a thread of the foreground, slowed so many times, compute after a wait for what alone is work ns.
func (c *CPU) occupy(now, wait engine.Time, work, slower float64) {
	want := engine.Time(work*slower) + c.owed
	from, first := now, (now+wait)>>tickBits
	if first > c.tick {
		from = first << tickBits
	}
	last := (from + want + 1<<(tickBits-1)) >> tickBits
	if c.owed = 0; last >= c.tick+ticks {
		first, last = min(first, c.tick+ticks-1), c.tick+ticks-1
	} else if c.owed = want; last > first {
		c.owed = want - (last<<tickBits - from)
	}
	if last <= first {
		return
	}
	rate := int32(parts / slower)
	if first == c.tick {
		c.become(now, c.active+1, c.rate+int(rate))
	} else {
		c.at(first, 1, rate)
	}
	c.at(last, -1, -rate)
}

// at notes a change to come.
func (c *CPU) at(tick int64, active, rate int32) {
	x := &c.change[tick%ticks]
	x.active += active
	x.rate += rate
	x.count++
	c.due++
}

// pass lets time pass for the foreground, and for jobs as far as they are slowed.
func (c *CPU) pass(now engine.Time) {
	for c.due > 0 && (c.tick+1)<<tickBits <= now {
		c.tick++
		if x := &c.change[c.tick%ticks]; x.count > 0 {
			c.become(c.tick<<tickBits, c.active+int(x.active), c.rate+int(x.rate))
			c.due -= int(x.count)
			*x = change{}
		}
	}
	c.tick = now >> tickBits
}

// become changes the foreground. Before, jobs compute until then, if they were slowed or are from now on; otherwise there is time for that.
func (c *CPU) become(now engine.Time, active, rate int) {
	if c.debt > 0 || float64(max(active, c.active)+len(c.jobs)) > c.cores {
		c.compute(now)
	}
	c.active, c.rate = active, rate
}

// compute lets the jobs compute until then; those that are done leave the cores to the others.
func (c *CPU) compute(then engine.Time) {
	left := float64(then - c.now)
	c.now = max(c.now, then)
	for left > 0 && len(c.jobs) > 0 {
		least := math.Inf(1)
		for _, j := range c.jobs {
			least = min(least, j.work)
		}
		n := float64(len(c.jobs))
		fair, idle := 1/c.slower(c.active+len(c.jobs)), c.idle()
		long := min(left, least/max(fair, min(1, idle/n))) // none is done before
		each := min(long, max(float64(fair*long), (float64(idle*long)-c.debt)/n))
		c.debt = min(max(0, c.debt+float64(each*n)-float64(idle*long)), mostDebt)
		for _, j := range c.jobs {
			if j.work -= each; j.work < 1e-3 { // what rounding leaves
				j.work = 0
			}
		}
		left -= long
		c.drop()
	}
	if len(c.jobs) == 0 {
		c.debt = 0
	}
}

// idle is what the foreground leaves of the cores; below 0 if it takes more than there is.
func (c *CPU) idle() float64 { return c.cores - float64(c.rate)/parts }

// drop forgets the jobs that are done.
func (c *CPU) drop() {
	n := 0
	for _, j := range c.jobs {
		if j.work > 0 {
			c.jobs[n] = j
			n++
		}
	}
	clear(c.jobs[n:])
	c.jobs = c.jobs[:n]
}

// begin has a job compute.
func (c *CPU) begin(now engine.Time, j *Job) {
	c.pass(now)
	c.compute(now)
	if j.work > 0 {
		c.jobs = append(c.jobs, j)
	}
}

// end has it stop.
func (c *CPU) end(now engine.Time, j *Job) {
	c.pass(now)
	c.compute(now)
	j.work = 0
	c.drop()
}

// computed is the earliest time at which a job can have computed, if nothing else happens; one that is slowed must be asked again then.
func (c *CPU) computed(now engine.Time, j *Job) engine.Time {
	c.pass(now)
	c.compute(now)
	if j.work <= 0 {
		return now
	}
	n := len(c.jobs)
	alone := j.work * c.slower(n)
	if float64(n) > c.idle() || c.debt > 0 {
		alone = max(alone, longest)
	}
	return now + engine.Time(math.Ceil(alone))
}
