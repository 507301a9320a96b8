package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// drawnPage is a layout page in Kudu's form.
func drawnPage(rects, counts, log string) []byte {
	return []byte(`<h1>Rowset Layout Diagram for Tablet <a href="/tablet?id=x">x</a></h1><svg width="1200"><rect x="0" y="0" width="1200" height="90" fill="#fff"/>` + rects +
		`</svg><div><p>In addition to the rowsets pictured and listed, there are 0 rowset(s) currently undergoing compactions.</p></div>` +
		`<table><thead><tr>  <th>Statistic</th>  <th>Approximate Value</th><tr></thead><tbody>` + counts + `<tbody></table><pre>` + log + `</pre>`)
}

func TestReadLayoutPage(t *testing.T) {
	const (
		left  = `<rect x="0" y="60" width="600" height="15" stroke="#000" fill="#f66"/>`
		whole = `<rect x="0" y="75" width="1200" height="15" stroke="#000" fill="#666"/>`
		right = `<rect x="600" y="60" width="600" height="15" stroke="#000" fill="#f66"/>`
		log   = "\nBudgeted compaction selection:\n  [x] RowSet(7)(  1M) [0.0000, 0.5000] [a,b]\n  [ ] RowSet(3)( 30M) [0.0000, 1.0000] [a,\\x7fz]\n" +
			"  [x] RowSet(12)(1024M) [0.5000, 1.0000] [c,d]\nSolution value: 1.5e-1\n"
	)
	for _, tt := range []struct {
		name string
		page []byte
		want *Page
		err  string
	}{
		{name: "none", page: drawnPage("", "", "\nNo rowsets to compact\n"), want: &Page{}},
		{name: "no log", page: drawnPage(left+right, "<tr><td>Count</td><td>2</td></tr>", "\nNo rowsets to compact\n"),
			want: &Page{Bars: []Bar{{Picked: true, To: 0.5}, {ID: 1, Picked: true, From: 0.5, To: 1}}}},
		{name: "rows of the drawing", page: drawnPage(left+right+whole, "", log), want: &Page{Logged: true, Keys: true, Value: 0.15, Bars: []Bar{
			{ID: 7, MB: 1, Picked: true, To: 0.5, Min: "a", Max: "b"},
			{ID: 3, MB: 30, To: 1, Min: "a", Max: "\x7fz"},
			{ID: 12, MB: 1024, Picked: true, From: 0.5, To: 1, Min: "c", Max: "d"}}}},
		{name: "redacted", page: drawnPage(left+right, "", "Budgeted compaction selection:\n  [x] RowSet(0)(  1M) [0.0000, 0.5000] [&lt;redacted&gt;,&lt;redacted&gt;]\n"+
			"  [x] RowSet(1)(  2M) [0.5000, 1.0000] [&lt;redacted&gt;,&lt;redacted&gt;]\n"), want: &Page{Logged: true, Hidden: true, Bars: []Bar{
			{MB: 1, Picked: true, To: 0.5}, {ID: 1, MB: 2, Picked: true, From: 0.5, To: 1}}}},
		{name: "sizes", page: drawnPage(left, "<tr><td>Count</td><td>1</td></tr><tr><td>Min</td><td>7B</td></tr><tr><td>First quartile</td><td>5.1K</td></tr>"+
			"<tr><td>Median</td><td>1.50M</td></tr><tr><td>Third quartile</td><td>2.00M</td></tr><tr><td>Max</td><td>1.00G</td></tr>", ""),
			want: &Page{Bars: []Bar{{Picked: true, To: 0.5}}, quarters: []int64{7, 5222, 1572864, 2 << 20, 1 << 30}}},
		{name: "another page", page: []byte("<h1>Hello</h1>"), err: "not the page of a tablet's rowset layout"},
		{name: "counts differ", page: drawnPage(left, "<tr><td>Count</td><td>5</td></tr>", ""), err: "counts 5 rowsets and shows 1"},
		{name: "log differs", page: drawnPage(left, "", log), err: "shows 1 rowsets and the policy's log 3"},
		{name: "no number", page: drawnPage(`<rect x="wide" y="60" width="600" fill="#666"/>`, "", ""), err: `x in the drawing is "wide"`},
	} {
		got, err := ReadPage(tt.page, "", nil)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Page{}), cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}
