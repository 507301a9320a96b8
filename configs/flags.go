package configs

import "strings"

// FlagKey gives the path of the key that stands for one of Kudu's flags, such as maintenance.flush_threshold for flush_threshold_mb.
func FlagKey(flag string) (path string, ok bool) {
	k, ok := byFlag(keys, flag)
	if !ok || strings.Contains(k.Path, "[]") {
		return "", false
	}
	return k.Path, true
}

// byFlag finds the key that stands for a flag, which may be written as on a command line.
func byFlag(keys []Key, flag string) (Key, bool) {
	flag = strings.ReplaceAll(strings.TrimLeft(flag, "-"), "-", "_")
	for _, k := range keys {
		if k.Flag != "" && strings.TrimSuffix(k.Flag, ", ...") == flag {
			return k, true
		}
	}
	return Key{}, false
}
