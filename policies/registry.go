package policies

// builtinVersion is the version of the policies that ship with mmsim. It rises when a score of theirs changes.
const builtinVersion = "1.0.0"

// Builtins gives the policies that ship with mmsim.
func Builtins() []Spec {
	return []Spec{Raw(), WorkloadScaled(), PriorityWeighted()}
}

// Lookup finds a built-in policy by its name.
func Lookup(name string) (*Spec, bool) {
	for _, s := range Builtins() {
		if s.Name == name {
			return &s, true
		}
	}
	return nil, false
}
