package tablet

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNewSpan(t *testing.T) {
	for _, tt := range []struct {
		min, max string
		prefix   int
		lo, hi   uint64
	}{
		{"", "", 0, 0, 0},
		{"a", "a", 1, 0, 0},
		{"user1", "user2", 4, '1' << 56, '2' << 56},
		{"ab", "ab\x00", 2, 0, 0},
		{"ab", "ab\x00\x01", 2, 0, 1 << 48},
		{"x123456789", "x223456789", 1, 0x3132333435363738, 0x3232333435363738},
	} {
		s, err := NewSpan(tt.min, tt.max)
		if err != nil || s.Min() != tt.min || s.Max() != tt.max || s.prefix != tt.prefix || s.lo != tt.lo || s.hi != tt.hi {
			t.Errorf("%q-%q: %+v, %v", tt.min, tt.max, s, err)
		}
	}
	if _, err := NewSpan("b", "a"); err == nil || !strings.Contains(err.Error(), `"b" is above its largest "a"`) {
		t.Errorf("error %v", err)
	}
}

// TestSortEndpoints: keys come out in order, whatever way of sorting they lead to.
func TestSortEndpoints(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, keys []string) {
		var rowsets []Sized
		for i := 0; i+1 < len(keys); i += 2 {
			s, err := NewSpan(min(keys[i], keys[i+1]), max(keys[i], keys[i+1]))
			if err != nil {
				t.Fatalf("%v", err)
			}
			rowsets = append(rowsets, Sized{Span: &s})
		}
		var e endpoints
		e.sort(rowsets)
		for i := 1; i < len(e.sorted); i++ {
			a, b := e.sorted[i-1], e.sorted[i]
			if ka, kb := a.key(rowsets), b.key(rowsets); ka > kb || ka == kb && a.id >= b.id {
				t.Fatalf("%q (%d) comes before %q (%d)", ka, a.id, kb, b.id)
			}
		}
	}
	rng := rand.New(rand.NewPCG(11, 12))
	random := func(prefix string, alphabet string, length int) (keys []string) {
		for range 600 {
			b := []byte(prefix)
			for range length {
				b = append(b, alphabet[rng.IntN(len(alphabet))])
			}
			keys = append(keys, string(b))
		}
		return keys
	}
	bytes := make([]byte, 256)
	for i := range bytes {
		bytes[i] = byte(i)
	}
	t.Run("digits", func(t *testing.T) { check(t, random("user", "0123456789", 19)) })
	t.Run("bytes", func(t *testing.T) { check(t, random("", string(bytes), 12)) })
	t.Run("equal heads", func(t *testing.T) { check(t, append(random("user1longprefix", "01", 12), "user2", "user0")) })
	t.Run("few keys", func(t *testing.T) { check(t, random("k", "ab", 2)) })
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.SliceOfN(rapid.StringMatching(`[a-b]{0,4}`), 0, 100).Draw(t, "keys")) })
}
