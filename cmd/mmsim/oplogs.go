package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mmsim/configs"
	"mmsim/files"
	"mmsim/importers/kudu/serverlog"
	"mmsim/policies"
	"mmsim/reading"
	"mmsim/results/folder"
	"mmsim/results/oplog"
)

// loadOps reads an op log from wherever it may stand: the result folder of a run, of which line names the policy line, a folder with an
// ops.tsv, such a file itself, or the log of a real server. What a log lacks is printed to notes.
func loadOps(notes io.Writer, path, line string) (*oplog.Log, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &configs.Problem{File: path, Allowed: reading.Cause(err).Error()}
	}
	if !info.IsDir() {
		return loadOpFile(notes, path)
	}
	if file := filepath.Join(path, "ops.tsv"); exists(file) {
		return loadOpFile(notes, file)
	}
	result, err := folder.Read(path)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, run := range result.Runs {
		if run.Line == line || line == "" && len(result.Runs) == 1 {
			l := oplog.Of(run)
			l.Name = path + " (" + run.Line + ")"
			return withOps(l)
		}
		lines = append(lines, run.Line)
	}
	return nil, &configs.Problem{File: "--policy-line", Field: "line", Value: line, Allowed: "one of those in " + path + ": " + strings.Join(lines, ", "),
		Suggestion: policies.Suggest(line, lines)}
}

// withOps refuses a log without a single op.
func withOps(l *oplog.Log) (*oplog.Log, error) {
	if len(l.Ops) == 0 {
		return nil, &configs.Problem{File: l.Name, Allowed: "no maintenance op ran"}
	}
	return l, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// loadOpFile tells an op log from a server's log by its first line.
func loadOpFile(notes io.Writer, path string) (*oplog.Log, error) {
	file, err := reading.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	text, err := reading.Plain(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	in := bufio.NewReaderSize(files.NewReader(text), 4096)
	head, _ := in.Peek(4096) // a shorter file gives all it has
	if !oplog.Is(string(head)) {
		l, err := serverlog.Read(path, in)
		if err != nil {
			return nil, err
		}
		printWarnings(notes, path, l.Warnings)
		return &l.Log, nil
	}
	l, err := oplog.Read(path, in)
	if err != nil {
		return nil, err
	}
	return l, addHeights(l, heightsBeside(path))
}

// heightsBeside is where the heights that were measured beside an op log are, if there are any.
func heightsBeside(path string) string { return filepath.Join(filepath.Dir(path), "height.tsv") }

// addHeights adds the heights that were measured beside an op log, if there are any.
func addHeights(l *oplog.Log, path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	defer file.Close()
	return l.ReadHeights(path, file)
}
