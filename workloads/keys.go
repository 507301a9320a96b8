package workloads

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Order is how key numbers become key names: YCSB's insert order.
type Order uint8

// Orders of keys.
const (
	Hashed   Order = iota // the name holds the number's Hash: inserts fall anywhere among the keys
	Ordered               // the name holds the number itself
	Padded                // as Hashed, with zeros in front to 19 digits (YCSB's zeropadding=19): places are as even as what digits say
	Uniform               // not YCSB's: the name is 8 bytes that spread the number's Hash evenly over all that 8 bytes can be
	Appended              // the name holds the number itself behind zeros, so that names sort as numbers do; see NewAppended
)

const keyPrefix = "user"

// Keys gives keys names and places. YCSB's name is "user" and a decimal number without leading zeros; names sort as
// strings, so "user10" comes before "user9".
type Keys struct {
	order Order
	appended
}

// NewKeys names keys in the given order, which is not Appended.
func NewKeys(order Order) *Keys { return &Keys{order: order} }

// Order is how numbers become names.
func (ks *Keys) Order() Order { return ks.order }

// Name is the name of the key numbered k, 0 or more.
func (ks *Keys) Name(k int64) string {
	switch ks.order {
	case Hashed:
		k = Hash(k)
	case Padded:
		return padded(Hash(k))
	case Uniform:
		return ks.At(ks.Position(k))
	case Appended:
		return ks.padded(ks.number(k))
	}
	return keyPrefix + strconv.FormatInt(k, 10)
}

// Position is the place in [0, 1) of the key numbered k among all possible names: it never falls from one name to
// the next in string order.
//
// Under Hashed, Padded and Uniform it is the share of names that sort before this one, so positions are uniform. So it is under Appended, of the names there is
// room for. Under Ordered it is the place of the name's leading digits; consecutive numbers are close together there.
func (ks *Keys) Position(k int64) float64 {
	switch ks.order {
	case Hashed:
		return hashedPlace(digits(uint64(Hash(k))))
	case Padded, Uniform:
		return float64(Hash(k)>>10) * 0x1p-53
	case Appended:
		return ks.share(ks.number(k))
	}
	return orderedPlace(digits(uint64(k)))
}

// Place is the place of the key with a name, as Position gives it; ok is false for a name that no key has. Any name is one under Uniform: its first 8 bytes
// count.
func (ks *Keys) Place(name string) (place float64, ok bool) {
	if ks.order == Uniform {
		var first [8]byte
		copy(first[:], name)
		return float64(binary.BigEndian.Uint64(first[:])>>11) * 0x1p-53, true
	}
	number, ok := strings.CutPrefix(name, keyPrefix)
	if !ok {
		return 0, false
	}
	if ks.order == Appended {
		return ks.placed(number)
	}
	n, err := strconv.ParseUint(number, 10, 63)
	if ks.order == Padded {
		return float64(n>>10) * 0x1p-53, err == nil && len(number) == paddedDigits
	}
	if err != nil || strconv.FormatUint(n, 10) != number {
		return 0, false
	}
	if ks.order == Hashed {
		return hashedPlace(digits(n)), true
	}
	return orderedPlace(digits(n)), true
}

// At is the name of a possible key at the place pos in [0, 1), the inverse of Position: it never falls as pos rises.
// Places 10^-15 or more apart have different names.
func (ks *Keys) At(pos float64) string {
	switch ks.order {
	case Padded:
		return padded(int64(min(pos, below1)*0x1p53) << 10)
	case Uniform:
		return string(binary.BigEndian.AppendUint64(nil, uint64(min(pos, below1)*0x1p53)<<11))
	case Appended:
		return ks.padded(min(int64(pos*float64(ks.room)+0.5), ks.room-1))
	case Ordered:
		return keyPrefix + strconv.FormatUint(min(firstDigits+uint64(pos*9e18), lastDigits), 10)
	}
	if pos < hashedBend {
		d := firstDigits + uint64(pos/hashedSlopeLow)
		return keyPrefix + strconv.FormatUint(min(d, math.MaxInt64), 10)
	}
	// A number of 19 digits would be no possible hash here. Rounding 18 digits up keeps them behind those before the bend.
	d := bendDigits + uint64((pos-hashedBend)/hashedSlopeHigh)
	return keyPrefix + strconv.FormatUint(min((d+9)/10, lastDigits/10), 10)
}

// paddedDigits is how many digits a Padded name has.
const paddedDigits = 19

// padded is the name with a number and zeros in front of it.
func padded(n int64) string { return fmt.Sprintf("%s%0*d", keyPrefix, paddedDigits, n) }

// digits are the first 19 digits of v's decimal form, with zeros behind: numbers that compare as the forms do as
// strings, but for forms that differ in zeros at the end.
func digits(v uint64) uint64 {
	n := uint(bits.Len64(v)) * 1233 >> 12 // log2(10) is 4096/1233, so v has n or n+1 digits
	if v >= pow10[n&31] {
		n++
	}
	return v * pow10[(19-n)&31]
}

var pow10 = func() (p [32]uint64) {
	p[0] = 1
	for i := 1; i < 20; i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

const (
	firstDigits = 1_000_000_000_000_000_000 // digits of "1", the first name but for "0"
	bendDigits  = 1 << 63                   // digits from here on belong to no 19-digit hash
	lastDigits  = 9_999_999_999_999_999_999

	below1 = 1 - 0x1p-53
)

// A hash is uniform on [0, 2^63). Of each decimal length L up to 18 there are 10^L equally spaced names in a digits
// range of 10^19 (from the first digit 1 on), and of length 19 one for every digits up to 2^63-1. So the share of
// names before some digits grows along two straight lines that meet in a bend at 2^63.
const (
	hashedSlopeHigh = 0.111111111111111111 / (1 << 63) // (10^1 + ... + 10^18) / 10^19, a name
	hashedSlopeLow  = 1.111111111111111111 / (1 << 63) // and 10^19 / 10^19
	hashedBend      = (bendDigits - firstDigits) * hashedSlopeLow
)

func hashedPlace(d uint64) float64 {
	switch {
	case d < firstDigits: // "0"
		return 0
	case d < bendDigits:
		return min(float64(int64(d-firstDigits))*hashedSlopeLow, hashedBend)
	default:
		return min(hashedBend+float64(float64(int64(d-bendDigits))*hashedSlopeHigh), below1)
	}
}

func orderedPlace(d uint64) float64 {
	if d < firstDigits { // "0"
		return 0
	}
	return min(float64(int64(d-firstDigits))/9e18, below1)
}
