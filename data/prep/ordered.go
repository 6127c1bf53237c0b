package prep

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// Ordering says that the levels of a categorical column have an order, from the lowest on. Its 0/1
// features say of each level whether that of the row is as high: two rows that are c steps apart
// differ in c features, and so ‖x − y‖² = c for any kernel of the distance.
type Ordering struct {
	Column string
	Levels []string
}

// ParseOrdering reads an ordering as it is written, such as size=small<medium<large.
func ParseOrdering(text string) (Ordering, error) {
	name, levels, ok := strings.Cut(text, "=")
	o := Ordering{Column: strings.TrimSpace(name), Levels: strings.Split(levels, "<")}
	for i := range o.Levels {
		o.Levels[i] = strings.TrimSpace(o.Levels[i])
	}
	if !ok || o.Column == "" || len(o.Levels) < 2 {
		return o, fmt.Errorf("prep: %q is no order: write a column and its levels from the lowest on, such as size=small<medium<large", text)
	}
	return o, o.check()
}

func (o Ordering) check() error {
	for i, level := range o.Levels {
		if level == "" || slices.Contains(o.Levels[:i], level) {
			return fmt.Errorf("prep: the order of column %q has the level %q twice, or an empty one", o.Column, level)
		}
	}
	return nil
}

// orders returns the orderings of a table's columns by their places; an error joins what is wrong.
func (s Spec) orders(t *data.Table, roles []role) (map[int]Ordering, error) {
	orders := map[int]Ordering{}
	find := t.Finder()
	for _, o := range s.Ordered {
		at, err := find(o.Column)
		if err == nil {
			err = o.check()
		}
		if err == nil && (t.Columns[at].Kind != data.Categorical || roles[at] != feature) {
			err = cells{of: t, at: at}.failColumn(fmt.Sprintf("is to have an order, and is %v as a %s", t.Columns[at].Kind, roles[at]), "orders are for levels of features (--type COLUMN=categorical); numbers have one")
		}
		if err != nil {
			return nil, fmt.Errorf("ordered: %w", err)
		}
		orders[at] = o
	}
	return orders, nil
}

// order gives a column the levels of an ordering; seen are those of the training rows.
func (c *column) order(levels, seen []string, from cells) error {
	for _, level := range seen {
		if !slices.Contains(levels, level) {
			return from.failColumn(fmt.Sprintf("has the level %q, which its order %s lacks", level, strings.Join(levels, " < ")), "add it where it belongs")
		}
	}
	c.Levels = slices.Sorted(slices.Values(levels))
	for _, level := range c.Levels {
		c.Ranks = append(c.Ranks, slices.Index(levels, level))
	}
	return nil
}

// mark stores the features of a level: 1 in its place, and for an order in those of all below.
func (c *column) mark(features []float64, level int) {
	if c.Ranks == nil {
		features[level] = 1
		return
	}
	for l, rank := range c.Ranks {
		if rank <= c.Ranks[level] {
			features[l] = 1
		}
	}
}

// marked returns the level whose features are marked; -1: none, or they are missing.
func (c *column) marked(features []float64) int {
	at := -1
	for l := range c.Levels {
		if features[l] == 1 && (at < 0 || c.Ranks != nil && c.Ranks[l] > c.Ranks[at]) {
			at = l
		}
	}
	return at
}

// isOrder reports whether ranks are a permutation of 0 … n−1.
func isOrder(ranks []int, n int) bool {
	sorted := slices.Sorted(slices.Values(ranks))
	return slices.Equal(sorted, data.Range(0, n))
}
