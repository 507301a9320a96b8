package pages

import (
	"regexp"
	"strconv"
	"strings"

	"mmsim/importers/kudu/markup"
)

// readFlags reads the flags on /varz, by name.
func readFlags(page []byte) map[string]string {
	f := map[string]string{}
	for _, block := range markup.Read(page).Pre {
		for _, line := range strings.Split(block, "\n") {
			if text, ok := strings.CutPrefix(line, "--"); ok {
				name, value, _ := strings.Cut(text, "=")
				f[name] = value
			}
		}
	}
	return f
}

var versionText = regexp.MustCompile(`kudu (\d+)\.(\d+)\.(\d+\S*)`)

// readVersion finds the server's version in the foot of a page.
func readVersion(page []byte) (major, minor int, text string, ok bool) {
	block, _ := markup.Read(page).PreWith("server uuid")
	m := versionText.FindStringSubmatch(block)
	if m == nil {
		return 0, 0, "", false
	}
	major, _ = strconv.Atoi(m[1])
	minor, _ = strconv.Atoi(m[2])
	return major, minor, strings.TrimPrefix(m[0], "kudu "), true
}
