package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mmsim/reading"
)

// An Output is a file that is to be written.
type Output struct {
	name   string // as it was asked for
	path   string // links followed
	kind   Kind
	force  bool
	inputs []string
	direct bool // no file but a pipe, a terminal or the like: it is written as it is
}

// Plan says whether a file can be written, before the work for it begins. It refuses one that is among the inputs, under whatever name: files, or
// folders all of whose files are inputs but for those of the same kind that mmsim wrote. It refuses a file that is neither empty nor of the kind that
// mmsim wrote, unless it is to be replaced by force. It leaves nothing behind.
func Plan(path string, kind Kind, force bool, inputs ...string) (*Output, error) {
	o := &Output{name: path, kind: kind, force: force, inputs: inputs}
	if path == "" {
		return nil, errors.New("the name of the file is empty")
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if o.direct = !info.Mode().IsRegular() || opened(path); o.direct {
			return o, nil
		}
	}
	var err error
	if o.path, err = follow(path); err != nil {
		return nil, o.within(err)
	}
	if err := o.replaceable(); err != nil {
		return nil, err
	}
	trial, err := newTempFile(filepath.Dir(o.path))
	if err != nil {
		return nil, o.within(err)
	}
	return o, o.within(trial.Remove())
}

// Name is the path that was asked for.
func (o *Output) Name() string { return o.name }

// follow gives the absolute path of what a path names through links.
func follow(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	if _, err := os.Lstat(abs); err == nil {
		return "", errors.New("a link to what is not there")
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no folder %s", filepath.Dir(abs))
	}
	return filepath.Join(dir, filepath.Base(abs)), err
}

// replaceable refuses what must not be replaced.
func (o *Output) replaceable() error {
	info, err := os.Stat(o.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return o.within(err)
	case info.IsDir():
		return fmt.Errorf("%s: is a folder: want the name of a file", o.name)
	}
	own, err := o.own(info)
	if err != nil {
		return o.within(err)
	}
	for _, input := range o.inputs {
		if err := o.notAmong(info, own, input); err != nil {
			return err
		}
	}
	if own || o.force {
		return nil
	}
	return fmt.Errorf("%s: exists, and is no %s as mmsim wrote it: choose another file, or replace it with --force", o.name, o.kind.name)
}

// own says whether a file is empty, or one of the kind that mmsim wrote and nobody changed.
func (o *Output) own(info fs.FileInfo) (bool, error) {
	if info.Size() == 0 {
		return true, nil
	}
	kind, err := sealed(o.path)
	return kind == o.kind.name, err
}

// opened says whether a path is one under which the system shows what a process has open, which may be a file, as in --out /dev/stdout > FILE.
func opened(path string) bool {
	abs, err := filepath.Abs(path)
	return err == nil && (strings.HasPrefix(abs, "/dev/std") || strings.HasPrefix(abs, "/dev/fd/") || strings.HasPrefix(abs, "/proc/"))
}

// notAmong refuses a file that is an input or within one.
func (o *Output) notAmong(info fs.FileInfo, own bool, input string) error {
	in, err := os.Stat(input)
	if err != nil {
		return nil // whoever reads it says so
	}
	if !in.IsDir() {
		if os.SameFile(info, in) {
			return fmt.Errorf("%s: is the same file as the input %s: choose another", o.name, input)
		}
		return nil
	}
	if own {
		return nil
	}
	root, err := filepath.EvalSymlinks(input)
	if err != nil {
		return nil
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // whoever reads it says so
		}
		if file, err := os.Stat(path); err == nil && os.SameFile(info, file) {
			return fmt.Errorf("%s: is the same file as the input %s: choose another", o.name, path)
		}
		return nil
	})
}

// Write has the file filled beside its place and puts it there, once all of it is on the disk. If anything fails or ctx ends, what was there before stays.
func (o *Output) Write(ctx context.Context, fill func(io.Writer) error) error {
	if o.direct {
		return o.within(o.writeDirect(ctx, fill))
	}
	temp, err := newTempFile(filepath.Dir(o.path))
	if err != nil {
		return o.within(err)
	}
	defer temp.Remove()
	if err := fillFile(ctx, temp.file, o.kind, fill); err != nil {
		return o.within(err)
	}
	if err := o.replaceable(); err != nil { // it may have changed meanwhile
		return err
	}
	return o.within(o.replaceBy(temp))
}

// WriteBytes is Write of what is at hand.
func (o *Output) WriteBytes(ctx context.Context, data []byte) error {
	return o.Write(ctx, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (o *Output) writeDirect(ctx context.Context, fill func(io.Writer) error) error {
	file, err := os.OpenFile(o.name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(Seal(&ending{ctx, file}, o.kind, fill), file.Close())
}

// replaceBy gives a temporary file the rights of the file it replaces, and its name.
func (o *Output) replaceBy(temp *Temp) error {
	if older, err := os.Stat(o.path); err == nil {
		if err := temp.file.Chmod(older.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := temp.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(temp.Path, o.path); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(o.path)); err == nil {
		dir.Sync() // some file systems can't
		dir.Close()
	}
	return nil
}

// within names the file in an error, which may be of a temporary one.
func (o *Output) within(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", o.name, reading.Cause(err))
}

// Create fills a new file of a kind. It is for files within a folder that is not yet in its place.
func Create(path string, kind Kind, fill func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	if err := errors.Join(fillFile(context.Background(), file, kind, fill), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	return nil
}

func fillFile(ctx context.Context, file *os.File, kind Kind, fill func(io.Writer) error) error {
	out := bufio.NewWriterSize(&ending{ctx, file}, 1<<16)
	if err := Seal(out, kind, fill); err != nil {
		return err
	}
	return out.Flush()
}

// ending is a writer that fails once ctx has ended.
type ending struct {
	ctx context.Context
	io.Writer
}

func (e *ending) Write(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.Writer.Write(p)
}
