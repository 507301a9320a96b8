package configs

import (
	"embed"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"mmsim/reading"
)

//go:embed *.yaml machines/*.yaml
var shipped embed.FS

// Embedded lists the experiments that ship with mmsim.
func Embedded() []string { return shippedNames(".") }

// Machines lists the machines that ship with mmsim.
func Machines() []string { return shippedNames("machines") }

func shippedNames(dir string) []string {
	var names []string
	entries, _ := shipped.ReadDir(dir) // both exist, or the package would not compile
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// embedded gives a file that ships with mmsim and the name that messages give it.
func embedded(name string) (file string, data []byte, ok bool) {
	data, err := shipped.ReadFile(name)
	return embeddedFile(name), data, err == nil
}

func embeddedFile(name string) string { return "configs/" + name }

// shippedMachine resolves a machine by name.
func shippedMachine(name string) (Machine, error) {
	var d decoder
	var m Machine
	d.based(&node{shape: scalar, text: name}, "machine", &m)
	return m, d.err()
}

// isPath tells the path of a file from a name.
func isPath(text string) bool {
	return strings.ContainsRune(text, '/') || strings.HasSuffix(text, ".yaml") || strings.HasSuffix(text, ".yml")
}

// beside resolves a path relative to the file it stands in.
func beside(file, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(file), path)
}

// readFile reads a file of bounded size. Its errors leave the file's name to the caller.
func readFile(path string) ([]byte, error) {
	f, err := reading.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, reading.Cause(err)
	}
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("larger than %s", Bytes(maxFileSize))
	}
	return data, nil
}
