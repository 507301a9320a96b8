package configs

import "strings"

// FlagKey gives the path of the key that stands for one of Kudu's flags, such as maintenance.flush_threshold for flush_threshold_mb.
func FlagKey(flag string) (path string, ok bool) {
	for _, k := range keys {
		if k.Flag == flag && !strings.Contains(k.Path, "[]") {
			return k.Path, true
		}
	}
	return "", false
}
