package folder

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// RunInfo says how a result came about. It is the only part of a result that may differ between two equal runs.
type RunInfo struct {
	Module     string       `json:"module"`   // path and version of the main module
	Revision   string       `json:"revision"` // of its source, with +changes if that was changed; empty if unknown
	Go         string       `json:"go"`
	OS         string       `json:"os"`
	Arch       string       `json:"arch"`
	Host       string       `json:"host"`
	CPUs       int          `json:"cpus"` // that Go uses
	Args       []string     `json:"args"`
	Started    time.Time    `json:"started"`
	Ended      time.Time    `json:"ended"`
	CPUSeconds float64      `json:"cpu_seconds"`   // user and system time of this process
	MaxRSS     int64        `json:"max_rss_bytes"` // of this process
	Policies   []PolicyFile `json:"policies"`
}

// PolicyFile says where the policy of a line came from.
type PolicyFile struct {
	Line   string `json:"line"`
	Policy string `json:"policy"`
	Path   string `json:"path"`   // of the binary; empty for a built-in within this process
	SHA256 string `json:"sha256"` // of the binary, in hexadecimal

	Asked   int64   `json:"asked"`           // times it was asked for scores
	Seconds float64 `json:"scoring_seconds"` // that it took for them on this machine
}

// ThisProcess describes the running process: everything but the times and the policies.
func ThisProcess() RunInfo {
	info := RunInfo{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0), Args: os.Args, Policies: []PolicyFile{}}
	info.Host, _ = os.Hostname() // empty is good enough
	if build, ok := debug.ReadBuildInfo(); ok {
		info.Module = build.Main.Path + " " + build.Main.Version
		info.Revision = revision(build)
	}
	info.CPUSeconds, info.MaxRSS = usage()
	return info
}

func revision(build *debug.BuildInfo) string {
	var revision, changes string
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = "+changes"
		}
	}
	return revision + changes
}

// WriteRunInfo writes run.json.
func (f *Folder) WriteRunInfo(info RunInfo) error { return writeJSON(f.Path(RunInfoFile), info) }
