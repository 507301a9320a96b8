package pages

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"mmsim/configs"
	"mmsim/reading"
)

const (
	maxArchive = 1 << 30 // bytes, unpacked
	maxEntries = 100_000
)

// archive is the pages of a folder that was packed, in memory: nothing is unpacked onto the disk.
type archive struct {
	file  string
	pages map[string][]byte // by their names in the folder
}

func (a *archive) String() string { return a.file }

func (a *archive) Page(ctx context.Context, path, id string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	names := fileNames(path, id)
	for _, name := range names {
		if page, ok := a.pages[name]; ok {
			return pageOf(bytes.NewReader(page), a.file+": "+name, path)
		}
	}
	return nil, noFile(a, names)
}

func openArchive(file string) (*archive, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, &configs.Problem{File: file, Allowed: reading.Cause(err).Error()}
	}
	defer f.Close()
	return readArchive(file, f)
}

// readArchive reads a tar archive, gzipped or not, of the pages of one server. Errors are *configs.Problem.
func readArchive(file string, r io.Reader) (*archive, error) {
	refuse := func(format string, args ...any) (*archive, error) {
		return nil, &configs.Problem{File: file, Allowed: fmt.Sprintf(format, args...)}
	}
	plain, err := reading.Plain(r)
	if err != nil {
		return refuse("%v", err)
	}
	limited := &io.LimitedReader{R: plain, N: maxArchive}
	folders, err := unpack(limited)
	if err == nil {
		_, err = io.Copy(io.Discard, limited) // the checksum comes last
	}
	switch {
	case limited.N <= 0:
		return refuse("larger than %v when unpacked, which is no server's pages", configs.Bytes(maxArchive))
	case errors.Is(err, tar.ErrHeader) && len(folders) == 0:
		return refuse("neither a folder of saved pages nor a .tar.gz of one")
	case err != nil:
		return refuse("%v", reading.Cause(err))
	}
	var found *archive
	for _, pages := range folders {
		a := &archive{file, pages}
		if _, err := a.Page(context.Background(), "metrics", ""); err != nil {
			continue
		}
		if found != nil {
			return refuse("it holds the pages of more than one server: unpack it and give each folder")
		}
		found = a
	}
	if found == nil {
		return refuse("no metrics.json in it, as a server's saved pages have")
	}
	return found, nil
}

// unpack gives the files of an archive by their folders and names. Links and the like are passed over.
func unpack(r io.Reader) (map[string]map[string][]byte, error) {
	folders := map[string]map[string][]byte{}
	in := tar.NewReader(r)
	for range maxEntries {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return folders, nil
		}
		if err != nil {
			return folders, err
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		folder, name := path.Split(path.Clean(strings.ReplaceAll(head.Name, `\`, "/")))
		page, err := io.ReadAll(io.LimitReader(in, maxPage+1))
		if err != nil {
			return folders, err
		}
		if folders[folder] == nil {
			folders[folder] = map[string][]byte{}
		}
		folders[folder][name] = page
	}
	return folders, fmt.Errorf("more than %d files in it", maxEntries)
}
