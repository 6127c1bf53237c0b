package expr

import (
	"slices"
	"strings"

	"example.org/mercer/internal/spelling"
)

// Suggest returns "; did you mean x?" for the known name nearest to a misspelt one, or
// nothing where none is near, as the messages of this package do: for dictionaries
// that look up names of their own, such as columns. Case does not count.
func Suggest(wrong string, known []string) string {
	near := spelling.Near(wrong, known)
	if near == nil {
		return ""
	}
	return "; did you mean " + near[0] + "?"
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
