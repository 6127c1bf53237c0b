// Package spelling finds the names that a misspelt one may have been meant to be.
package spelling

import "strings"

// longest is the number of bytes of the longest text that is taken for a misspelt name.
const longest = 200

// Near returns the known names at the least distance from a wrong one, in their given
// order, as long as that is at most a third of its length (and at least 1 is always
// near). Case does not count.
func Near(wrong string, known []string) []string {
	if len(wrong) > longest {
		return nil
	}
	least := max(1, len([]rune(wrong))/3)
	var near []string
	for _, name := range known {
		if len(name) > 2*longest {
			continue
		}
		d := Distance(strings.ToLower(wrong), strings.ToLower(name))
		if d > least || d >= len([]rune(wrong)) { // not a character in common
			continue
		}
		if d < least {
			least, near = d, near[:0]
		}
		near = append(near, name)
	}
	return near
}

// Distance is the number of single-character insertions, deletions, substitutions and
// swaps of neighbours that turn a into b (optimal string alignment), in
// O(len(a)·len(b)).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			changed := 1
			if x[i-1] == y[j-1] {
				changed = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+changed)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
