package wire

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// ThisBuild says how the running program was compiled.
func ThisBuild() *Build {
	b := &Build{Toolchain: runtime.Version(), Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) { // GOAMD64, GOARM64, ...
				b.Level = s.Value
			}
		}
	}
	return b
}
