package workloads

import "testing"

// By YCSB's own class.
func TestHash(t *testing.T) {
	tests := []struct{ k, want int64 }{
		{0, 6284781860667377211},
		{1, 8517097267634966620},
		{2, 1820151046732198393},
		{3, 4052466453699787802},
		{4, 3232700585171816769},
		{5, 1000385178204227360},
		{10, 2408371864701034737},
		{42, 55488592825689361},
		{100, 879817313296471393},
		{255, 8064062821143829734},
		{256, 2056600594528442646},
		{999, 2071219101098386137},
		{1000, 5952875239596136740},
		{999999, 2744965632448235251},
		{1000000, 1011632231655643464},
		{10000000000, 1201321332300452516},
	}
	for _, tt := range tests {
		if got := Hash(tt.k); got != tt.want {
			t.Errorf("Hash(%d) = %d, want %d", tt.k, got, tt.want)
		}
	}
}

func TestBucketUniform(t *testing.T) {
	const tablets, keys = 64, 640_000
	var counts [tablets]float64
	for k := range int64(keys) {
		counts[Bucket(k, tablets)]++
	}
	chi2 := 0.0
	for _, c := range counts {
		chi2 += (c - keys/tablets) * (c - keys/tablets) / (keys / tablets)
	}
	// 63 degrees of freedom: mean 63, standard deviation 11.
	if chi2 < 63-5*11 || chi2 > 63+5*11 {
		t.Errorf("chi2 = %v", chi2)
	}
	if got := Bucket(12345, 1); got != 0 {
		t.Errorf("bucket of the only tablet = %d", got)
	}
}
