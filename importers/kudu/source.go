package kudu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mmsim/configs"
	"mmsim/reading"
)

// A Source gives a server's web pages.
type Source interface {
	// Page gives a page by its path, such as "tablet", and the id it is asked for; empty = it takes none.
	// An error that is errNoPage says that there is no such page, and why.
	Page(ctx context.Context, path, id string) ([]byte, error)
	String() string
}

var errNoPage = errors.New("no such page")

const (
	maxPage     = 256 << 20        // bytes; /metrics of a server with 4,000 tablets has 100 MB
	pageTimeout = 20 * time.Second // for one page
)

// dir is a folder of saved pages: metrics.json, tablets.html, tablet-ID.html and so on.
type dir string

// Dir reads saved pages from a folder: a page is in a file of its path's name, -ID if it was asked for one, and .html or .json.
func Dir(path string) Source { return dir(path) }

func (d dir) String() string { return string(d) }

func (d dir) Page(_ context.Context, path, id string) ([]byte, error) {
	name := path
	if id != "" {
		name += "-" + id
	}
	for _, ending := range []string{".html", ".json", ""} {
		f, err := os.Open(filepath.Join(string(d), name+ending))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(string(d), name+ending), reading.Cause(err))
		}
		defer f.Close()
		page, err := limited(f, filepath.Join(string(d), name+ending))
		if err == nil && path != "metrics" {
			err = whole(page, filepath.Join(string(d), name+ending))
		}
		return page, err
	}
	return nil, fmt.Errorf("%s: %w: neither %s.html nor %s.json is there", d, errNoPage, name, name)
}

// web is a running server.
type web struct {
	base   *url.URL
	client *http.Client
}

// Web reads the pages of a running server, such as http://host:8050. Each page must be there within 20 seconds.
func Web(address string) (Source, error) {
	text := address
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &configs.Problem{File: "--tserver", Field: "URL", Value: address, Allowed: "the address of a tablet server's web pages, such as http://host:8050"}
	}
	u.RawQuery, u.Fragment = "", ""
	return &web{u, &http.Client{Timeout: pageTimeout}}, nil
}

func (w *web) String() string { return w.base.Redacted() }

func (w *web) Page(ctx context.Context, path, id string) ([]byte, error) {
	u := w.base.JoinPath(path)
	if id != "" {
		u.RawQuery = url.Values{"id": {id}}.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := w.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Redacted(), reason(err))
	}
	defer answer.Body.Close()
	page, err := limited(answer.Body, u.Redacted())
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		if path != "metrics" {
			err = whole(page, u.Redacted())
		}
		return page, err
	}
	err = fmt.Errorf("%s: HTTP status %s%s", u.Redacted(), answer.Status, complaint(page))
	if answer.StatusCode == http.StatusNotFound || answer.StatusCode == http.StatusServiceUnavailable {
		err = fmt.Errorf("%w: %w", errNoPage, err)
	}
	return nil, err
}

// reason says in a word why a server could not be reached.
func reason(err error) error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("no answer within %v", pageTimeout)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// complaint is what Kudu's error page says, such as that a tablet is still bootstrapping.
func complaint(page []byte) string {
	for _, line := range strings.Split(readDocument(page).text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Tablet ") && len(line) < 200 {
			return ": " + line
		}
	}
	return ""
}

func limited(r io.Reader, name string) ([]byte, error) {
	page, err := io.ReadAll(io.LimitReader(r, maxPage+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reading.Cause(reason(err)))
	}
	if len(page) > maxPage {
		return nil, fmt.Errorf("%s: larger than %v", name, configs.Bytes(maxPage))
	}
	return page, nil
}

// whole refuses a page of which a part is missing: every web page of Kudu ends with </html>, and what was cut off would be taken for what is not there.
func whole(page []byte, name string) error {
	text := bytes.TrimSpace(page)
	switch {
	case len(text) == 0:
		return fmt.Errorf("%s: the page is empty", name)
	case text[0] == '<' && !bytes.HasSuffix(text, []byte("</html>")):
		return fmt.Errorf("%s: the page is cut off: it does not end with </html>", name)
	}
	return nil
}
