package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// readOnce parses the tree once for all tests.
var readOnce = sync.OnceValues(func() (*tree, error) { return readTree(".") })

func theTree(t *testing.T) *tree {
	t.Helper()
	tr, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// onlyKnown compares the violations that a check has found with the known ones. Both map what
// violates the rule to its number: how many lines, names or places.
func onlyKnown(t *testing.T, rule string, known, found map[string]int) {
	t.Helper()
	for _, complaint := range complaints(rule, known, found) {
		t.Error(complaint)
	}
}

// complaints names every violation that is new, every known one that has grown, and every known
// one that is gone, so that the lists of known violations only shrink.
func complaints(rule string, known, found map[string]int) []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(found)) {
		was, listed := known[what]
		switch {
		case !listed:
			out = append(out, fmt.Sprintf("%s: %d, and %s", what, found[what], rule))
		case found[what] > was:
			out = append(out, fmt.Sprintf("%s: it was %d and has grown to %d, and %s", what, was, found[what], rule))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(known)) {
		if _, still := found[what]; !still {
			out = append(out, fmt.Sprintf("%s keeps the rule now (%s): delete its line from the list of known violations", what, rule))
		}
	}
	return out
}

// places are where a rule is violated: what violates it, and its positions.
type places map[string][]string

func (p places) add(what, at string) { p[what] = append(p[what], at) }

// shownPlaces limits how many places of one violation are listed.
const shownPlaces = 10

func (p places) counts() map[string]int {
	counts := map[string]int{}
	for what, at := range p {
		counts[what] = len(at)
	}
	return counts
}

// onlyKnownPlaces does the same for violations that are counted by their places.
func onlyKnownPlaces(t *testing.T, rule string, known map[string]int, found places) {
	t.Helper()
	for _, complaint := range complaints(rule, known, found.counts()) {
		t.Error(complaint)
		what, _, _ := strings.Cut(complaint, ": ")
		for _, at := range found[what][:min(len(found[what]), shownPlaces)] {
			t.Log("\t", at)
		}
	}
}

// TestListsOnlyShrink makes sure that a list of known violations can neither grow nor go stale.
func TestListsOnlyShrink(t *testing.T) {
	known := map[string]int{"a": 3}
	for _, c := range []struct {
		name  string
		found map[string]int
		fails int
	}{
		{"the same", map[string]int{"a": 3}, 0},
		{"smaller", map[string]int{"a": 2}, 0},
		{"grown", map[string]int{"a": 4}, 1},
		{"new", map[string]int{"a": 3, "b": 1}, 1},
		{"gone", map[string]int{}, 1},
	} {
		if got := len(complaints("rule", known, c.found)); got != c.fails {
			t.Errorf("%s: %d complaints, want %d", c.name, got, c.fails)
		}
	}
}
