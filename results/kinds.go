package results

import "slices"

// Kinds of maintenance ops in the order in which people ask for them.
var (
	FeltKinds      = []string{"FlushMRSOp", "FlushDeltaMemStoresOp", "CompactRowSetsOp", "MajorDeltaCompactionOp", "MinorDeltaCompactionOp"} // what clients feel
	CollectedKinds = []string{"LogGCOp", "UndoDeltaBlockGCOp", "DeletedRowSetGCOp"}                                                          // what only frees space
)

// Felt tells whether clients feel it if ops of a kind wait: they read over more rowsets or deltas, or meet full memory. A kind that is not known counts.
func Felt(kind string) bool { return !slices.Contains(CollectedKinds, kind) }
