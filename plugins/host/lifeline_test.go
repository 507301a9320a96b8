package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"testing"
	"time"

	"mmsim/files"
)

// hold is the program of TestHostDies: it opens a plugin, says so and waits to be killed.
func hold(path string) {
	p, err := Open(context.Background(), Command{Path: path}, Limits{})
	if err != nil {
		fmt.Println("0", err)
		return
	}
	fmt.Println(p.proc.cmd.Process.Pid, p.dir.Path)
	time.Sleep(time.Minute)
}

// TestHostDies kills a host that has had no chance to end its plugin, nor to remove the plugin's folder: the next one does.
func TestHostDies(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	host := exec.Command(self, "hold", binary("raw").Path)
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var rest string
	if _, err := fmt.Fscan(out, &pid, &rest); err != nil || pid == 0 {
		t.Fatalf("%v %v", err, rest)
	}
	defer os.RemoveAll(rest)
	files.Sweep(SocketRoot)
	if _, err := os.Stat(rest); err != nil {
		t.Errorf("the folder of a host that lives is removed: %v", err)
	}
	host.Process.Kill()
	host.Wait()
	files.Sweep(SocketRoot)
	if _, err := os.Stat(rest); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of a host that died is left: %v", err)
	}
	for range 30 {
		if len(living(pid)) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("3 s after its host the plugin still lives: %v", living(pid))
}

// TestLifeline breaks the stream of a session without a word, as the end of a host does where the kernel doesn't help.
func TestLifeline(t *testing.T) {
	p := openBad(t, "good")
	policy, err := p.open(map[string]any{"seats": int64(2)})
	if err != nil {
		t.Fatal(err)
	}
	if err := policy.Score(0, 0, table(), make([]float64, 2)); err != nil {
		t.Fatal(err)
	}
	policy.cancel()
	within(p.proc.exited, 5*time.Second) // the race detector alone takes a second to end a process
	if fate, died := p.proc.fate(); !died || fate != "exited with status 0" {
		t.Errorf("the plugin %s (%v)", fate, died)
	}
}

// TestSessionsAreIndependent ends one of two sessions; the other goes on.
func TestSessionsAreIndependent(t *testing.T) {
	p := openBad(t, "good")
	one, err := p.open(map[string]any{"seats": int64(1)})
	if err != nil {
		t.Fatal(err)
	}
	two, err := p.open(map[string]any{"seats": int64(2)})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, 2)
	for _, s := range []*session{one, two, one} {
		if err := s.Score(0, 0, table(), scores); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if err := one.Score(0, 0, table(), scores); err == nil {
		t.Error("a closed session scored")
	}
	if err := two.Score(0, 0, table(), scores); err != nil {
		t.Error(err)
	}
}
