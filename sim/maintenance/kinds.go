package maintenance

import "mmsim/policies"

// Kinds is a set of op kinds.
type Kinds uint16

// AllKinds holds every kind.
const AllKinds Kinds = 1<<policies.NumKinds - 1

// KindsOf makes a set.
func KindsOf(kinds ...policies.Kind) (s Kinds) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Has tells whether the set holds a kind.
func (s Kinds) Has(k policies.Kind) bool { return s>>k&1 != 0 }

// With is the set and a kind.
func (s Kinds) With(k policies.Kind) Kinds { return s | 1<<k }

// Without is the set without a kind.
func (s Kinds) Without(k policies.Kind) Kinds { return s &^ (1 << k) }
