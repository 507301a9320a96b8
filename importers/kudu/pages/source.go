// Package pages reads the web pages of a tablet server, of a running one or as they were saved.
package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mmsim/configs"
	"mmsim/reading"
)

// A Source gives a server's web pages.
type Source interface {
	// Page gives a page by its path, such as "tablet", and the id it is asked for; empty = it takes none.
	// An error that is errNoPage says that there is no such page, and why; one that is an *unfitPage, that what is there is not it.
	Page(ctx context.Context, path, id string) ([]byte, error)
	String() string
}

var errNoPage = errors.New("no such page")

// unfitPage is the error of a page that is not whole, or not in a form that is known.
type unfitPage struct{ error }

const maxPage = 256 << 20 // bytes; /metrics of a server with 4,000 tablets has 100 MB

// Saved reads saved pages from a folder or from an archive of one: .tar.gz, .tgz or .tar. A page is in a file of its path's name, -ID if it was asked for
// one, and .html or .json.
func Saved(path string) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, &configs.Problem{File: path, Allowed: reading.Cause(err).Error()}
	case info.IsDir():
		return dir(path), nil
	case !info.Mode().IsRegular():
		return nil, &configs.Problem{File: path, Allowed: "neither a folder of saved pages nor a .tar.gz of one"}
	}
	return openArchive(path)
}

// dir is a folder of saved pages: metrics.json, tablets.html, tablet-ID.html and so on.
type dir string

func (d dir) String() string { return string(d) }

func (d dir) Page(ctx context.Context, path, id string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	names := fileNames(path, id)
	for _, name := range names {
		file := filepath.Join(string(d), name)
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, reading.Cause(err))
		}
		defer f.Close()
		return pageOf(f, file, path)
	}
	return nil, noFile(d, names)
}

// fileNames are the names that a saved page may have.
func fileNames(path, id string) []string {
	if id != "" {
		path += "-" + id
	}
	return []string{path + ".html", path + ".json", path}
}

func noFile(source Source, names []string) error {
	return fmt.Errorf("%s: %w: neither %s nor %s is there", source, errNoPage, names[0], names[1])
}

// pageOf reads a page to its end; name is for messages.
func pageOf(r io.Reader, name, path string) ([]byte, error) {
	page, err := io.ReadAll(io.LimitReader(r, maxPage+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	case len(page) > maxPage:
		return nil, fmt.Errorf("%s: larger than %v", name, configs.Bytes(maxPage))
	case path == "metrics": // JSON shows by itself whether it is whole
		return page, nil
	}
	return page, whole(page, name)
}

// whole refuses a page of which a part is missing: every web page of Kudu ends with </html>, and what was cut off would be taken for what is not there.
func whole(page []byte, name string) error {
	text := bytes.TrimSpace(page)
	switch {
	case len(text) == 0:
		return &unfitPage{fmt.Errorf("%s: the page is empty", name)}
	case text[0] == '<' && !bytes.HasSuffix(text, []byte("</html>")):
		return &unfitPage{fmt.Errorf("%s: the page is cut off: it does not end with </html>", name)}
	}
	return nil
}
