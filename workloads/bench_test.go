package workloads

import "testing"

var (
	sinkI int64
	sinkF float64
)

// uniforms are spread by the golden ratio, so that branches are as hard to predict as for draws.
func uniforms() (us [4096]float64) {
	u := 0.0
	for i := range us {
		if u += 0.6180339887498949; u >= 1 {
			u--
		}
		us[i] = u
	}
	return us
}

func benchAt(b *testing.B, at func(u float64) int64) {
	us := uniforms()
	b.ReportAllocs()
	for i := range b.N {
		sinkI += at(us[i&4095])
	}
}

func BenchmarkHash(b *testing.B) {
	for i := range b.N {
		sinkI += Hash(int64(i))
	}
}

func BenchmarkBucket(b *testing.B) {
	for i := range b.N {
		sinkI += int64(Bucket(int64(i), 64))
	}
}

func BenchmarkZipfian(b *testing.B)   { benchAt(b, NewZipfian(0, 1e9).At) }
func BenchmarkScrambled(b *testing.B) { benchAt(b, NewScrambled(0, 1_160_000_001).At) }

func BenchmarkLatest(b *testing.B) {
	l, us := NewLatest(1e6), uniforms()
	b.Run("still", func(b *testing.B) {
		for i := range b.N {
			sinkI += l.At(us[i&4095], 1e6)
		}
	})
	b.Run("growing", func(b *testing.B) {
		for i := range b.N {
			sinkI += l.At(us[i&4095], 1e6+int64(i))
		}
	})
}

func BenchmarkMix(b *testing.B) {
	m := ycsbMix(0, 0, 0.8, 0.2)
	benchAt(b, func(u float64) int64 { return int64(m.At(u)) })
}

func BenchmarkLengths(b *testing.B) {
	l, err := NewLengths("zipfian", 1, 100)
	if err != nil {
		b.Fatal(err)
	}
	benchAt(b, func(u float64) int64 { return int64(l.At(u)) })
}

func BenchmarkPosition(b *testing.B) {
	ks := NewKeys(Hashed)
	for i := range b.N {
		sinkF += ks.Position(int64(i))
	}
}

func BenchmarkKeyAt(b *testing.B) {
	ks, us := NewKeys(Hashed), uniforms()
	b.ReportAllocs()
	for i := range b.N {
		sinkI += int64(len(ks.At(us[i&4095])))
	}
}
