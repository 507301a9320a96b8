package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuses PROGRAM ARGS... runs a program that must refuse what it is asked for, in words of its own.
func refuses(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[0], args[1:]...)
	if code := codeOf(err); code != exitInput {
		ts.Fatalf("exit code %d, want %d", code, exitInput)
	}
	text := ts.ReadFile("stderr")
	if word := goWords.FindString(text); word != "" {
		ts.Fatalf("%q is no word of ours", word)
	}
	if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "Usage") {
		ts.Fatalf("it does not say why")
	}
}

// Every flag of every verb has a wrong value in words.txtar.
func TestEveryFlagIsTriedWithWrongValues(t *testing.T) {
	script, err := os.ReadFile("testdata/words.txtar")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(script), "\n")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || cmd.Hidden || f.Name == "help" {
				return
			}
			for _, line := range lines {
				if strings.HasPrefix(line, "refuses "+cmd.CommandPath()+" ") && strings.Contains(line+" ", " --"+f.Name+" ") || strings.Contains(line, " --"+f.Name+"=") {
					return
				}
			}
			t.Errorf("%s --%s is not tried", cmd.CommandPath(), f.Name)
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root())
}
