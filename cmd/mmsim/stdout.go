package main

import (
	"fmt"
	"io"

	"mmsim/reading"
)

// checked is the standard output of all verbs. It keeps the first error, which not every verb looks at: what was asked for has not been printed.
type checked struct {
	to  io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// with gives the error of a verb or, if it could not print, a failure that says so.
func (c *checked) with(err error) error {
	if c.err == nil {
		return err
	}
	return &failure{fmt.Errorf("standard output: %w", reading.Cause(c.err)), exitFailed}
}
