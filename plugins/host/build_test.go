package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mmsim/plugins/sdk"
	"mmsim/policies"
)

// built is the folder with the plugins that the tests run.
var built string

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve-policy" { // what Self starts
		spec, _ := policies.Lookup(os.Args[2])
		sdk.Serve(*spec)
	}
	if len(os.Args) == 3 && os.Args[1] == "hold" {
		hold(os.Args[2])
		os.Exit(1)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if built, err = os.MkdirTemp("", "mmsim-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(built)
	args := append([]string{"build", "-o", built + "/"}, raceFlag...)
	for _, dir := range []string{"../raw", "../workload-scaled", "../priority-weighted", "./testdata/bad"} {
		args = append(args, dir)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the plugins: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

func binary(name string) Command { return Command{Path: filepath.Join(built, name)} }
