package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/configs"
	"mmsim/policies"
)

// sayPlainly puts cobra's errors about the command line into one line each, in words of what was typed.
func sayPlainly(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(flagError)
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return argumentError(cmd, args, check(cmd, args)) }
	}
	for _, sub := range cmd.Commands() {
		sayPlainly(sub)
	}
}

// argumentError names the verb and how it is used.
func argumentError(cmd *cobra.Command, args []string, err error) error {
	switch {
	case err == nil:
		return nil
	case cmd.HasSubCommands() && len(args) > 0:
		var names []string
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				names = append(names, sub.Name())
			}
		}
		return &configs.Problem{File: cmd.CommandPath(), Allowed: strconv.Quote(args[0]) + " is not a command: there are " + strings.Join(names, ", "),
			Suggestion: policies.Suggest(args[0], names)}
	case len(args) == 0:
		return fmt.Errorf("%s: an argument is missing: %s", cmd.Name(), cmd.UseLine())
	}
	return fmt.Errorf("%s: %d arguments are too many or too few: %s", cmd.Name(), len(args), cmd.UseLine())
}

// flagTypes says what a flag of a type takes.
var flagTypes = map[string]string{"int": "a whole number of at most 18 digits", "bool": "true or false"}

// flagError says what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		flag := invalid.GetFlag()
		return fmt.Errorf("--%s: %q is not %s", flag.Name, invalid.GetValue(), flagTypes[flag.Value.Type()])
	case errors.As(err, &missing):
		return fmt.Errorf("--%s: its value is missing", missing.GetFlag().Name)
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		text := err.Error()
		if near := policies.Suggest(unknown.GetSpecifiedName(), names); near != "" && len(unknown.GetSpecifiedName()) > 1 {
			text += "; did you mean --" + near + "?"
		}
		return errors.New(text)
	}
	return err
}
