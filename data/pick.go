package data

// Pick gathers the elements at the given positions.
func Pick[E any](from []E, at []int) []E {
	out := make([]E, len(at))
	for i, a := range at {
		out[i] = from[a]
	}
	return out
}

// Range returns the positions from, from + 1, …, to − 1.
func Range(from, to int) []int {
	at := make([]int, to-from)
	for i := range at {
		at[i] = from + i
	}
	return at
}
