package host

import "syscall"

// ownGroup starts a process in its own group and has the kernel kill it when mmsim dies, however that happens.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
