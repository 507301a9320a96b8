package layout

import (
	"regexp"
	"strconv"
)

// splitPair parts a pair of keys at the comma between them. Keys may hold commas: then it is the one that parts keys of equal length, which most
// are, or else the middle one.
func splitPair(pair string) (smallest, largest string, ok bool) {
	var commas, even []int
	for i := range len(pair) {
		if pair[i] != ',' {
			continue
		}
		commas = append(commas, i)
		if len(unescaped(pair[:i])) == len(unescaped(pair[i+1:])) {
			even = append(even, i)
		}
	}
	var at int
	switch {
	case len(even) == 1:
		at = even[0]
	case len(commas)%2 == 1:
		at = commas[len(commas)/2]
	default:
		return "", "", false
	}
	smallest, largest = unescaped(pair[:at]), unescaped(pair[at+1:])
	return smallest, largest, smallest <= largest
}

var escape = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// unescaped gives the bytes of a key that Kudu wrote with \x before those that cannot be read.
func unescaped(text string) string {
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		b, _ := strconv.ParseUint(e[2:], 16, 8)
		return string([]byte{byte(b)})
	})
}
