package server

import (
	"cmp"
	"testing"

	"pgregory.net/rapid"

	"mmsim/sim/engine"
)

const (
	ms = engine.Time(1e6)
	mb = int64(1e6)
)

// testDisk moves 100 MB a second, a megabyte in 10 ms, over 10 devices that all hold every op's files.
func testDisk() *Server { return diskServer(Config{Devices: 10, Stripes: 10}) }

// diskServer is a server with a disk of 100 MB a second, and cores for all.
func diskServer(c Config) *Server {
	c.Bandwidth, c.Threads, c.Cores, c.Together = 100e6, 1, 1, cmp.Or(c.Together, 100)
	return New(0, &c, engine.Rand{})
}

// finish steps the server until the job has ended, as a manager does.
func finish(d *Server, now engine.Time, j *Job) engine.Time {
	for {
		due := d.Due(now, j)
		if due <= now {
			d.End(now, j)
			return now
		}
		now = due
	}
}

// about allows a few ns for rounding.
func about(t *testing.T, what string, got, want engine.Time) {
	t.Helper()
	if got < want-5 || got > want+5 {
		t.Errorf("%s ends at %d ns, want %d", what, got, want)
	}
}

func TestOneJobHasTheDisk(t *testing.T) {
	d := testDisk()
	about(t, "a job of 20 MB", finish(d, 1000*ms, d.Begin(1000*ms, 20*mb, 0)), 1200*ms)
}

func TestComputingGoesOnBeside(t *testing.T) {
	d := testDisk()
	about(t, "20 MB and 150 ms of computing", finish(d, 0, d.Begin(0, 20*mb, 150*ms)), 200*ms)
	about(t, "20 MB and 350 ms of computing", finish(d, 300*ms, d.Begin(300*ms, 20*mb, 350*ms)), 650*ms)
	about(t, "no bytes and 7 ms of computing", finish(d, 1000*ms, d.Begin(1000*ms, 0, 7*ms)), 1007*ms)
}

// Two jobs of 20 and 40 MB: the first ends when 20 MB of each are moved, the second has the disk alone after.
func TestTwoJobsShare(t *testing.T) {
	d := testDisk()
	small, large := d.Begin(0, 20*mb, 0), d.Begin(0, 40*mb, 0)
	end := finish(d, 0, small)
	about(t, "the job of 20 MB", end, 400*ms)
	about(t, "the job of 40 MB", finish(d, end, large), 600*ms)
	if d.Disk.Busy() != 0 || len(d.Disk.jobs) != 0 {
		t.Errorf("%d of %d jobs are busy at the end", d.Disk.Busy(), len(d.Disk.jobs))
	}
}

// With three of ten devices to a job, one has 30 MB a second, as have two or three; four share all there is.
func TestStripes(t *testing.T) {
	for _, c := range []struct {
		jobs  int
		share float64
		want  engine.Time
	}{{0, 0, 0}, {1, .3, 1000 * ms}, {2, .6, 1000 * ms}, {3, .9, 1000 * ms}, {4, 1, 1200 * ms}} {
		d := diskServer(Config{Devices: 10, Stripes: 3})
		var last *Job
		for range c.jobs {
			last = d.Begin(0, 30*mb, 0)
		}
		if got := d.Disk.Share(); got < c.share-1e-9 || got > c.share+1e-9 {
			t.Errorf("%d jobs are on %v of the devices, want %v", c.jobs, got, c.share)
		}
		if last != nil {
			about(t, "a job of 30 MB", finish(d, 0, last), c.want)
		}
	}
	d := diskServer(Config{Devices: 2, Stripes: 3}) // no more stripes than devices
	about(t, "a job of 30 MB", finish(d, 0, d.Begin(0, 30*mb, 0)), 300*ms)
}

// A job that only computes any more leaves the disk to the other.
func TestComputingJobTakesNoShare(t *testing.T) {
	d := testDisk()
	first, second := d.Begin(0, 10*mb, 1000*ms), d.Begin(0, 20*mb, 0)
	about(t, "the job of 20 MB", finish(d, 200*ms, second), 300*ms)
	about(t, "the job that computes", finish(d, 300*ms, first), 1000*ms)
}

// The WAL comes first: what it takes, jobs lack.
func TestForegroundTakesItsBytes(t *testing.T) {
	d := testDisk()
	job := d.Begin(0, 20*mb, 0)
	d.Disk.Take(5 * mb)
	d.Disk.TakeDevice(100 * ms) // one of ten devices: another MB
	about(t, "a job of 20 MB beside 6 MB of other work", finish(d, 100*ms, job), 260*ms)
}

// More than the disk can move is owed while jobs run, and forgotten without.
func TestForegroundDebt(t *testing.T) {
	d := testDisk()
	job := d.Begin(0, 10*mb, 0)
	d.Disk.Take(30 * mb)
	about(t, "a job of 10 MB after 30 MB of WAL", finish(d, 100*ms, job), 400*ms)
	d.Disk.Take(50 * mb)
	d.Disk.advance(410 * ms)
	about(t, "a job on a disk that was overrun before", finish(d, 410*ms, d.Begin(410*ms, 10*mb, 0)), 510*ms)
}

// Whatever comes and goes, the disk moves exactly what it can while any job needs it: it is never idle and never too fast.
func TestDiskConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := testDisk()
		var now engine.Time
		var moved, free float64 // bytes of jobs that ended, and bytes the disk could have moved
		var running []*Job
		size := map[*Job]float64{}
		step := func(to engine.Time) {
			d.Disk.advance(now) // take in what was owed until now
			if d.Disk.Busy() > 0 {
				free += float64(to-now) * d.Disk.bytesPerNs
			}
			now = to
			d.Disk.advance(now)
		}
		next := func() engine.Time {
			due := engine.Never
			for _, j := range running {
				due = min(due, d.Due(now, j))
			}
			return due
		}
		settle := func(until engine.Time) {
			for len(running) > 0 {
				due := next()
				if due > until {
					break
				}
				step(max(due, now))
				for i := 0; i < len(running); i++ {
					if j := running[i]; d.Due(now, j) <= now {
						moved += size[j]
						d.End(now, j)
						running = append(running[:i], running[i+1:]...)
						i--
					}
				}
			}
		}
		for range rapid.IntRange(1, 12).Draw(t, "jobs") {
			at := now + engine.Time(rapid.Int64Range(0, int64(300*ms)).Draw(t, "pause"))
			settle(at)
			step(at)
			bytes := rapid.Int64Range(0, 30*mb).Draw(t, "bytes")
			j := d.Begin(now, bytes, 0)
			size[j] = float64(bytes)
			running = append(running, j)
		}
		settle(engine.Never - 1)
		if len(running) > 0 {
			t.Fatalf("%d jobs never end", len(running))
		}
		if slack := free - moved; slack < -100 || slack > 100 { // a byte a job, and a ns of bandwidth a step
			t.Fatalf("jobs moved %.0f bytes while the disk could move %.0f", moved, free)
		}
	})
}

// The first job that writes waits for 30 MB written before the start, after its own; the next does not.
func TestFirstJobSyncsWhatWasThere(t *testing.T) {
	d := diskServer(Config{Devices: 1, Stripes: 1, Unsynced: 30 * mb})
	about(t, "a job that writes nothing", finish(d, 0, d.Begin(0, 0, ms)), ms)
	end := finish(d, ms, d.Begin(ms, 10*mb, 0))
	about(t, "the first job of 10 MB", end, 401*ms)
	about(t, "the next job of 10 MB", finish(d, end, d.Begin(end, 10*mb, 0)), 501*ms)
}
