package results

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a number that may be missing: NaN, which JSON writes as null.
type Number float64

// MarshalJSON writes null for a missing number.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// Missing is a number that there isn't.
var Missing = Number(math.NaN())

// Known says whether the number is not missing.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) }

// Text writes the number with so many decimals, - for a missing one.
func (n Number) Text(decimals int) string {
	if !n.Known() {
		return "-"
	}
	return strconv.FormatFloat(float64(n), 'f', decimals, 64)
}
