package tablet

import "testing"

// A MemRowSet of Kudu 1.18 with 10 fields of 100 bytes takes 1,307 B a row; sizes are those that a real server showed. Below the first chunk they were 523,018 and
// 1,046,794, which fixed bytes and doubling miss by less than 1 %.
func TestMemRowsetGrowsByChunks(t *testing.T) {
	s := &Sizes{MRSRow: 1307, MRSFixed: 6410, MRSChunk: 1040384}
	for _, c := range []struct{ rows, memory int64 }{
		{1, 6410 + 2032},
		{2, 6410 + 2*2032},
		{242, 6410 + 520192},
		{796, 6410 + 1040384}, // 1,040,372 B of rows
		{797, 6410 + 2*1040384},
		{13532, 6410 + 17*1040384},
		{13533, 6410 + 18*1040384}, // scores 1.865
		{15000, 6410 + 19*1040384}, // 2.858
	} {
		m, memory := emptyMRS(), int64(0)
		for range c.rows {
			memory += m.put(s.MRSRow, s)
		}
		if m.Bytes != c.memory || memory != c.memory {
			t.Errorf("%d rows take %d bytes, one by one %d, want %d", c.rows, m.Bytes, memory, c.memory)
		}
		if at := emptyMRS(); at.put(c.rows*s.MRSRow, s) != c.memory {
			t.Errorf("%d rows at once take %d bytes, want %d", c.rows, at.Bytes, c.memory)
		}
	}
	m := emptyMRS()
	if got := m.put(2614, &Sizes{MRSRow: 1307}); got != 2614 || m.Bytes != 2614 {
		t.Errorf("without chunks two rows take %d bytes, want 2614", got)
	}
}
