// Package markup takes the web pages of Kudu apart, and reads sizes as they stand there.
package markup

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// Document is what matters of a web page: Kudu's pages are tables, preformatted blocks and one drawing.
type Document struct {
	Rows  [][]string          // cells of every table row, trimmed
	Pre   []string            // preformatted blocks
	Heads []string            // headings
	Text  string              // everything that can be read
	Rects []map[string]string // attributes of the drawing's rectangles
}

// Read takes a page apart. Any bytes are a page: what is missing is for the caller to miss.
func Read(page []byte) *Document {
	d := &Document{}
	var all, block strings.Builder
	open := "" // the element whose text is gathered
	for tokens := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			d.Text = all.String()
			return d
		case html.TextToken:
			text := string(tokens.Text())
			all.WriteString(text)
			block.WriteString(text)
		case html.StartTagToken, html.SelfClosingTagToken:
			switch t := tokens.Token(); t.Data {
			case "tr":
				d.Rows = append(d.Rows, nil)
			case "td", "th", "pre", "h1", "h2", "h3":
				open = t.Data
				block.Reset()
			case "rect":
				d.Rects = append(d.Rects, attributes(t))
			}
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == open {
				d.close(open, block.String())
				open = ""
			}
		}
	}
}

// close keeps the text of an element that has ended.
func (d *Document) close(element, text string) {
	switch element {
	case "pre":
		d.Pre = append(d.Pre, text)
	case "td", "th":
		if n := len(d.Rows) - 1; n >= 0 {
			d.Rows[n] = append(d.Rows[n], strings.TrimSpace(text))
		}
	default:
		d.Heads = append(d.Heads, strings.TrimSpace(text))
	}
}

func attributes(t html.Token) map[string]string {
	m := make(map[string]string, len(t.Attr))
	for _, a := range t.Attr {
		m[a.Key] = a.Val
	}
	return m
}

// Cell gives the second cell of the row whose first is name.
func (d *Document) Cell(name string) (string, bool) {
	for _, row := range d.Rows {
		if len(row) == 2 && row[0] == name {
			return row[1], true
		}
	}
	return "", false
}

// tabletInHeading is a tablet's id where it stands in a heading.
var tabletInHeading = regexp.MustCompile(`\bTablet\s+([0-9a-f]{32})\b`)

// OtherTablet is the tablet that the page's heading names, if it is not the one with the id; empty = none, or there is no id.
func (d *Document) OtherTablet(id string) string {
	if id == "" {
		return ""
	}
	for _, head := range d.Heads {
		if m := tabletInHeading.FindStringSubmatch(head); m != nil && m[1] != id {
			return m[1]
		}
	}
	return ""
}

// PreWith gives the preformatted block that holds text.
func (d *Document) PreWith(text string) (string, bool) {
	for _, block := range d.Pre {
		if strings.Contains(block, text) {
			return block, true
		}
	}
	return "", false
}
