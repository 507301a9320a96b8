package configs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Problem is one thing wrong in an experiment: where it stands, what was written and what may be written instead.
type Problem struct {
	File       string // the YAML file, or --set and the like
	Line       int    // from 1; 0 = the file as a whole
	Field      string // dotted path, such as policies[1].params.bound; empty = the file as a whole
	Value      string // as written; empty = nothing was
	Allowed    string // completes "... is not": "a size (...)", "one of uniform, zipfian"; without a Field, the whole message
	Suggestion string // what was probably meant; may be empty
}

// Error gives the problem in one line.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	field := oneLine(p.Field)
	switch {
	case p.Field == "":
		fmt.Fprintf(&b, ": %s", p.Allowed)
	case p.Value == "":
		fmt.Fprintf(&b, ": %s is missing or empty: want %s", field, p.Allowed)
	default:
		fmt.Fprintf(&b, ": %s: \"%s\" is not %s", field, oneLine(p.Value), p.Allowed)
	}
	if p.Suggestion != "" {
		fmt.Fprintf(&b, "; did you mean %s?", p.Suggestion)
	}
	return b.String()
}

// maxProblems is how many are worth reading at once.
const maxProblems = 20

// together joins problems, each once, and no more than are worth reading at once.
func together(problems []error) error {
	var out []error
	seen := map[string]bool{}
	for _, err := range problems {
		for _, e := range Apart(err) {
			if text := e.Error(); !seen[text] {
				seen[text] = true
				out = append(out, e)
			}
		}
	}
	if more := len(out) - maxProblems; more > 0 {
		out = slices.Insert(out[:maxProblems], maxProblems, error(&Problem{File: fileOf(out[maxProblems-1]), Allowed: fmt.Sprintf("and %d more problems", more)}))
	}
	return errors.Join(out...)
}

// Apart gives the errors that errors.Join put together.
func Apart(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range many.Unwrap() {
			all = append(all, Apart(e)...)
		}
		return all
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// fileOf is the file that a problem lies in.
func fileOf(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.File
	}
	return ""
}

// oneLine makes any text fit into a line: control characters escaped, the end of a long one cut off.
func oneLine(text string) string {
	const longest = 80
	return cut(text, longest)
}

func cut(text string, longest int) string {
	if len(text) > longest {
		text = text[:longest] + "..."
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// nearest gives the name that word was probably meant to be, or "".
func nearest(word string, names []string) string {
	best, bestCost := "", len(word)/3+2
	for _, name := range names {
		cost := editDistance(strings.ToLower(word), strings.ToLower(name))
		if len(word) >= 3 && strings.Contains(name, word) {
			cost = min(cost, 2)
		}
		if cost < bestCost {
			best, bestCost = name, cost
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace (Levenshtein 1965). Long words are compared by their start.
func editDistance(a, b string) int {
	const longest = 64
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
