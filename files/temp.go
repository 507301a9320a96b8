package files

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Names of temporary files, which stand beside the file that is written, and of temporary folders.
const (
	tempFile   = ".mmsim-tmp-"
	tempFolder = "mmsim-tmp-"
)

// errTaken says that a name can't be used but another may.
var errTaken = errors.New("the name is taken")

// attempts to find a name that is free; each fails by bad luck only.
const attempts = 100

// A Temp is a temporary file or folder. It is locked while this process lives, so that others know it from one that was left behind.
type Temp struct {
	Path string
	file *os.File
}

// TempFolder makes a folder within dir, after removing those there whose processes have died.
func TempFolder(dir string) (*Temp, error) {
	Sweep(dir)
	return newTemp(dir, tempFolder, func(path string) (*os.File, error) {
		if err := os.Mkdir(path, 0o700); err != nil {
			return nil, err
		}
		file, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) { // another process took it for one left behind before it was locked
			err = errTaken
		}
		return file, err
	})
}

// Sweep removes the temporary folders within dir whose processes have died.
func Sweep(dir string) { sweep(filepath.Join(quoteGlob(dir), tempFolder+"*")) }

// newTempFile makes an empty file within dir, after removing those there whose processes have died.
func newTempFile(dir string) (*Temp, error) {
	sweep(filepath.Join(quoteGlob(dir), tempFile+"*"))
	return newTemp(dir, tempFile, func(path string) (*os.File, error) {
		return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	})
}

func newTemp(dir, prefix string, make func(path string) (*os.File, error)) (*Temp, error) {
	for range attempts {
		path := filepath.Join(dir, prefix+strconv.FormatUint(rand.Uint64(), 36))
		file, err := make(path)
		if err != nil {
			if errors.Is(err, fs.ErrExist) || err == errTaken {
				continue
			}
			return nil, err
		}
		if claim(file, path) {
			return &Temp{path, file}, nil
		}
		file.Close()
	}
	return nil, errors.New("no name for a temporary file is free in " + dir)
}

// Remove removes what was made and all it holds. The second time it does nothing.
func (t *Temp) Remove() error {
	if t.file == nil {
		return nil
	}
	err := os.RemoveAll(t.Path) // before the lock ends, lest another process removes it meanwhile
	t.file.Close()
	t.file = nil
	return err
}

// quoteGlob gives a pattern that matches dir alone.
func quoteGlob(dir string) string {
	quoted := []byte{}
	for _, c := range []byte(dir) {
		if c == '*' || c == '?' || c == '[' || c == '\\' {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, c)
	}
	return string(quoted)
}
