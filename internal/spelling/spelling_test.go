package spelling

import (
	"slices"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		want   int
		reason string
	}{
		{"", "", 0, "nothing to do"},
		{"", "abc", 3, "insertions"},
		{"sigma", "sigma", 0, "equal"},
		{"sigm", "sigma", 1, "an insertion"},
		{"sgima", "sigma", 1, "a swap of neighbours"},
		{"gamma", "sigma", 3, "substitutions"},
		{"λs", "λ", 1, "characters, not bytes"},
		{"kitten", "sitting", 3, "the textbook example of Levenshtein's distance"},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%s: Distance(%q, %q) = %d, want %d", c.reason, c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("%s: Distance(%q, %q) = %d, want %d: it must be symmetric", c.reason, c.b, c.a, got, c.want)
		}
	}
}

func TestNear(t *testing.T) {
	known := []string{"price", "rice", "size", "age"}
	for _, c := range []struct {
		wrong string
		want  []string
	}{
		{"PRICE", []string{"price"}},
		{"pice", []string{"price", "rice"}},
		{"colour", nil},
		{"prise", []string{"price"}},
		{"d", nil},
	} {
		if got := Near(c.wrong, known); !slices.Equal(got, c.want) {
			t.Errorf("Near(%q) = %q, want %q", c.wrong, got, c.want)
		}
	}
}
