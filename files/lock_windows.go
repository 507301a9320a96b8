package files

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock locks an open file against other processes until it is closed, which the system does for a process that dies. Errors other than
// ErrLocked mostly mean that the file system has no locks.
func TryLock(file *os.File) error {
	const beyond = 1 << 30 // a byte that nobody writes: what is locked can't be read by others here
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{Offset: beyond})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
