package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/plots"
)

// outFile is the file that a verb is told to write, with the flag that names it.
type outFile struct {
	flag  string
	path  string // "" = none
	force bool
	to    *files.Output
}

// addTo adds the flag and --force.
func (o *outFile) addTo(cmd *cobra.Command, flag, standard, help string) {
	o.flag = "--" + flag
	cmd.Flags().StringVar(&o.path, flag, standard, help)
	addForce(cmd, &o.force)
}

func addForce(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "replace a file that mmsim did not write, or that was changed since")
}

// plan checks that the file can be written and is none of the inputs, before any work is done for it.
func (o *outFile) plan(kind files.Kind, inputs ...string) (err error) {
	if o.path == "" {
		return nil
	}
	if o.to, err = files.Plan(o.path, kind, o.force, inputs...); err != nil {
		return fmt.Errorf("%s: %w", o.flag, err)
	}
	return nil
}

// planFigure is plan for a figure.
func (o *outFile) planFigure(inputs ...string) error {
	kind, ok := plots.KindOf(o.path)
	if o.path != "" && !ok {
		return &configs.Problem{File: o.flag, Field: "file", Value: o.path, Allowed: "the name of an .svg or .png file"}
	}
	return o.plan(kind, inputs...)
}

// write fills the file, if there is to be one.
func (o *outFile) write(ctx context.Context, fill func(io.Writer) error) error {
	if o.to == nil {
		return nil
	}
	if err := o.to.Write(ctx, fill); err != nil {
		return &failure{fmt.Errorf("%s: %w", o.flag, err), exitFailed}
	}
	return nil
}

// content fills a file with what is at hand.
func content(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}
