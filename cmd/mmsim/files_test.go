package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// writing is a verb that writes a file, OUT among its arguments, from inputs.
type writing struct {
	name    string
	args    string
	out     string   // a name that the file may have
	inputs  []string // arguments that are files, which OUT must not be
	inside  string   // a file within a folder that is an input, which OUT must not be either
	slow    bool     // it takes so long that it is not run to its end
	figures bool     // it writes many files, of which OUT is one, into a folder that is named instead
}

var writings = []writing{
	{name: "calibrate", args: "calibrate --scan scan.tsv --ops ops.tsv --base base.yaml --out OUT", out: "out.yaml", inputs: []string{"scan.tsv", "ops.tsv", "base.yaml"}},
	{name: "calibrate --insert", args: "calibrate --insert scan.tsv --ops ops.tsv more.tsv --out OUT", slow: true, out: "out.yaml", inputs: []string{"scan.tsv", "ops.tsv", "more.tsv"}},
	{name: "compact", args: "compact layout.svg --plot OUT", out: "out.svg", inputs: []string{"layout.svg"}},
	{name: "compact, png", args: "compact layout.png --plot OUT", out: "out.png", inputs: []string{"layout.png"}},
	{name: "compare-ops", args: "compare-ops ops.svg log.svg --tables tables.svg --plot OUT", out: "out.svg", inputs: []string{"ops.svg", "log.svg", "tables.svg"}},
	{name: "import kudu", args: "import kudu --from-dir pages --out OUT", out: "out.yaml", inside: "pages/varz.html"},
	{name: "import kudu-log", args: "import kudu-log server.log --tables tables.tsv --out OUT", out: "out.tsv", inputs: []string{"server.log", "tables.tsv"}},
	{name: "fidelity", args: "fidelity --out OUT", out: "out.md", slow: true},
	{name: "plot", args: "plot result", out: "result/plots/waiting.svg", figures: true},
}

// command gives the arguments with which OUT is written to.
func (w *writing) command(out string, more ...string) []string {
	args := strings.Fields(w.args)
	for i := range args {
		if args[i] == "OUT" {
			args[i] = out
		}
	}
	return append(args, more...)
}

// inputsOfAll unpacks what the verbs read.
func inputsOfAll(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, script := range []string{"calibrate", "compact", "compareops", "importkudu", "importlog"} {
		archive, err := txtar.ParseFile("testdata/" + script + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			path := filepath.Join(dir, f.Name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, f.Data, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for from, to := range map[string][]string{
		"testdata/tiny.yaml": {"tiny.yaml"}, "../../configs/machines/kudu-2core-vm.yaml": {"base.yaml"},
		filepath.Join(dir, "layout.tsv"): {"layout.svg", "layout.png"}, filepath.Join(dir, "measured/ops.tsv"): {"ops.svg"},
		filepath.Join(dir, "server.log"): {"log.svg"}, filepath.Join(dir, "tables.tsv"): {"tables.svg"},
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range to {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(t, dir, "mmsim", "run", "tiny.yaml", "--policy", "raw", "--quiet", "--no-plots")
	if err := os.Mkdir(filepath.Join(dir, "result/plots"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// codeOfRun runs a program and gives its exit code and what it printed.
func codeOfRun(dir, program string, args ...string) (int, string) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	printed, err := cmd.CombinedOutput()
	return codeOf(err), string(printed)
}

// tempFiles names what mmsim's writer left anywhere in a folder.
func tempFiles(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".mmsim-tmp-") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fileState is what must not change of a file.
type fileState struct {
	info os.FileInfo
	data []byte
}

func stateOf(t *testing.T, path string) fileState {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return fileState{info, data}
}

func (s fileState) check(t *testing.T, path string) {
	t.Helper()
	if now := stateOf(t, path); !os.SameFile(now.info, s.info) || !bytes.Equal(now.data, s.data) {
		t.Errorf("%s is not what it was", path)
	}
}

// TestWrittenFiles tries everything that can go wrong with a file on every verb that writes one: the exit code says so, what was there before stays, and no
// temporary file does.
func TestWrittenFiles(t *testing.T) {
	dir := inputsOfAll(t)
	for i := range writings {
		w := &writings[i]
		t.Run(w.name, func(t *testing.T) {
			w.refusesInputs(t, dir)
			w.refusesOthers(t, dir)
			w.refusesUnwritable(t, dir)
			w.survivesFullDisk(t, dir)
			w.survivesSignals(t, dir)
			if left := tempFiles(t, dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// refusesInputs names inputs as the output: as they are, through symbolic links and through hard links.
func (w *writing) refusesInputs(t *testing.T, dir string) {
	for _, input := range append(slices.Clone(w.inputs), w.inside) {
		if input == "" {
			continue
		}
		before := stateOf(t, filepath.Join(dir, input))
		symbolic, hard := "symbolic"+filepath.Ext(w.out), "hard"+filepath.Ext(w.out)
		for _, err := range []error{os.Symlink(input, filepath.Join(dir, symbolic)), os.Link(filepath.Join(dir, input), filepath.Join(dir, hard))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, out := range []string{input, "./pages/../" + input, filepath.Join(dir, input), symbolic, hard} {
			code, printed := codeOfRun(dir, "mmsim", w.command(out, "--force")...)
			if code != exitInput || !strings.Contains(printed, "same file as the input") {
				t.Errorf("to %s: exit code %d, %s", out, code, printed)
			}
		}
		before.check(t, filepath.Join(dir, input))
		os.Remove(filepath.Join(dir, symbolic))
		os.Remove(filepath.Join(dir, hard))
	}
}

// refusesOthers lets it find a file of somebody else, and then gives it leave to replace that.
func (w *writing) refusesOthers(t *testing.T, dir string) {
	path := filepath.Join(dir, w.out)
	if err := os.WriteFile(path, []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	before := stateOf(t, path)
	want := exitInput
	if w.figures { // whose names are known late
		want = exitFailed
	}
	if code, printed := codeOfRun(dir, "mmsim", w.command(w.out)...); code != want || !strings.Contains(printed, "--force") {
		t.Errorf("over a file of somebody else: exit code %d, %s", code, printed)
	}
	before.check(t, path)
	if w.slow {
		return
	}
	if code, printed := codeOfRun(dir, "mmsim", w.command(w.out, "--force")...); code != 0 {
		t.Errorf("by force: exit code %d, %s", code, printed)
	}
	if code, printed := codeOfRun(dir, "mmsim", w.command(w.out)...); code != 0 {
		t.Errorf("over its own: exit code %d, %s", code, printed)
	}
}

// refusesUnwritable has it write where it can't.
func (w *writing) refusesUnwritable(t *testing.T, dir string) {
	if w.figures {
		return
	}
	folder := "/proc" // in which nobody can make a file, not even root
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		folder = filepath.Join(t.TempDir(), "closed")
		if err := os.Mkdir(folder, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range []string{filepath.Join(folder, filepath.Base(w.out)), filepath.Join("none", w.out)} {
		if code, printed := codeOfRun(dir, "mmsim", w.command(out)...); code != exitInput || !strings.Contains(printed, out+": ") {
			t.Errorf("to %s: exit code %d, %s", out, code, printed)
		}
	}
}

// survivesFullDisk has it write over its own file where there is room for less than the new one.
func (w *writing) survivesFullDisk(t *testing.T, dir string) {
	if w.slow {
		return
	}
	before := stateOf(t, filepath.Join(dir, w.out))
	// A limit on the size of files fails as a full disk does, in mid-file.
	args := append([]string{"-c", `ulimit -f 1; exec mmsim "$@"`, "sh"}, w.command(w.out)...)
	if w.name == "import kudu-log" { // whose file is too small for that
		args[1] = strings.Replace(args[1], "-f 1", "-f 0", 1)
	}
	code, printed := codeOfRun(dir, "sh", args...)
	if code != exitFailed || !strings.Contains(printed, "file too large") {
		t.Errorf("with a full disk: exit code %d, %s", code, printed)
	}
	before.check(t, filepath.Join(dir, w.out))
	if left := tempFiles(t, dir); len(left) > 0 {
		t.Errorf("left by a full disk: %v", left)
	}
	if runtime.GOOS == "linux" && !w.figures && filepath.Ext(w.out) != ".svg" && filepath.Ext(w.out) != ".png" {
		if code, printed := codeOfRun(dir, "mmsim", w.command("/dev/full")...); code != exitFailed || !strings.Contains(printed, "no space left on device") {
			t.Errorf("to /dev/full: exit code %d, %s", code, printed)
		}
	}
}

// survivesSignals interrupts and kills it at several moments: there is the older file or the new one, and nothing beside it but of what was killed, which the
// next time removes.
func (w *writing) survivesSignals(t *testing.T, dir string) {
	path := filepath.Join(dir, w.out)
	var whole []byte // nil = none
	if w.slow {
		os.Remove(path)
	} else {
		whole = stateOf(t, path).data
	}
	signals := []os.Signal{os.Kill, os.Interrupt, os.Kill, os.Interrupt}
	if w.figures {
		signals = signals[2:]
	}
	for n, signal := range signals {
		cmd := exec.Command("mmsim", w.command(w.out)...)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(10+10*n) * time.Millisecond)
		cmd.Process.Signal(signal)
		code := codeOf(cmd.Wait())
		allowed := []int{0, exitInterrupted, -1} // it may have been done, or have died of the signal
		if w.slow {
			allowed = []int{exitInput, exitInterrupted, -1}
		}
		if !slices.Contains(allowed, code) {
			t.Errorf("interrupted: exit code %d", code)
		}
		if data, _ := os.ReadFile(path); !bytes.Equal(data, whole) {
			t.Errorf("after %v: %d bytes", signal, len(data))
		}
		if left := tempFiles(t, dir); signal == os.Interrupt && len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	}
}

// TestInterruptedFidelity stops the longest of them in the midst of its work: by Ctrl-C it leaves nothing, and what it leaves when it is killed the next run
// removes.
func TestInterruptedFidelity(t *testing.T) {
	dir := inputsOfAll(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	folders := func() []string {
		found, _ := filepath.Glob(filepath.Join(temporary, "mmsim-tmp-*"))
		return found
	}
	for _, signal := range []os.Signal{os.Interrupt, os.Kill} {
		cmd := exec.Command("mmsim", "fidelity", "--out", "out.md")
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			if len(folders()) > 0 {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		cmd.Process.Signal(signal)
		code := codeOf(cmd.Wait())
		if signal == os.Interrupt && (code != exitInterrupted || len(folders()) > 0) {
			t.Errorf("exit code %d, left: %v", code, folders())
		}
		if _, err := os.Stat(filepath.Join(dir, "out.md")); err == nil {
			t.Errorf("after %v: a report is there", signal)
		}
	}
	if len(folders()) != 1 {
		t.Fatalf("after a kill there are %v", folders())
	}
	run(t, dir, "mmsim", "run", "tiny.yaml", "--policy", "raw", "--quiet", "--no-plots")
	if left := folders(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestFullStdout: what could not be printed is a failure of every verb.
func TestFullStdout(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /dev/full")
	}
	dir := inputsOfAll(t)
	ops := "maintenance: {}\nops: [{name: FlushMRSOp(a), ram: 1MB, perf: 1}]\n"
	if err := os.WriteFile(filepath.Join(dir, "decision.yaml"), []byte(ops), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"", "help", "--help", "run --help", "completion bash", "__complete r", "version", "policies", "experiments", "show review-15995", "schema", "import", "check tiny.yaml",
		"run tiny.yaml --policy raw --no-plots --quiet", "plot result", "decide decision.yaml", "decide decision.yaml --json", "compact layout.tsv", "compact layout.tsv --json",
		"compare-ops measured server.log --tables tables.tsv", "compare-ops measured server.log --json", "calibrate --ops ops.tsv", "calibrate --ops ops.tsv --json --out fitted.yaml",
		"import kudu --from-dir pages", "import kudu-log server.log",
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var printed bytes.Buffer
		cmd := exec.Command("mmsim", strings.Fields(args)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, full, &printed
		err = cmd.Run()
		full.Close()
		if code := codeOf(err); code != exitFailed || !strings.Contains(printed.String(), "standard output: no space left on device") {
			t.Errorf("%s: exit code %d, %s", args, code, printed.String())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "fitted.yaml")); err != nil {
		t.Error(err) // what was written is
	}
}

// TestRunOnFullDisk: a run that finds no room leaves the older result whole, and one that finds none for figures its own.
func TestRunOnFullDisk(t *testing.T) {
	dir := inputsOfAll(t)
	older := filepath.Join(dir, "result/result.json")
	before := stateOf(t, older)
	limited := func(blocks int) (int, string) {
		return codeOfRun(dir, "sh", "-c", fmt.Sprintf("ulimit -f %d; exec mmsim run tiny.yaml --policy raw --quiet", blocks))
	}
	for _, blocks := range []int{0, 1, 4} {
		code, printed := limited(blocks)
		if code != exitFailed && !(blocks == 0 && code == exitInput) || !strings.Contains(printed, "file too large") {
			t.Errorf("%d blocks: exit code %d, %s", blocks, code, printed)
		}
		before.check(t, older)
		if code, printed := codeOfRun(dir, "mmsim", "plot", "result.incomplete"); code != exitInput {
			t.Errorf("%d blocks: the interrupted run passes as whole: exit code %d, %s", blocks, code, printed)
		}
	}
	code, printed := limited(192)
	if code != exitFailed || !strings.Contains(printed, "file too large; the result in result is complete without them") {
		t.Errorf("without room for figures: exit code %d, %s", code, printed)
	}
	run(t, dir, "mmsim", "compare-ops", "result", "result")
	if _, err := os.Stat(filepath.Join(dir, "result.incomplete")); err == nil {
		t.Error("result.incomplete is left")
	}
}

// TestInterruptedImport stops an import that waits for a server that gives no answer.
func TestInterruptedImport(t *testing.T) {
	asked, done := make(chan bool, 1), make(chan bool)
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- true
		<-done
	}))
	defer silent.Close()
	defer close(done)
	dir := t.TempDir()
	cmd := exec.Command("mmsim", "import", "kudu", "--tserver", silent.URL, "--out", "now.yaml")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	cmd.Process.Signal(os.Interrupt)
	if code := codeOf(cmd.Wait()); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}
