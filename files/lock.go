package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// claim locks a temporary file or folder that this process has just made, for as long as the file is open, which is at most as long as the process
// lives. It fails if another process, which took it for one left behind, has removed it. A file system that has no locks is no reason to fail.
func claim(file *os.File, path string) bool {
	if !lock(file) {
		return false
	}
	mine, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

func lock(file *os.File) bool { return !errors.Is(TryLock(file), ErrLocked) }

// ErrLocked is the error of TryLock for a file that another process has locked.
var ErrLocked = errors.New("another process has it locked")

// sweep removes the temporary files or folders that match a pattern and whose processes have died. What can't be told or removed is left alone.
func sweep(pattern string) {
	found, _ := filepath.Glob(pattern)
	for _, path := range found {
		if info, err := os.Lstat(path); err != nil || info.Mode()&^(fs.ModePerm|fs.ModeDir) != 0 {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		if TryLock(file) == nil {
			os.RemoveAll(path)
		}
		file.Close()
	}
}
