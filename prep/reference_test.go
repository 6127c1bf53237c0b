package prep

import "testing"

func TestFindColumns(t *testing.T) {
	tab := table("a last #1 b", "1 2 3 4")
	for ref, want := range map[string]int{"a": 0, "b": 3, "last": 1, "#1": 2, "#2": 1, "first": 0, "#4": 3, "#-1": 3, "#-4": 0} {
		if got, err := find(tab, ref); err != nil || got != want {
			t.Errorf("%q is column %d (%v), want %d", ref, got, err, want)
		}
	}
	for _, ref := range []string{"", "c", "#0", "#5", "#-5", "#x", "#", "-1"} {
		if got, err := find(tab, ref); err == nil {
			t.Errorf("%q is column %d, want an error", ref, got)
		}
	}
}

func TestDistance(t *testing.T) {
	// Textbook values of the Levenshtein distance.
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"", "abc", 3}, {"äb", "ab", 1}, {"same", "same", 0}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
