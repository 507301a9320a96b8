//go:build unix

package host

import "syscall"

// supported says whether policies can run in processes of their own.
const supported = true

// killGroup ends a process and its children.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }
