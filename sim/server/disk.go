package server

import (
	"math"

	"mmsim/sim/engine"
)

// Disk is a server's storage and the cores that maintenance has: one bandwidth, shared evenly by the running maintenance ops after what
// the WAL and cold reads take. An op also computes, which goes on beside; it ends when both are done.
type Disk struct {
	bytesPerNs float64 // of all devices together
	devices    float64
	stripes    float64 // devices that hold one op's files
	cores      float64 // that ops share evenly, at most one each; 0 = as many as there are ops
	last       engine.Time
	debt       float64 // bytes of WAL writes and cold reads since last
	unsynced   float64 // bytes from before the start that the first op must wait for
	jobs       []*Job
}

// Job is one maintenance op's work on a server.
type Job struct {
	disk float64 // bytes still to read and write
	work float64 // ns of one core's computing still to do
}

// NewDisk makes the disk of a server.
func NewDisk(c *Config) Disk {
	return Disk{bytesPerNs: c.Bandwidth / 1e9, devices: float64(c.Devices), stripes: float64(min(c.Stripes, c.Devices)), cores: c.OpCores, unsynced: float64(c.Unsynced)}
}

// Take charges foreground work to the disk.
func (d *Disk) Take(bytes int64) { d.debt += float64(bytes) }

// TakeDevice charges a random read by the time it holds one device.
func (d *Disk) TakeDevice(t engine.Time) { d.debt += float64(t) * d.bytesPerNs / d.devices }

// Share is the share of the devices that maintenance ops are on.
func (d *Disk) Share() float64 { return min(1, float64(d.Busy())*d.stripes/d.devices) }

// Busy is the number of jobs that still need the disk.
func (d *Disk) Busy() int {
	n := 0
	for _, j := range d.jobs {
		if j.disk > 0 {
			n++
		}
	}
	return n
}

// Start adds a job that moves bytes and beside it computes for cpu. The first that writes syncs what was written before the start, too.
func (d *Disk) Start(now engine.Time, bytes int64, cpu engine.Time) *Job {
	d.advance(now)
	j := &Job{disk: float64(bytes), work: float64(cpu)}
	if bytes > 0 {
		j.disk += d.unsynced
		d.unsynced = 0
	}
	d.jobs = append(d.jobs, j)
	return j
}

// End removes a job.
func (d *Disk) End(now engine.Time, j *Job) {
	d.advance(now)
	for i, x := range d.jobs {
		if x == j {
			d.jobs = append(d.jobs[:i], d.jobs[i+1:]...)
			return
		}
	}
}

// Due is the earliest time at which the job can end if nothing else happens; at that time it has ended if Due says
// no later one.
func (d *Disk) Due(now engine.Time, j *Job) engine.Time {
	d.advance(now)
	computed := now
	if j.work > 0 {
		computed += engine.Time(math.Ceil(j.work / d.speed()))
	}
	if j.disk <= 0 {
		return computed
	}
	share := min(d.bytesPerNs/float64(d.Busy()), d.perJob())
	return max(computed, now+engine.Time(j.disk/share)+1)
}

// speed is the part of a core that each computing job has.
func (d *Disk) speed() float64 {
	n := 0
	for _, j := range d.jobs {
		if j.work > 0 {
			n++
		}
	}
	if d.cores == 0 || float64(n) <= d.cores {
		return 1
	}
	return d.cores / float64(n)
}

// compute lets the jobs compute for a while; those that are done leave the cores to the others.
func (d *Disk) compute(left float64) {
	for left > 0 {
		least := math.Inf(1)
		for _, j := range d.jobs {
			if j.work > 0 {
				least = min(least, j.work)
			}
		}
		if math.IsInf(least, 1) {
			return
		}
		speed := d.speed()
		stretch := min(left, least/speed)
		for _, j := range d.jobs {
			if j.work -= stretch * speed; j.work < 1e-3 { // what rounding leaves
				j.work = 0
			}
		}
		left -= stretch
	}
}

// perJob is the bandwidth of the devices that hold one op's files.
func (d *Disk) perJob() float64 { return d.bytesPerNs * d.stripes / d.devices }

// advance lets the jobs move what the disk had left since last.
func (d *Disk) advance(now engine.Time) {
	elapsed := float64(now - d.last)
	d.compute(elapsed)
	moved := float64(elapsed*d.bytesPerNs) - d.debt
	d.last = now
	if moved <= 0 { // the foreground took it all; what it took too much stays a debt only while jobs run
		d.debt = -moved
		if len(d.jobs) == 0 {
			d.debt = 0
		}
		return
	}
	d.debt = 0
	n := d.Busy()
	if n == 0 {
		return
	}
	each := min(moved/float64(n), float64(elapsed*d.perJob()))
	for _, j := range d.jobs {
		if j.disk > 0 {
			j.disk = max(0, j.disk-each)
			if j.disk < 1 {
				j.disk = 0
			}
		}
	}
}
