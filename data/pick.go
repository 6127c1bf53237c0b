package data

import (
	"fmt"
	"slices"
)

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

// Even returns so many of the positions 0 … n − 1 in equal steps, or all of them.
func Even(n, count int) []int {
	at := make([]int, min(n, count))
	for i := range at {
		at[i] = i * n / len(at)
	}
	return at
}

// Without returns the positions 0 … n − 1 without some, which may repeat. It is an error if none is
// left.
func Without(n int, gone []int) (left []int, err error) {
	out := make([]bool, n)
	for _, i := range gone {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("row %d is to be removed, and there are rows 0 to %d", i, n-1)
		}
		out[i] = true
	}
	if !slices.Contains(out, false) {
		return nil, fmt.Errorf("all %d rows are to be removed: nothing would be left to learn from", n)
	}
	for i, removed := range out {
		if !removed {
			left = append(left, i)
		}
	}
	return left, nil
}
