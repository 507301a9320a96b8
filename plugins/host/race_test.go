//go:build race

package host

// raceFlag builds the plugins with the race detector too.
var raceFlag = []string{"-race"}
