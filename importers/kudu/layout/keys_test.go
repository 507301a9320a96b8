package layout

import "testing"

func TestSplitPair(t *testing.T) {
	for _, tt := range []struct{ pair, smallest, largest string }{
		{"a,b", "a", "b"},
		{`\x80\x00,\xff`, "\x80\x00", "\xff"},
		{"a,b,c,d", "a,b", "c,d"},                               // one comma in each
		{`ab,cde,fg`, "", ""},                                   // could be either
		{`\x01,\x02\x03,\x04\x05\x06`, "", ""},                  // as well
		{`\x01,\x02,\x03\x04\x05`, "\x01,\x02", "\x03\x04\x05"}, // equal lengths
		{"b,a", "", ""},                                         // the wrong way round
		{"", "", ""},
	} {
		smallest, largest, ok := splitPair(tt.pair)
		if !ok {
			smallest, largest = "", ""
		}
		if smallest != tt.smallest || largest != tt.largest {
			t.Errorf("%q: %q and %q, want %q and %q", tt.pair, smallest, largest, tt.smallest, tt.largest)
		}
	}
}
