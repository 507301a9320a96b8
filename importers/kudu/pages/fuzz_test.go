package pages

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/reading"
)

// FuzzReaders gives one text to the readers of all pages that an import can do without, which is quicker than a whole import.
func FuzzReaders(f *testing.F) {
	for _, page := range smallServer(f) {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		if m, err := readManager(page); err == nil {
			for tablet, score := range m.compactions {
				if !(score >= 0) || tablet == "" {
					t.Fatalf("%q has %v", tablet, score)
				}
			}
		}
		readFlags(page)
		for id, n := range deltaMemory(page) {
			if n < 0 {
				t.Fatalf("%s has %d bytes", id, n)
			}
		}
		if limit := memoryLimit(page); limit != "" {
			if _, err := configs.ParseBytes(limit); err != nil {
				t.Fatal(err)
			}
		}
		isMemory(page)
		readVersion(page)
		readExtra(string(page))
		if all, err := readTablets(page); err == nil {
			for i := range all {
				all[i].Buckets()
			}
		}
	})
}

// FuzzArchive: an archive is refused, or gives the pages of one server.
func FuzzArchive(f *testing.F) {
	f.Add(packed(f, entry{"ts1/metrics.json", "[]"}, entry{"ts1/varz.html", "<p></html>"}, entry{"../x", "-> /etc/passwd"}))
	plain, err := reading.Plain(bytes.NewReader(packed(f, entry{"metrics.json", "[]"})))
	if err != nil {
		f.Fatal(err)
	}
	var tar bytes.Buffer
	tar.ReadFrom(plain)
	f.Add(tar.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := readArchive("x.tar.gz", bytes.NewReader(data))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.tar.gz: ") {
				t.Fatal(err)
			}
			return
		}
		if _, err := a.Page(context.Background(), "metrics", ""); err != nil {
			t.Fatal(err)
		}
	})
}
