package server

import "mmsim/sim/engine"

// Disk is a server's storage: one bandwidth, shared evenly by the running maintenance ops after what the WAL and cold
// reads take. An op also has work that needs no disk, which goes on beside; it ends when both are done.
type Disk struct {
	bytesPerNs float64 // of all devices together
	devices    float64
	stripes    float64 // devices that hold one op's files
	last       engine.Time
	debt       float64 // bytes of WAL writes and cold reads since last
	jobs       []*Job
}

// Job is one maintenance op's work on a server.
type Job struct {
	disk float64     // bytes still to read and write
	cpu  engine.Time // when the rest is done
}

// NewDisk makes a disk of the given bandwidth in bytes per second, spread over a number of devices, of which stripes hold one op's files.
func NewDisk(bandwidth float64, devices, stripes int) Disk {
	return Disk{bytesPerNs: bandwidth / 1e9, devices: float64(devices), stripes: float64(min(stripes, devices))}
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

// Start adds a job that moves bytes and beside it computes for cpu.
func (d *Disk) Start(now engine.Time, bytes int64, cpu engine.Time) *Job {
	d.advance(now)
	j := &Job{disk: float64(bytes), cpu: now + cpu}
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
	if j.disk <= 0 {
		return max(now, j.cpu)
	}
	share := min(d.bytesPerNs/float64(d.Busy()), d.perJob())
	return max(j.cpu, now+engine.Time(j.disk/share)+1)
}

// perJob is the bandwidth of the devices that hold one op's files.
func (d *Disk) perJob() float64 { return d.bytesPerNs * d.stripes / d.devices }

// advance lets the jobs move what the disk had left since last.
func (d *Disk) advance(now engine.Time) {
	elapsed := float64(now - d.last)
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
