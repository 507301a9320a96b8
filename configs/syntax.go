package configs

import (
	"bytes"
	"regexp"

	"mmsim/reading"
)

var (
	parserFault   = regexp.MustCompile(`^did not find expected (key|node content|'[,-]|<)`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '([^']*)' referenced$`)
)

// syntaxHints say what mostly lies behind a fault that the YAML library names by its own parts.
var syntaxHints = map[string]string{
	"mapping values are not allowed in this context":               "a colon where no key can stand: is the line indented too far, or does a text with a colon lack quotes?",
	"did not find expected key":                                    "no key where one is due: is the line indented otherwise than those it belongs to?",
	"could not find expected ':'":                                  "a line without key: value, or a text in several lines that lacks quotes",
	"did not find expected node content":                           "a value is missing or begins with a character that needs quotes",
	"did not find expected ',' or '}'":                             "a { that is not closed, or a comma is missing",
	"did not find expected ',' or ']'":                             "a [ that is not closed, or a comma is missing",
	"did not find expected '-' indicator":                          "a line that belongs neither to the list before it nor to what holds the list: look at its indentation",
	"found a tab character that violates indentation":              "a tab at the start of a line: indent with spaces",
	"found a tab character where an indentation space is expected": "a tab at the start of a line: indent with spaces",
	"found character that cannot start any token":                  "a character that no value can begin with, such as a tab, @ or `: indent with spaces, and put quotes around texts",
	"found unexpected end of stream":                               "a quote that is not closed",
	"found unexpected document indicator":                          "a quote that is not closed",
	"found incompatible YAML document":                             "a %YAML line: leave it out",
	"found unknown directive name":                                 "a line that begins with %: put quotes around texts",
	"control characters are not allowed":                           "a control character",
	"block sequence entries are not allowed in this context":       "a - where no list can stand: put it on a line of its own",
}

// syntaxProblem gives a YAML syntax error a file and line, in words of what was written.
func syntaxProblem(file string, data []byte, err error) error {
	line, text := reading.YAML(err)
	if line > 0 && parserFault.MatchString(text) { // whose lines the library counts from 0
		line = min(line+1, 1+bytes.Count(bytes.TrimRight(data, "\n"), []byte("\n")))
	}
	if a := unknownAnchor.FindStringSubmatch(text); a != nil {
		before, _, _ := bytes.Cut(data, []byte("*"+a[1]))
		line, text = 1+bytes.Count(before, []byte("\n")), "no anchor &"+a[1]+" stands before this alias"
	}
	if hint, ok := syntaxHints[text]; ok {
		text = hint
	}
	return &Problem{File: file, Line: max(line, 1), Allowed: "not YAML: " + cut(text, 200)}
}
