package policies

import (
	"fmt"
	"math"
	"slices"
)

// Validate refuses a specification that could not be used: one without a name, with a parameter whose default it would refuse
// itself, or with columns that this mmsim does not have.
func (s *Spec) Validate() error {
	if s.Name == "" {
		return fmt.Errorf("policy has no name")
	}
	if unknown := s.Columns &^ AllColumns; unknown != 0 {
		return fmt.Errorf("policy %q reads columns %#x, which this mmsim does not have", s.Name, uint32(unknown))
	}
	for i, p := range s.Params {
		if p.Name == "" {
			return fmt.Errorf("policy %q: parameter %d has no name", s.Name, i+1)
		}
		if slices.ContainsFunc(s.Params[:i], func(q Param) bool { return q.Name == p.Name }) {
			return fmt.Errorf("policy %q: parameter %q is declared twice", s.Name, p.Name)
		}
		if math.IsInf(p.Min, 0) || math.IsInf(p.Max, 0) {
			return fmt.Errorf("policy %q: parameter %q: the range must be finite", s.Name, p.Name)
		}
		if !p.validDefault() {
			return fmt.Errorf("policy %q: parameter %q: default %v does not fit type %q, which allows %s",
				s.Name, p.Name, p.Default, p.Type, p.Allowed())
		}
	}
	return nil
}

// validDefault says whether the default has the Go type of the parameter and would be accepted.
func (p *Param) validDefault() bool {
	v, ok := p.accept(p.Default)
	return ok && v == p.Default
}
