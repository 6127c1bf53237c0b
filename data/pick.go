package data

// Pick gathers the elements at the given positions.
func Pick[E any](from []E, at []int) []E {
	out := make([]E, len(at))
	for i, a := range at {
		out[i] = from[a]
	}
	return out
}
