package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"mmsim/files"
	"mmsim/reading"
	"mmsim/results"
)

// keepFrom takes what users put into the result at from, or changed there, over into the result at to. A file whose place is taken there gets a
// number: notes.txt.~1~. Files are linked, so that they are in both places until the older result goes. Without a result at from there is nothing to keep.
func (f *Folder) keepFrom(from, to string) error {
	head, err := headOf(from)
	if err != nil {
		return nil
	}
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == from {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil || head.wrote(from, rel, entry.IsDir()) {
			return err
		}
		if entry.IsDir() {
			err = os.MkdirAll(filepath.Join(to, rel), 0o777)
		} else if rel, err = f.keep(path, to, rel); rel != "" {
			f.kept = append(f.kept, rel)
		}
		if err != nil {
			return fmt.Errorf("keeping %s: %w", path, reading.Cause(err))
		}
		return nil
	})
}

// wrote says whether mmsim itself made a file or folder of a result. Results of the first schema say so only by names.
func (h *resultHead) wrote(dir, rel string, folder bool) bool {
	top, below := filepath.Dir(rel), filepath.Base(rel)
	if top == "." {
		switch below {
		case results.ResultFile, RunInfoFile, markFile:
			return !folder
		case ExperimentFile:
			return h.Schema == 1 || files.OfRun(filepath.Join(dir, rel))
		}
		return folder && (below == PlotsFolder || h.hasLine(below))
	}
	if folder || top != PlotsFolder && !h.hasLine(top) {
		return false
	}
	if top != PlotsFolder && below == PolicyLogFile {
		return true
	}
	if h.Schema == 1 {
		return top == PlotsFolder && slices.Contains([]string{".svg", ".png"}, filepath.Ext(below)) ||
			top != PlotsFolder && slices.Contains([]string{latencyFile, opsFile, seriesFile, waitsFile}, below)
	}
	return files.OfRun(filepath.Join(dir, rel))
}

func (h *resultHead) hasLine(name string) bool {
	for _, l := range h.Lines {
		if l.Line == name {
			return true
		}
	}
	return false
}

// keep links a file to its place in a folder, or to one like it if that is taken by another or reserved, and gives that place; "" if it is there
// already.
func (f *Folder) keep(path, to, rel string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o777); err != nil {
		return "", err
	}
	for place, n := rel, 1; ; place, n = rel+".~"+strconv.Itoa(n)+"~", n+1 {
		if slices.Contains(f.reserved, place) {
			continue
		}
		at := filepath.Join(to, place)
		if _, err := os.Lstat(at); err == nil {
			if same(path, at) {
				return "", nil
			}
			continue
		}
		err := os.Link(path, at)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = duplicate(path, at) // the file system has no links
		}
		if !errors.Is(err, fs.ErrExist) {
			return place, err
		}
	}
}

// same says whether two paths are of one file, or of two with the same content.
func same(a, b string) bool {
	first, err := os.Lstat(a)
	second, err2 := os.Lstat(b)
	switch {
	case err != nil || err2 != nil || first.Mode().Type() != second.Mode().Type():
		return false
	case os.SameFile(first, second):
		return true
	case first.Mode().Type() == fs.ModeSymlink:
		x, err := os.Readlink(a)
		y, err2 := os.Readlink(b)
		return err == nil && err2 == nil && x == y
	case !first.Mode().IsRegular() || first.Size() != second.Size():
		return false
	}
	x, err := os.ReadFile(a)
	y, err2 := os.ReadFile(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

// duplicate copies a file or symbolic link to a place that is free.
func duplicate(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if info.Mode().Type() == fs.ModeSymlink {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no file that can be copied")
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chtimes(to, info.ModTime(), info.ModTime()))
}
