//go:build unix

package folder

import (
	"runtime"
	"syscall"
	"time"
)

// usage is what the running process took so far: CPU time and, at most, bytes of memory.
func usage() (cpuSeconds float64, maxRSS int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	maxRSS = int64(u.Maxrss)
	if runtime.GOOS != "darwin" {
		maxRSS *= 1024 // every other Unix counts kilobytes
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds(), maxRSS
}
