package kudu

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// document is what matters of a web page: Kudu's pages are tables, preformatted blocks and one drawing.
type document struct {
	rows  [][]string // cells of every table row, trimmed
	pre   []string   // preformatted blocks
	heads []string   // headings
	text  string     // everything that can be read
	rects []map[string]string
}

// readDocument takes a page apart. Any bytes are a page: what is missing is for the caller to miss.
func readDocument(page []byte) *document {
	d := &document{}
	var all, block strings.Builder
	open := "" // the element whose text is gathered
	for tokens := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			d.text = all.String()
			return d
		case html.TextToken:
			text := string(tokens.Text())
			all.WriteString(text)
			block.WriteString(text)
		case html.StartTagToken, html.SelfClosingTagToken:
			switch t := tokens.Token(); t.Data {
			case "tr":
				d.rows = append(d.rows, nil)
			case "td", "th", "pre", "h1", "h2", "h3":
				open = t.Data
				block.Reset()
			case "rect":
				d.rects = append(d.rects, attributes(t))
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
func (d *document) close(element, text string) {
	switch element {
	case "pre":
		d.pre = append(d.pre, text)
	case "td", "th":
		if n := len(d.rows) - 1; n >= 0 {
			d.rows[n] = append(d.rows[n], strings.TrimSpace(text))
		}
	default:
		d.heads = append(d.heads, strings.TrimSpace(text))
	}
}

func attributes(t html.Token) map[string]string {
	m := make(map[string]string, len(t.Attr))
	for _, a := range t.Attr {
		m[a.Key] = a.Val
	}
	return m
}

// cell gives the second cell of the row whose first is name.
func (d *document) cell(name string) (string, bool) {
	for _, row := range d.rows {
		if len(row) == 2 && row[0] == name {
			return row[1], true
		}
	}
	return "", false
}

// tabletInHeading is a tablet's id where it stands in a heading.
var tabletInHeading = regexp.MustCompile(`\bTablet\s+([0-9a-f]{32})\b`)

// otherTablet is the tablet that the page's heading names, if it is not the one with the id; empty = none, or there is no id.
func (d *document) otherTablet(id string) string {
	if id == "" {
		return ""
	}
	for _, head := range d.heads {
		if m := tabletInHeading.FindStringSubmatch(head); m != nil && m[1] != id {
			return m[1]
		}
	}
	return ""
}

// preWith gives the preformatted block that holds text.
func (d *document) preWith(text string) (string, bool) {
	for _, block := range d.pre {
		if strings.Contains(block, text) {
			return block, true
		}
	}
	return "", false
}
