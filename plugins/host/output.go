package host

import (
	"io"
	"slices"
	"strings"
	"sync"
)

// output keeps the last of what a plugin printed. Several goroutines may write to it.
type output struct {
	mu  sync.Mutex
	buf []byte
}

const keptOutput = 64 << 10 // bytes

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
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

// head passes on a plugin's stdout and keeps its first line, which should be the handshake.
type head struct {
	io.ReadCloser
	mu   sync.Mutex
	line []byte
	done bool
}

// Read implements io.Reader.
func (h *head) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done && len(h.line) < 1000 {
		text, _, ended := strings.Cut(string(p[:n]), "\n")
		h.line, h.done = append(h.line, text...), ended
	}
	return n, err
}

// first is the first line so far.
func (h *head) first() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(string(h.line))
}
