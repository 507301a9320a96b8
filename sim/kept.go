package sim

// kept holds what a run leaves, however much that is: unlike a slice that grows it never holds two copies of it.
type kept[T any] struct{ chunks [][]T }

const keptChunk = 1 << 10

func (k *kept[T]) add(v T) {
	n := len(k.chunks)
	if n == 0 || len(k.chunks[n-1]) == keptChunk {
		k.chunks = append(k.chunks, make([]T, 0, keptChunk))
		n++
	}
	k.chunks[n-1] = append(k.chunks[n-1], v)
}

// take gives all of it in one slice, and lets go of it; nil if there is none.
func (k *kept[T]) take() []T {
	if len(k.chunks) == 0 {
		return nil
	}
	out := make([]T, 0, (len(k.chunks)-1)*keptChunk+len(k.chunks[len(k.chunks)-1]))
	for i := range k.chunks {
		out = append(out, k.chunks[i]...)
		k.chunks[i] = nil
	}
	k.chunks = nil
	return out
}
