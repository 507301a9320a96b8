//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks an open file against other processes until it is closed, which the system does for a process that dies. Errors other than
// ErrLocked mostly mean that the file system has no locks.
func TryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
