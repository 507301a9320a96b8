package pages

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestWebFaults: whatever goes wrong with a server is said in plain words, with the address.
func TestWebFaults(t *testing.T) {
	plain := func(handler http.HandlerFunc) string {
		s := httptest.NewServer(handler)
		t.Cleanup(s.Close)
		return s.URL
	}
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }
	}
	secure := httptest.NewUnstartedServer(page("[]"))
	secure.Config.ErrorLog = silent
	secure.StartTLS()
	t.Cleanup(secure.Close)
	raw := func(answer string) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Read(make([]byte, 4096))
				c.Write([]byte(answer))
				c.Close()
			}
		}()
		return "http://" + l.Addr().String()
	}
	for _, tt := range []struct{ name, address, want string }{
		{"refused", "http://127.0.0.1:1", "/metrics: connection refused: is this the address of its web pages, and does it run?"},
		{"no host", "http://no-such-host.invalid:8050", "no host called no-such-host.invalid could be found"},
		{"unknown authority", secure.URL, "its certificate is signed by an authority that this machine does not know"},
		{"TLS to a plain server", strings.Replace(plain(page("[]")), "http:", "https:", 1), "it does not speak HTTPS: is it http://?"},
		{"plain to a TLS server", strings.Replace(secure.URL, "https:", "http:", 1), "HTTP status 400 Bad Request"},
		{"redirects for ever", plain(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }), "it redirects on and on"},
		{"redirected to nothing", plain(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/metrics" {
				http.Redirect(w, r, "/login", http.StatusFound)
			} else {
				http.NotFound(w, r)
			}
		}), "/login): HTTP status 404 Not Found"},
		{"not found", plain(http.NotFound), "/metrics: HTTP status 404 Not Found"},
		{"forbidden", plain(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }), "/metrics: HTTP status 403 Forbidden"},
		{"no gzip", plain(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("this is no gzipped page"))
		}), "/metrics: its gzipped data is damaged"},
		{"cut", raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{"), "/metrics: it ends early: is it cut off?"},
		{"another protocol", raw("SSH-2.0-OpenSSH_9.6\r\n"), "/metrics: its answer is not that of a web server"},
		{"silence", raw(""), "/metrics: it broke off the connection without an answer: does it speak HTTPS only?"},
	} {
		source, err := Web(tt.address)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ReadServer(context.Background(), source, &Notes{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.address+"/metrics") {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		if err != nil {
			plainWords(t, tt.name, err)
		}
	}
}

func TestWeb(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/tablet" && r.URL.Query().Get("id") == "young":
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, "<div class='text-error'>Tablet young is still bootstrapping</div>")
		case r.URL.Path == "/metrics":
			fmt.Fprint(w, "[]")
		case r.URL.Path == "/varz":
			w.WriteHeader(http.StatusInternalServerError)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	source, err := Web(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if page, err := source.Page(ctx, "metrics", ""); err != nil || string(page) != "[]" {
		t.Errorf("metrics: %q, %v", page, err)
	}
	if _, err := source.Page(ctx, "tablet", "young"); !errors.Is(err, errNoPage) || !strings.Contains(err.Error(), "503 Service Unavailable: Tablet young is still bootstrapping") {
		t.Errorf("bootstrapping: %v", err)
	}
	if _, err := source.Page(ctx, "tablet", "gone"); !errors.Is(err, errNoPage) {
		t.Errorf("gone: %v", err)
	}
	if _, err := source.Page(ctx, "varz", ""); err == nil || errors.Is(err, errNoPage) {
		t.Errorf("broken: %v", err)
	}
	server.Close()
	if _, err := source.Page(ctx, "metrics", ""); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("unreachable: %v", err)
	}
	for _, address := range []string{"", "ftp://x", "http://", "a b"} {
		if _, err := Web(address); err == nil {
			t.Errorf("%q: no error", address)
		}
	}
}

// TestSilentServer: one that does not answer is given up.
func TestSilentServer(t *testing.T) {
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer server.Close()
	defer close(done)
	source, err := Web(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	source.(*web).client.Timeout = 20 * time.Millisecond
	if _, err := source.Page(context.Background(), "metrics", ""); err == nil || !strings.Contains(err.Error(), "no answer within 20s") {
		t.Errorf("silent: %v", err)
	}
}
