package expr

import (
	"slices"
	"strings"
)

// Suggest returns "; did you mean x?" for the known name nearest to a misspelt one, or
// nothing where none is near, as the messages of this package do: for dictionaries
// that look up names of their own, such as columns. Case does not count.
func Suggest(wrong string, known []string) string {
	best, least := "", max(1, len([]rune(wrong))/3)+1
	for _, name := range known {
		if d := distance(strings.ToLower(wrong), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is the number of single-character insertions, deletions, substitutions
// and swaps of neighbours that turn a into b (optimal string alignment), in
// O(len(a)·len(b)).
func distance(a, b string) int {
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

// choices joins names as "a, b or c".
func choices(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// sortedKeys returns the keys of several maps in order.
func sortedKeys[V any](maps ...map[string]V) []string {
	var keys []string
	for _, m := range maps {
		for name := range m {
			keys = append(keys, name)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
