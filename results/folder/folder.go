// Package folder writes a result to the disk and reads it again: figures, latencies, and the tables of ops, waits and series. An interrupted run never
// looks like a result, and what users added to an older one is kept.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mmsim/files"
	"mmsim/reading"
	"mmsim/results"
)

// Names in a result folder. Besides these it holds one folder a policy line.
const (
	ExperimentFile = "experiment.yaml" // the experiment after defaults were filled in
	RunInfoFile    = "run.json"        // host, times, binaries: all that may differ between two equal runs
	PlotsFolder    = "plots"           //
	PolicyLogFile  = "policy.log"      // in a line's folder: what its policy's process printed, if it did
	markFile       = "INCOMPLETE"      // only while the run has not ended
)

// required are the files without which a folder can't be committed; known is all that mmsim itself puts at the top.
var (
	required = []string{ExperimentFile, results.ResultFile, RunInfoFile}
	known    = []string{ExperimentFile, results.ResultFile, RunInfoFile, PlotsFolder}
)

const markText = "This result is incomplete: the run that writes it has not ended, or was interrupted. The next run to the same place removes it.\n"

// Folder is a result folder being written. Everything goes to <dir>.incomplete, which holds a file INCOMPLETE, and takes
// the place of <dir> when it is committed. So whatever ends a run early, an interrupted result never looks complete
// and an older one is not lost. What users put into an older result is in the new one too.
type Folder struct {
	dir  string   // where the result goes
	mark *os.File // INCOMPLETE, locked as long as this process writes; nil after Commit or Abort
	kept []string // what was taken over from an older result, by its place in this one

	reserved []string // what is still to be written when the result is complete
}

// A NotResultError says that a folder can't be replaced because it holds what mmsim did not write.
type NotResultError struct {
	Dir   string
	Holds string // one of the things it holds; empty if Dir is no folder
}

func (e *NotResultError) Error() string {
	if e.Holds == "" {
		return fmt.Sprintf("%s exists and is not a folder: choose another place for the result", e.Dir)
	}
	return fmt.Sprintf("%s holds %q, which is not of an mmsim result: choose another folder or remove it", e.Dir, e.Holds)
}

// A BusyError says that another process is writing a result to the same place.
type BusyError struct{ Dir string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("another run is writing its result to %s: choose another folder or wait for it", e.Dir)
}

// Create starts a result that is to become dir. It refuses with a NotResultError if dir exists and is neither empty nor
// a result, and with a BusyError if another process is writing there; what an interrupted run left is removed.
// Nothing at dir itself changes before Commit.
func Create(dir string) (*Folder, error) {
	f, err := create(dir)
	if err != nil {
		return nil, fmt.Errorf("result folder: %w", err)
	}
	return f, nil
}

func create(dir string) (*Folder, error) {
	dir, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{dir: dir}
	if err := f.restore(); err != nil {
		return nil, err
	}
	for _, target := range []string{f.dir, f.replaced()} {
		if err := replaceable(target); err != nil {
			return nil, err
		}
	}
	if err := f.removeInterrupted(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, err
	}
	if err := os.Mkdir(f.incomplete(), 0o777); err != nil {
		return nil, f.busyIf(err, fs.ErrExist)
	}
	f.mark, err = os.OpenFile(f.Path(markFile), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
	if err != nil {
		return nil, f.busyIf(err, fs.ErrNotExist, fs.ErrExist)
	}
	if err := f.lock(); err != nil {
		return nil, err
	}
	if _, err := f.mark.WriteString(markText); err != nil {
		f.Abort()
		return nil, err
	}
	return f, nil
}

// busyIf turns an error that only another run beginning at the same moment can cause into one that says so.
func (f *Folder) busyIf(err error, causes ...error) error {
	for _, cause := range causes {
		if errors.Is(err, cause) {
			return &BusyError{f.dir}
		}
	}
	return err
}

// resolve makes dir absolute and follows links, so that what is renamed is the folder and not a link to it.
func resolve(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("its name is empty")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	return abs, nil
}

// incomplete is where the result is written, replaced where an older result is while the new one takes its place.
func (f *Folder) incomplete() string { return f.dir + ".incomplete" }
func (f *Folder) replaced() string   { return f.dir + ".replaced" }

// Path is where the file or folder rel of the result is to be written.
func (f *Folder) Path(rel string) string {
	return filepath.Join(f.incomplete(), filepath.FromSlash(rel))
}

// lock holds the mark until it is closed, which the system does for a process that dies. A file system that has no locks is no
// reason not to write a result.
func (f *Folder) lock() error {
	if errors.Is(files.TryLock(f.mark), files.ErrLocked) || !f.holdsMark() {
		f.Abort()
		return &BusyError{f.dir}
	}
	return nil
}

// holdsMark says whether the mark that is open is still the one in the folder. Another run that began at the same moment may have
// taken the folder for an interrupted one and put its own in its place.
func (f *Folder) holdsMark() bool {
	mine, err := f.mark.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(f.Path(markFile))
	return err == nil && os.SameFile(mine, there)
}

// restore undoes a replacement that a crash cut in two: the older result had been moved aside, the new one not yet in.
func (f *Folder) restore() error {
	if _, err := os.Lstat(f.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", f.dir, reading.Cause(err))
	} else if err == nil {
		return nil
	}
	if !isResult(f.replaced()) {
		return nil
	}
	return os.Rename(f.replaced(), f.dir)
}

// removeInterrupted removes what an interrupted run left, unless another process still writes it.
func (f *Folder) removeInterrupted() error {
	dir := f.incomplete()
	mark, err := os.OpenFile(f.Path(markFile), os.O_RDWR, 0)
	if err == nil {
		stale := &Folder{dir: f.dir, mark: mark}
		if err := stale.lock(); err != nil {
			return err
		}
		defer stale.Abort()
		return removeFolder(dir)
	}
	// No mark: a crash came before it was written, or between its removal and the renaming of the complete result.
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := replaceable(dir); err != nil {
		return err
	}
	return removeFolder(dir)
}

// replaceable says whether dir is missing, empty or a result, whatever else is in it.
func replaceable(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &NotResultError{Dir: dir}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 || isResult(dir) {
		return err
	}
	return &NotResultError{dir, entries[0].Name()}
}

func isResult(dir string) bool {
	_, err := headOf(dir)
	return err == nil
}

// Reserve names files within a folder of the result that are still to be written when it is complete: nothing that users left takes their places.
func (f *Folder) Reserve(folder string, files []string) {
	for _, name := range files {
		f.reserved = append(f.reserved, filepath.Join(folder, name))
	}
}

// Kept names the files of users that Commit took over from an older result.
func (f *Folder) Kept() []string { return f.kept }

// Abort gives up: the folder stays behind, marked as incomplete. After Commit it does nothing.
func (f *Folder) Abort() {
	if f.mark != nil {
		f.mark.Close()
		f.mark = nil
	}
}

// WriteExperiment writes the resolved experiment.
func (f *Folder) WriteExperiment(yaml []byte) error {
	return files.Create(f.Path(ExperimentFile), files.Resolved, func(w io.Writer) error {
		_, err := w.Write(yaml)
		return err
	})
}
