package pages

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"mmsim/configs"
	"mmsim/importers/kudu/markup"
	"mmsim/reading"
)

const pageTimeout = 20 * time.Second // for one page

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
	if err != nil || !hasPort(u) || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &configs.Problem{File: "--tserver", Field: "URL", Value: address, Allowed: "the address of a tablet server's web pages, such as http://host:8050"}
	}
	u.RawQuery, u.Fragment = "", ""
	return &web{u, &http.Client{Timeout: pageTimeout, CheckRedirect: fewRedirects}}, nil
}

// hasPort says whether an address has a port that there is, or none.
func hasPort(u *url.URL) bool {
	_, ok := reading.Whole(cmp.Or(u.Port(), "80"), 1, 65535)
	return ok
}

var errRedirects = errors.New("it redirects on and on")

func fewRedirects(_ *http.Request, before []*http.Request) error {
	if len(before) >= 5 {
		return errRedirects
	}
	return nil
}

func (w *web) String() string { return w.base.Redacted() }

func (w *web) Page(ctx context.Context, path, id string) ([]byte, error) {
	u := w.base.JoinPath(path)
	if id != "" {
		u.RawQuery = url.Values{"id": {id}}.Encode()
	}
	name := u.Redacted()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: no address that can be asked for", name)
	}
	answer, err := w.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer answer.Body.Close()
	if answer.Request.Response != nil {
		name += " (redirected to " + answer.Request.URL.Redacted() + ")"
	}
	if answer.StatusCode == http.StatusOK {
		return pageOf(answer.Body, name, path)
	}
	page, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20)) // of which only its complaint counts
	err = fmt.Errorf("%s: HTTP status %s%s", name, answer.Status, complaint(page))
	if answer.StatusCode == http.StatusNotFound || answer.StatusCode == http.StatusServiceUnavailable {
		err = fmt.Errorf("%w: %w", errNoPage, err)
	}
	return nil, err
}

// reason says in plain words why a page could not be had.
func reason(err error) error {
	var (
		timeout net.Error
		lookup  *net.DNSError
		request *url.Error
		record  tls.RecordHeaderError
		errno   syscall.Errno
	)
	switch asked := errors.As(err, &request); {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped")
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("no answer within %v", pageTimeout)
	case errors.Is(err, errRedirects):
		return errRedirects
	case errors.As(err, &lookup):
		return fmt.Errorf("no host called %s could be found", lookup.Name)
	case errors.As(err, &record), asked && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return errors.New("it does not speak HTTPS: is it http://?")
	case certificateFault(err) != "":
		return errors.New(certificateFault(err))
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("connection refused: is this the address of its web pages, and does it run?")
	case errors.As(err, &errno):
		return errno
	case asked && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)):
		return errors.New("it broke off the connection without an answer: does it speak HTTPS only?")
	case asked:
		return errors.New("its answer is not that of a web server")
	}
	return reading.Cause(err)
}

// certificateFault says what is wrong with a server's certificate; empty = nothing.
func certificateFault(err error) string {
	var (
		unknown x509.UnknownAuthorityError
		other   x509.HostnameError
		invalid x509.CertificateInvalidError
		failed  *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &unknown):
		return "its certificate is signed by an authority that this machine does not know"
	case errors.As(err, &other):
		return "its certificate is for another name than " + other.Host
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired or is not yet valid"
	case errors.As(err, &invalid), errors.As(err, &failed):
		return "its certificate is not valid"
	}
	return ""
}

// complaint is what Kudu's error page says, such as that a tablet is still bootstrapping.
func complaint(page []byte) string {
	for _, line := range strings.Split(markup.Read(page).Text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Tablet ") && len(line) < 200 {
			return ": " + line
		}
	}
	return ""
}
