package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"mmsim/results"
)

// Commit puts the result in its place: an older one is moved aside, the new one renamed, the older one removed.
// If it fails, as when a part of the result is missing or dir meanwhile holds something else, then what was written stays
// in <dir>.incomplete and the older result where it was.
func (f *Folder) Commit() error {
	if f.mark == nil {
		return fmt.Errorf("result folder %s: already committed or aborted", f.dir)
	}
	err := f.commit()
	f.Abort()
	if err != nil {
		return fmt.Errorf("completing the result folder: %w", err)
	}
	return nil
}

func (f *Folder) commit() error {
	for _, name := range required {
		if _, err := os.Stat(f.Path(name)); err != nil {
			return err
		}
	}
	for _, target := range []string{f.dir, f.replaced()} {
		if err := replaceable(target); err != nil {
			return err
		}
		if err := f.keepFrom(target, f.incomplete()); err != nil {
			return err
		}
	}
	if err := syncFiles(f.incomplete()); err != nil {
		return err
	}
	if onWindows { // where what is open can't be removed
		f.mark.Close()
	}
	if err := errors.Join(removeFolder(f.replaced()), os.Remove(f.Path(markFile))); err != nil {
		return err
	}
	return f.swap()
}

// swap moves the older result aside if there is one, the new one in, and removes the older.
func (f *Folder) swap() error {
	older := os.Rename(f.dir, f.replaced())
	if older != nil && !errors.Is(older, fs.ErrNotExist) {
		return older
	}
	if err := os.Rename(f.incomplete(), f.dir); err != nil {
		if older == nil {
			err = errors.Join(err, os.Rename(f.replaced(), f.dir))
		}
		return err
	}
	if older == nil {
		if err := f.keepFrom(f.replaced(), f.dir); err != nil { // what came in the last moment
			return err
		}
		return removeFolder(f.replaced())
	}
	return nil
}

// removeFolder removes a result. What tells that it is one goes last, so that a crash does not leave a folder that nobody dares to remove.
func removeFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if name := entry.Name(); name != results.ResultFile && name != markFile {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, name)))
		}
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

const onWindows = runtime.GOOS == "windows"

// syncFiles makes sure that files reach the disk before their folder's new name does: a power cut must not leave a
// complete-looking result with empty files.
func syncFiles(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		mode := os.O_RDONLY
		if onWindows { // which writes nothing out for who can't write
			mode = os.O_RDWR
		}
		file, err := os.OpenFile(path, mode, 0)
		if err != nil {
			return err
		}
		return errors.Join(file.Sync(), file.Close())
	})
}
