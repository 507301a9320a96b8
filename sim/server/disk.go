package server

import (
	"slices"

	"mmsim/sim/engine"
)

// Disk is a server's storage: one bandwidth, shared evenly by the running maintenance ops after what the WAL and cold reads take.
type Disk struct {
	bytesPerNs float64 // of all devices together
	devices    float64
	stripes    float64 // devices that hold one op's files
	last       engine.Time
	debt       float64 // bytes of WAL writes and cold reads since last
	jobs       []*Job  // all that run
}

// NewDisk makes the disk of a server.
func NewDisk(c *Config) Disk {
	return Disk{bytesPerNs: c.Bandwidth / 1e9, devices: float64(c.Devices), stripes: float64(min(c.Stripes, c.Devices))}
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

// begin has a job move bytes.
func (d *Disk) begin(now engine.Time, j *Job) {
	d.advance(now)
	d.jobs = append(d.jobs, j)
}

// end has it stop.
func (d *Disk) end(now engine.Time, j *Job) {
	d.advance(now)
	if i := slices.Index(d.jobs, j); i >= 0 {
		d.jobs = slices.Delete(d.jobs, i, i+1)
	}
}

// moved is the earliest time at which a job can have moved its bytes, if nothing else happens.
func (d *Disk) moved(now engine.Time, j *Job) engine.Time {
	d.advance(now)
	if j.disk <= 0 {
		return now
	}
	share := min(d.bytesPerNs/float64(d.Busy()), d.perJob())
	return now + engine.Time(j.disk/share) + 1
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
			if j.disk -= each; j.disk < 1 {
				j.disk = 0
			}
		}
	}
}
