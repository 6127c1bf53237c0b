package data

import (
	"errors"
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
