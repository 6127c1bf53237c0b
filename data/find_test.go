package data

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tab := &Table{Source: "t", Columns: []Column{{Name: "a"}, {Name: "last"}, {Name: "#1"}, {Name: "b"}}}
	for ref, want := range map[string]int{"a": 0, "b": 3, "last": 1, "#1": 2, "#2": 1, "first": 0, "#4": 3, "#-1": 3, "#-4": 0} {
		if got, err := tab.Find(ref); err != nil || got != want {
			t.Errorf("%q is column %d (%v), want %d", ref, got, err, want)
		}
	}
	for _, ref := range []string{"", "c", "#0", "#5", "#-5", "#x", "#", "-1"} {
		if got, err := tab.Find(ref); !errors.Is(err, ErrNoColumn) {
			t.Errorf("%q is column %d (%v), want ErrNoColumn", ref, got, err)
		}
	}
	if _, err := (&Table{Source: "t"}).Find("last"); err == nil {
		t.Error("a table without columns has a last one")
	}
}

func TestFindSuggests(t *testing.T) {
	tab := &Table{Source: "t.csv", Columns: []Column{{Name: "price"}, {Name: "size"}}}
	_, err := tab.Find("prize")
	const want = `t.csv: has no column "prize"; did you mean "price"? its 2 columns are #1 price, #2 size`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"hist*", "hist1", true}, {"hist*", "hist", true}, {"hist*", "this", false}, {"*", "", true}, {"*", "any", true},
		{"*t*", "state", true}, {"a*b*c", "axxbyyc", true}, {"a*b*c", "axxcyyb", false}, {"*ab", "aab", true}, {"a*a", "a", false},
		{"exact", "exact", true}, {"exact", "exactly", false},
	} {
		if got := like(c.pattern, c.name); got != c.want {
			t.Errorf("like(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestFindAll(t *testing.T) {
	tab := &Table{Source: "t", Columns: []Column{{Name: "hist1"}, {Name: "age"}, {Name: "hist2"}}}
	if got, err := tab.FindAll([]string{"hist*", "#1", "last"}); err != nil || !slices.Equal(got, []int{0, 2}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := tab.FindAll([]string{"x*", "age", "y"}); !errors.Is(err, ErrNoColumn) || !strings.Contains(err.Error(), `"x*"`) || !strings.Contains(err.Error(), `"y"`) {
		t.Errorf("error %v", err)
	}
}
