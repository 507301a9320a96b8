package fidelity

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// measured is what was measured on a Kudu 1.18.1; data/README.md describes it.
//
//go:embed data
var measured embed.FS

// open gives one measured file.
func open(name string) (io.Reader, error) {
	data, err := measured.ReadFile("data/" + name + ".gz")
	if err != nil {
		return nil, fmt.Errorf("measured data: %w", err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("measured data %s: %w", name, err)
	}
	return z, nil
}

// lines decodes a file of one JSON object a line.
func lines[T any](name string) (all []T, err error) {
	r, err := open(name)
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(r); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("measured data %s, object %d: %w", name, len(all)+1, err)
		}
		all = append(all, v)
	}
}

// table reads a file of tab separated values with a header, as the columns of each row.
func table(name string) (rows []map[string]string, err error) {
	r, err := open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("measured data %s: %w", name, err)
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	header := strings.Split(all[0], "\t")
	for i, line := range all[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(header) {
			return nil, fmt.Errorf("measured data %s:%d: %d columns, want %d", name, i+2, len(cells), len(header))
		}
		row := map[string]string{}
		for j, h := range header {
			row[h] = cells[j]
		}
		rows = append(rows, row)
	}
	return rows, nil
}
