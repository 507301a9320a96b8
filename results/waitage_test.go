package results

import "testing"

func TestWaitAge(t *testing.T) {
	run := sampleRun("raw")
	for i, want := range []int64{250_000_000 - 1, 1e9, run.End - 7e9} {
		if got := run.Waits[i].Age(run.End); got != want {
			t.Errorf("wait %d: %d, want %d", i, got, want)
		}
	}
}
