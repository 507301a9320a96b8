package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"mmsim/configs"
)

// realKudu gives a folder with a server's saved pages before compactions, its metrics after them, and its log.
func realKudu(t *testing.T) string {
	if os.Getenv("MMSIM_REAL_KUDU") == "" || testing.Short() {
		t.Log("on a recorded run: MMSIM_REAL_KUDU=1 starts a Kudu")
		return recorded(t)
	}
	dir := t.TempDir()
	t.Cleanup(func() { script(t, "stop", dir) })
	if why := script(t, "start", dir); why != "" {
		t.Logf("on a recorded run: %s", why)
		return recorded(t)
	}
	url := func(server string) string { return strings.TrimSpace(read(t, filepath.Join(dir, server+".url"))) }
	tserver, master := url("tserver"), url("master")
	script(t, "pages", filepath.Join(dir, "pages"), tserver, master)
	run(t, dir, "mmsim", "import", "kudu", "--tserver", tserver, "--master", master, "--out", "live.yaml")
	run(t, dir, "mmsim", "import", "kudu", "--from-dir", "pages", "--out", "saved.yaml")
	sameState(t, filepath.Join(dir, "live.yaml"), filepath.Join(dir, "saved.yaml"))
	script(t, "compact", dir)
	write(t, filepath.Join(dir, "after.json"), fetch(t, tserver+"/metrics?metrics=average_diskrowset_height"))
	script(t, "stop", dir)
	if os.Getenv("UPDATE") != "" {
		record(t, dir)
	}
	return dir
}

// script runs scripts/real-kudu.sh. If it says that no Kudu can be had, that is the answer.
func script(t *testing.T, args ...string) (none string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute) // Maven may have to fetch Kudu
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", append([]string{"../../scripts/real-kudu.sh"}, args...)...)
	cmd.Env = append(os.Environ(), "KUDU_LIFETIME=300")
	text := filepath.Join(t.TempDir(), "printed") // a file, as servers that go on running would keep a pipe open
	printed, err := os.Create(text)
	if err != nil {
		t.Fatal(err)
	}
	defer printed.Close()
	cmd.Stdout, cmd.Stderr = printed, printed
	const noKudu = 77
	switch err := cmd.Run(); codeOf(err) {
	case 0:
		return ""
	case noKudu:
		return strings.TrimSpace(read(t, text))
	default:
		t.Fatalf("real-kudu.sh %s: %v\n%s", strings.Join(args, " "), err, read(t, text))
		return ""
	}
}

// run runs a program in a folder and gives what it printed.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	printed, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, printed)
	}
	return string(printed)
}

func fetch(t *testing.T, url string) []byte {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(url, answer.Status, err)
	}
	return body
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

const recording = "testdata/realkudu.txtar.gz"

// recorded unpacks the recorded run.
func recorded(t *testing.T) string {
	z, err := gzip.NewReader(strings.NewReader(read(t, recording)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range txtar.Parse(text).Files {
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	return dir
}

// record keeps a run, without the names of this machine's folders.
func record(t *testing.T, dir string) {
	var kept txtar.Archive
	folders := strings.NewReplacer(dir, "/kudu", os.Getenv("HOME"), "/home")
	add := func(path string) {
		kept.Files = append(kept.Files, txtar.File{Name: path, Data: []byte(folders.Replace(read(t, filepath.Join(dir, path))))})
	}
	err := fs.WalkDir(os.DirFS(dir), "pages", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			add(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	add("after.json")
	add("kudu-tserver.INFO")
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(txtar.Format(&kept))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, recording, packed.Bytes())
}

// sameState wants the import of a running server to be that of its saved pages, but for what changes by the second.
func sameState(t *testing.T, live, saved string) {
	t.Helper()
	state := func(file string) string {
		d, err := configs.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal([]any{d.Experiment.Maintenance, d.Experiment.Tables, d.Experiment.Initial})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if a, b := state(live), state(saved); a != b {
		t.Errorf("a running server's state\n%s\ndiffers from that of its saved pages\n%s", a, b)
	}
}
