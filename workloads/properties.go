package workloads

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Property is one entry of a Java property file.
type Property struct {
	Key, Value string
	Line       int // from 1: where the entry begins
}

// Fault is a property that can't be used.
type Fault struct {
	Line     int    // 0 = the file as a whole
	Property string // empty = the line
	Value    string // empty = none is given
	Allowed  string // completes "... is not"; without a Property, the whole message
}

func (f *Fault) Error() string {
	switch {
	case f.Property == "":
		return fmt.Sprintf("line %d: %s", f.Line, f.Allowed)
	case f.Value == "":
		return fmt.Sprintf("%s is missing or empty: want %s", f.Property, f.Allowed)
	}
	return fmt.Sprintf("line %d: %s: %q is not %s", f.Line, f.Property, f.Value, f.Allowed)
}

// ParseProperties reads a property file as java.util.Properties does: # and ! begin comments, =, : or a blank ends a key, a backslash at the end
// of a line continues it, and \n, \t, \uXXXX and the like are escapes. Nothing is expanded. Entries come in the order of lines, of equal keys each.
func ParseProperties(data []byte) ([]Property, error) {
	if !utf8.Valid(data) {
		return nil, &Fault{Line: 1, Allowed: "not text in UTF-8"}
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(data), "\ufeff")), "\n")
	var out []Property
	for i := 0; i < len(lines); i++ {
		line := strings.TrimLeft(lines[i], blanks)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		p := Property{Line: i + 1}
		for continued(line) && i+1 < len(lines) {
			i++
			line = line[:len(line)-1] + strings.TrimLeft(lines[i], blanks)
		}
		if continued(line) {
			line = line[:len(line)-1]
		}
		end, value := split(line)
		var err error
		if p.Key, err = unescape(line[:end]); err == nil {
			p.Value, err = unescape(line[value:])
		}
		if err != nil {
			return nil, &Fault{Line: p.Line, Allowed: err.Error()}
		}
		out = append(out, p)
	}
	return out, nil
}

const blanks = " \t\f"

// continued says whether a line ends in an odd number of backslashes.
func continued(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// split finds where a line's key ends and its value begins.
func split(line string) (end, value int) {
	for end < len(line) && !strings.ContainsRune("=:"+blanks, rune(line[end])) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	rest := strings.TrimLeft(line[end:], blanks)
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], blanks)
	}
	return end, len(line) - len(rest)
}

// unescape replaces what begins with a backslash.
func unescape(text string) (string, error) {
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 't', 'n', 'r', 'f':
			b.WriteByte(map[byte]byte{'t': '\t', 'n': '\n', 'r': '\r', 'f': '\f'}[c])
		case 'u':
			code, err := strconv.ParseUint(text[min(i+1, len(text)):min(i+5, len(text))], 16, 16)
			if err != nil || i+5 > len(text) {
				return "", fmt.Errorf(`"\u%s" is not an escape of four hexadecimal digits`, text[i+1:min(i+5, len(text))])
			}
			b.WriteRune(rune(code))
			i += 4
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}
