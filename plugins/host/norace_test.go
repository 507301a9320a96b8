//go:build !race

package host

var raceFlag []string
