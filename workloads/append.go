package workloads

import (
	"fmt"
	"strconv"
)

// appended is how keys are named that sort as their numbers do.
type appended struct {
	room   int64 // numbers there are, from 0 on
	digits int   // of every name
	deals  []deal
}

// deal says that the keys from first on are dealt to threads in turn, and that each thread's keys have numbers of their own, one after the other: those of
// thread t begin at at + t*span. `kudu perf loadgen` gives its threads such ranges (tool_action_perf.cc, SpanPerThread).
type deal struct{ first, at, threads, span int64 }

// NewAppended names keys by numbers from 0 to room-1 (room is 1 or more), with zeros in front up to digits or as many as they need: YCSB's
// insertorder=ordered with zeropadding. A later number is a later key.
func NewAppended(digits int, room int64) *Keys {
	return &Keys{order: Appended, appended: appended{room: room, digits: max(digits, Digits(room-1))}}
}

// Digits is how many decimal digits n, 0 or more, has.
func Digits(n int64) int { return len(strconv.FormatInt(n, 10)) }

// Deal gives the keys from first on to threads in turn: each inserts into a range of span names of its own, the first thread's from the name with number at
// on. Keys beyond a range's end share its last name. Where two deals hold for a key,
// the later one counts.
func (ks *Keys) Deal(first, at, threads, span int64) {
	ks.deals = append(ks.deals, deal{first, at, threads, span})
}

// number is the number in the name of the key numbered k.
func (a *appended) number(k int64) int64 {
	for i := len(a.deals) - 1; i >= 0; i-- {
		if d := &a.deals[i]; k >= d.first {
			k -= d.first
			k = d.at + k%d.threads*d.span + min(k/d.threads, d.span-1)
			break
		}
	}
	return min(k, a.room-1)
}

// share is the place of the name with a number.
func (a *appended) share(number int64) float64 { return float64(number) / float64(a.room) }

func (a *appended) padded(number int64) string {
	return fmt.Sprintf("%s%0*d", keyPrefix, a.digits, number)
}

// placed is the place of the name with these digits.
func (a *appended) placed(digits string) (place float64, ok bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) != a.digits || digits[0] == '-' || digits[0] == '+' || n >= a.room {
		return 0, false
	}
	return a.share(n), true
}
