package host

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
)

// output keeps the last of what a plugin printed, and passes all of it on to a log. Several goroutines may write to it.
type output struct {
	mu  sync.Mutex
	buf []byte
	log printLog
}

const keptOutput = 64 << 10 // bytes

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log.write(p)
	o.buf = append(o.buf, p...)
	if len(o.buf) > 2*keptOutput {
		o.buf = slices.Delete(o.buf, 0, len(o.buf)-keptOutput)
	}
	return len(p), nil
}

// report gives 20 lines: from the last panic on if there is one, else the last ones.
func (o *output) report() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	const most = 20
	lines := strings.Split(strings.TrimSpace(string(o.buf)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if startsPanic(lines[i]) {
			return strings.Join(lines[i:min(i+most, len(lines))], "\n")
		}
	}
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// head passes a plugin's first line on stdout, which should be the handshake, to go-plugin. What comes after it is no business of go-plugin's,
// which would stop reading at a long line: it goes to rest.
type head struct {
	io.ReadCloser
	rest io.Writer
	mu   sync.Mutex
	line []byte
	done bool
}

// Read implements io.Reader.
func (h *head) Read(p []byte) (int, error) {
	for h.ended() {
		n, err := h.ReadCloser.Read(p)
		h.rest.Write(p[:n])
		if err != nil {
			return 0, err
		}
	}
	n, err := h.ReadCloser.Read(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	line, rest, ended := bytes.Cut(p[:n], []byte("\n"))
	if len(h.line) < 1000 {
		h.line = append(h.line, line...)
	}
	if h.done = ended; ended {
		h.rest.Write(rest)
		n = len(line) + 1
	}
	return n, err
}

func (h *head) ended() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.done
}

// first is the first line so far.
func (h *head) first() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(string(h.line))
}
