package compare

import (
	"bufio"
	"slices"
	"strings"
	"unicode/utf8"
)

// column is one column of a printed comparison.
type column struct {
	heading string
	cells   []string // one a row; empty where there is no number
}

func writeLine(out *bufio.Writer, label string, cells []string, widths []int) {
	line := label
	for k, cell := range cells {
		line += " " + padLeft(cell, widths[k])
	}
	out.WriteString(strings.TrimRight(line, " ") + "\n")
}

// fit finds the width of each column and breaks the headings into lines that fit; the last lines stand just above
// the numbers. A column is widened for its heading only as far as the longest piece that cannot be broken.
func fit(cols []column) (widths []int, headings [][]string) {
	pieces := make([][]string, len(cols))
	height := 0
	widths = make([]int, len(cols))
	for k, col := range cols {
		words := breakable(col.heading)
		widths[k] = max(widest(col.cells), widest(words))
		pieces[k] = wrap(words, widths[k])
		height = max(height, len(pieces[k]))
	}
	headings = make([][]string, height)
	for i := range headings {
		headings[i] = make([]string, len(cols))
		for k := range cols {
			if at := i - (height - len(pieces[k])); at >= 0 {
				headings[i][k] = pieces[k][at]
			}
		}
	}
	return widths, headings
}

// breakable splits a heading after every hyphen and at every blank; a piece keeps its hyphen.
func breakable(heading string) []string {
	return strings.Fields(strings.ReplaceAll(heading, "-", "- "))
}

// wrap joins pieces again into lines of at most width.
func wrap(pieces []string, width int) []string {
	var lines []string
	for _, piece := range pieces {
		if len(lines) > 0 {
			joined := lines[len(lines)-1]
			if !strings.HasSuffix(joined, "-") {
				joined += " "
			}
			joined += piece
			if utf8.RuneCountInString(joined) <= width {
				lines[len(lines)-1] = joined
				continue
			}
		}
		lines = append(lines, piece)
	}
	return lines
}

func widest(cells []string) int {
	width := 0
	for _, cell := range cells {
		width = max(width, utf8.RuneCountInString(cell))
	}
	return width
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// wrapped joins parts to lines of a length that a terminal holds; those after the first are indented.
func wrapped(head string, parts []string, between string) (lines []string) {
	const most = 120
	line := head
	for i, part := range parts {
		if i+1 < len(parts) {
			part += between
		}
		if len(line)+len(part) > most && line != head {
			lines = append(lines, strings.TrimRight(line, " "))
			line = "  "
		}
		line += part
	}
	return append(lines, line)
}

// widened sets columns further apart, as cells hold several numbers.
func widened(widths []int) []int {
	wide := slices.Clone(widths)
	for i := range wide {
		wide[i] += 2
	}
	return wide
}
