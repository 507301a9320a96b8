//go:build unix && !linux

package host

import "syscall"

// ownGroup starts a process in its own group. That it ends when mmsim dies is left to the plugin's lifeline.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
