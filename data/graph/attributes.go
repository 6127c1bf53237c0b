package graph

import (
	"math"
	"strconv"

	"example.org/mercer/data"
)

// attributes gathers named cells of nodes or edges.
type attributes struct {
	order []*attribute
	named map[string]*attribute
}

// attribute is one column while it is read.
type attribute struct {
	name    string
	cells   []string
	present []bool
	numeric bool
}

// set stores a cell and reports whether it was free.
func (as *attributes) set(i int, name string, v Value) bool {
	a := as.named[name]
	if a == nil {
		if as.named == nil {
			as.named = make(map[string]*attribute)
		}
		a = &attribute{name: name, numeric: true}
		as.named[name] = a
		as.order = append(as.order, a)
	}
	a.grow(i + 1)
	if a.present[i] {
		return false
	}
	a.cells[i], a.present[i], a.numeric = v.Text, true, a.numeric && v.Numeric
	return true
}

func (a *attribute) grow(n int) {
	for len(a.cells) < n {
		a.cells, a.present = append(a.cells, ""), append(a.present, false)
	}
}

// columns returns the attributes as columns of n cells, missing where nothing was set.
func (as *attributes) columns(n int) []data.Column {
	var out []data.Column
	for _, a := range as.order {
		a.grow(n)
		out = append(out, a.column())
	}
	return out
}

func (a *attribute) column() data.Column {
	c := data.Column{Name: a.name}
	for i, has := range a.present {
		if !has && c.Missing == nil {
			c.Missing = make([]bool, len(a.cells))
		}
		if !has {
			c.Missing[i] = true
		}
	}
	if a.numeric {
		c.Kind, c.Numbers = data.Numeric, make([]float64, len(a.cells))
		for i, text := range a.cells {
			c.Numbers[i], _ = strconv.ParseFloat(text, 64) // checked when it was set; missing cells below
			if !a.present[i] {
				c.Numbers[i] = math.NaN()
			}
		}
		return c
	}
	var texts data.Texts
	for _, text := range a.cells {
		texts.Add([]byte(text))
	}
	c.Strings = texts.Cells()
	c.Kind, c.Why = texts.Kind(c.Missing)
	return c
}
