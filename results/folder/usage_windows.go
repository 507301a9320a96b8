package folder

import (
	"syscall"
	"time"
)

// usage is what the running process took so far: CPU time; memory is not asked for.
func usage() (cpuSeconds float64, maxRSS int64) {
	var began, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &began, &ended, &kernel, &user) != nil {
		return 0, 0
	}
	const tick = 100 * time.Nanosecond
	ticks := int64(kernel.HighDateTime)<<32 + int64(kernel.LowDateTime) + int64(user.HighDateTime)<<32 + int64(user.LowDateTime)
	return (time.Duration(ticks) * tick).Seconds(), 0
}
