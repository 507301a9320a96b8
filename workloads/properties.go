package workloads

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Properties is a YCSB property file: names and values in Java's .properties format, comments, continued lines and
// escapes included. Lines end in "\n" or "\r\n" and the text is UTF-8. Nothing is expanded.
type Properties struct {
	file    string
	entries []property
}

type property struct {
	name, value string
	line        int // where it starts; 0 if not from the file
}

// ParseProperties reads a property file; file is its name for messages.
func ParseProperties(file string, r io.Reader) (*Properties, error) {
	p := &Properties{file: file}
	lines := bufio.NewScanner(r)
	number := 0
	for lines.Scan() {
		number++
		start, text := number, trimLeft(lines.Text())
		if text == "" || text[0] == '#' || text[0] == '!' {
			continue
		}
		for continues(text) {
			text = text[:len(text)-1]
			if !lines.Scan() {
				break
			}
			number++
			text += trimLeft(lines.Text())
		}
		name, value := split(text)
		if err := p.add(name, value, start); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, number+1, err)
	}
	return p, nil
}

// Set overrides a property, as YCSB's -p does.
func (p *Properties) Set(name, value string) {
	p.entries = append(p.entries, property{name: name, value: value})
}

func (p *Properties) add(name, value string, line int) error {
	n, err := unescape(name)
	if err != nil {
		return fmt.Errorf("%s:%d: name %q: %w", p.file, line, name, err)
	}
	v, err := unescape(value)
	if err != nil {
		return fmt.Errorf("%s:%d: value %q of %s: %w", p.file, line, value, n, err)
	}
	p.entries = append(p.entries, property{n, v, line})
	return nil
}

// find gives the property's last entry, which is the one that counts; nil if there is none.
func (p *Properties) find(name string) *property {
	for i := len(p.entries) - 1; i >= 0; i-- {
		if p.entries[i].name == name {
			return &p.entries[i]
		}
	}
	return nil
}

const blanks = " \t\f"

func trimLeft(s string) string { return strings.TrimLeft(s, blanks) }

// continues says whether the line ends in a backslash that is not itself escaped.
func continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// split ends the name at the first "=", ":" or blank that is not escaped. Blanks around the separator belong to
// neither side; blanks behind the value belong to the value.
func split(line string) (name, value string) {
	end := 0
	for end < len(line) && !strings.ContainsRune("=:"+blanks, rune(line[end])) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	value = trimLeft(line[end:])
	if value != "" && (value[0] == '=' || value[0] == ':') {
		value = trimLeft(value[1:])
	}
	return line[:end], value
}

func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			code, err := strconv.ParseUint(s[i+1:min(i+5, len(s))], 16, 16)
			if err != nil || i+5 > len(s) {
				return "", fmt.Errorf(`\u must be followed by 4 hexadecimal digits`)
			}
			b.WriteRune(rune(code))
			i += 4
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), nil
}
