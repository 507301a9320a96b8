// Command mmsim simulates how Kudu's maintenance ops are scheduled and shows what clients feel of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes. 0 is success.
const (
	exitFailed      = 1   // something broke while it was done
	exitInput       = 2   // what was asked for is wrong; nothing was written
	exitPolicy      = 3   // a policy failed in a run, or would not have let it end
	exitDiffers     = 4   // a comparison that was asked for found a difference
	exitInterrupted = 130 // as shells count Ctrl-C
)

func main() {
	os.Exit(mmsim())
}

// mmsim runs the command line and gives the exit code.
func mmsim() int {
	frugal()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills at once
	out := &checked{to: os.Stdout}
	cmd := root()
	cmd.SetOut(out)
	err := out.with(cmd.ExecuteContext(ctx))
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintln(os.Stderr, err)
	return exitCode(ctx, err)
}

// quitOnSignal ends the program at the first signal until the function it gives is called: for verbs that may compute for long before they write anything.
func quitOnSignal(ctx context.Context) (done func()) {
	stop := context.AfterFunc(ctx, func() { os.Exit(exitInterrupted) })
	return sync.OnceFunc(func() {
		if !stop() {
			select {} // the signal has come, and ends the program
		}
	})
}

// frugal lets the garbage collector run more often than usual: a simulation allocates little and lives long, so that keeps its memory
// near what it needs and costs next to nothing. GOGC still has the last word.
func frugal() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(30)
	}
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mmsim",
		Short: "Simulate how Kudu's maintenance ops are scheduled",
		Long: `mmsim replays client workloads on simulated Kudu tablets while a policy ranks the flushes and compactions that wait,
and shows what the clients feel and which ops starve.

  mmsim run          simulate the experiment of Kudu's code review 15995 and draw the results`,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.AddCommand(runCommand(), plotCommand(), checkCommand(), experimentsCommand(), showCommand(), policiesCommand(),
		decideCommand(), compactCommand(), compareOpsCommand(), calibrateCommand(), importCommand(), fidelityCommand(), schemaCommand(), versionCommand(), servePolicyCommand())
	sayPlainly(cmd)
	return cmd
}

// A failure is an error that came up after the input had been found right.
type failure struct {
	error
	code int
}

func (f *failure) Unwrap() error { return f.error }

// exitCode gives the code of an error: whatever is not a failure is wrong input, of which cobra's errors are the most.
func exitCode(ctx context.Context, err error) int {
	if ctx.Err() != nil {
		return exitInterrupted
	}
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitInput
}
