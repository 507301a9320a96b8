package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mmsim/plugins/sdk"
	"mmsim/policies"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mmsim": main, "panics": servePanic, "naive-policy": naivePolicy})
}

// servePanic is a policy binary that panics in its third decision.
func servePanic() {
	spec := policies.Raw()
	spec.New = func(policies.Values) (policies.Policy, error) { return new(panics), nil }
	sdk.Serve(spec)
}

type panics struct{ decisions int }

func (p *panics) Score(_ int64, _ int, c *policies.Candidates, scores []float64) error {
	if p.decisions++; p.decisions == 3 {
		panic("lost my way")
	}
	copy(scores, c.Perf)
	return nil
}

// TestScripts runs testdata/*.txtar. Besides testscript's own commands they know those of this file.
func TestScripts(t *testing.T) {
	tiny, err := os.ReadFile("testdata/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			return os.WriteFile(filepath.Join(env.WorkDir, "tiny.yaml"), tiny, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "refuses": refuses, "same": same, "interrupt": interrupt,
		},
	})
}

// exits CODE PROGRAM ARGS... runs a program that must exit with the code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	if code := codeOf(err); args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func codeOf(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// same A B [EXCEPT...] compares all files of two folders but those of some names at the top. With ! they must differ.
func same(ts *testscript.TestScript, neg bool, args []string) {
	a, b := tree(ts, args[0], args[2:]), tree(ts, args[1], args[2:])
	var different []string
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			different = append(different, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			different = append(different, name)
		}
	}
	slices.Sort(different)
	if neg == (len(different) == 0) {
		ts.Fatalf("of %d files these differ: %v", len(a), different)
	}
}

func tree(ts *testscript.TestScript, dir string, except []string) map[string][]byte {
	files := map[string][]byte{}
	root := os.DirFS(ts.MkAbs(dir))
	ts.Check(fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.Contains(except, path) {
			return err
		}
		files[path], err = fs.ReadFile(root, path)
		return err
	}))
	if len(files) == 0 {
		ts.Fatalf("%s is empty", dir)
	}
	return files
}

// interrupt FILE PROGRAM ARGS... starts a program, sends it SIGINT once FILE is there, and wants exit code 130 and no process
// left of what it started.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	var printed bytes.Buffer
	cmd := exec.Command(lookPath(ts, args[1]), args[2:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.Getenv("WORK"), &printed, &printed
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "WORK"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	for range 1000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	code := codeOf(cmd.Wait())
	ts.Logf("%s", printed.Bytes())
	ts.Check(os.WriteFile(ts.MkAbs("printed"), printed.Bytes(), 0o666))
	if code != exitInterrupted {
		ts.Fatalf("exit code %d, want %d", code, exitInterrupted)
	}
	if left := processesWith("TMPDIR=" + ts.Getenv("TMPDIR")); len(left) > 0 {
		ts.Fatalf("processes are left: %v", left)
	}
}

func lookPath(ts *testscript.TestScript, program string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, program); isFile(path) {
			return path
		}
	}
	ts.Fatalf("no program %s", program)
	return ""
}

// processesWith gives the processes with a variable in their environment, which is unique to a script. Without /proc there
// seem to be none.
func processesWith(variable string) []string {
	var found []string
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		environ, _ := os.ReadFile(path) // it may have ended meanwhile
		if slices.Contains(strings.Split(string(environ), "\x00"), variable) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			found = append(found, strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return found
}
