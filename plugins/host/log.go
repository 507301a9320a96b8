package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// mostLogged bounds the file of what a plugin printed.
const mostLogged = 1 << 20

// printLog is the file of what a plugin printed, from its start on. There is none before something was printed.
type printLog struct {
	path   string
	early  []byte // printed before there was a path
	file   *os.File
	size   int
	err    error // the first; nothing is written after it
	closed bool
}

// LogTo makes a file of all that the plugin prints and has printed, up to 1 MiB, as soon as there is something.
func (p *Plugin) LogTo(path string) {
	o := &p.printed
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log.path = path
	early := o.log.early
	o.log.early = nil
	o.log.write(early)
}

// LogError says what went wrong with the file of LogTo. It is to be asked after Close, which ends the file.
func (p *Plugin) LogError() error {
	o := &p.printed
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log.err != nil {
		return fmt.Errorf("write what policy plugin %s printed: %w", p.path, o.log.err)
	}
	return nil
}

func (l *printLog) write(p []byte) {
	if l.closed || l.err != nil || len(p) == 0 || l.size > mostLogged {
		return
	}
	if l.path == "" {
		l.early = append(l.early, p[:min(len(p), mostLogged+1-len(l.early))]...)
		return
	}
	if l.file == nil {
		if l.err = l.create(); l.err != nil {
			return
		}
	}
	l.size += len(p)
	if over := l.size - mostLogged; over > 0 {
		p = append(p[:len(p)-over:len(p)-over], "\n[mmsim: the policy printed more than 1 MiB; the rest is left out]\n"...)
	}
	_, l.err = l.file.Write(p)
}

func (l *printLog) create() error {
	err := os.MkdirAll(filepath.Dir(l.path), 0o777)
	if err == nil {
		l.file, err = os.Create(l.path)
	}
	return err
}

// close ends the file.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if l := &o.log; !l.closed && l.file != nil {
		l.err = errors.Join(l.err, l.file.Close())
	}
	o.log.closed = true
}
