package pages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Step is a part of an import, for whoever waits for it.
type Step struct {
	Server      string // its address or folder; empty = all of them
	Doing       string // such as "tablet 3f46... of table ta"
	Done, Total int    // of the server's tablets
}

// Notes are what a reader should know of an import: what went wrong, and what pages don't tell.
type Notes struct {
	Warnings []string   // what was left out or could not be read, by name
	Untold   []string   // what the pages don't tell
	Progress func(Step) // is told what is done next; nil = nobody is
}

// doing tells what is done next.
func (n *Notes) doing(s Step) {
	if n.Progress != nil {
		n.Progress(s)
	}
}

// Warn adds a warning, unless it is there already.
func (n *Notes) Warn(format string, args ...any) {
	if text := printable(fmt.Sprintf(format, args...)); !slices.Contains(n.Warnings, text) {
		n.Warnings = append(n.Warnings, text)
	}
}

// Missing adds something that the pages don't tell, unless it is there already.
func (n *Notes) Missing(format string, args ...any) {
	if text := printable(fmt.Sprintf(format, args...)); !slices.Contains(n.Untold, text) {
		n.Untold = append(n.Untold, text)
	}
}

// printable makes any text fit into a line.
func printable(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
