package simd

import "testing"

// lengths are the numbers of coordinates of a sweep: all of least … 200, in short tests
// all around the widths of registers and panels, and some.
func lengths(least int) []int {
	var all []int
	for d := least; d <= 200; d++ {
		if testing.Short() && d > 33 && d%31 > 2 && d%64 > 1 {
			continue
		}
		all = append(all, d)
	}
	return all
}
