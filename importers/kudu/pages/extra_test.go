package pages

import (
	"testing"

	"mmsim/importers/kudu/markup"
)

func TestExtraConfig(t *testing.T) {
	for text, want := range map[string]ExtraConfig{
		"<h3>Extra Config</h3><pre></pre>": {Known: true},
		"<h3>Extra Config</h3><pre>kudu.table.disable_compaction : 1\nkudu.table.maintenance_priority : -2</pre>": {true, -2, true},
		"<h3>Extra Config</h3><pre>kudu.table.disable_compaction : false</pre>":                                   {Known: true},
		"<h3>Schema</h3>": {},
	} {
		if got := readExtra(markup.Read([]byte(text)).Text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
