package jsonl

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

// Format returns the line of a graph. A number that JSON cannot hold (±Inf) is an error;
// missing cells and NaN become null.
func Format(g *graph.Graph) (string, error) {
	b := []byte{'{'}
	if g.Directed {
		b = append(b, `"directed":true,`...)
	}
	b = append(b, `"nodes":`...)
	if plain(g.IDs) {
		b = strconv.AppendInt(b, int64(len(g.IDs)), 10)
	} else {
		b = list(b, len(g.IDs), func(b []byte, i int) []byte { return quoted(b, g.IDs[i]) })
	}
	b = append(b, `,"edges":`...)
	b = list(b, len(g.Edges), func(b []byte, e int) []byte {
		b = strconv.AppendInt(append(b, '['), int64(g.Edges[e].From), 10)
		b = strconv.AppendInt(append(b, ','), int64(g.Edges[e].To), 10)
		return append(b, ']')
	})
	if g.Weights != nil {
		b = append(b, `,"weights":`...)
		b = list(b, len(g.Weights), func(b []byte, e int) []byte { return strconv.AppendFloat(b, g.Weights[e], 'g', -1, 64) })
	}
	for _, part := range []struct {
		key     string
		columns []data.Column
	}{{"node", g.Nodes}, {"edge", g.Labels}} {
		var err error
		if b, err = attributes(b, part.key, part.columns); err != nil {
			return "", fmt.Errorf("graph: %s: %w", g.Source, err)
		}
	}
	return string(append(b, '}')), nil
}

// plain reports whether the ids are 0, 1, 2, …, which need not be written.
func plain(ids []string) bool {
	for i, id := range ids {
		if id != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// attributes appends the columns in the order of their names.
func attributes(b []byte, key string, columns []data.Column) ([]byte, error) {
	if len(columns) == 0 {
		return b, nil
	}
	columns = slices.Clone(columns)
	slices.SortStableFunc(columns, func(x, y data.Column) int { return strings.Compare(x.Name, y.Name) })
	b = append(quoted(append(b, ','), key), ":{"...)
	for k := range columns {
		c := &columns[k]
		if k > 0 {
			b = append(b, ',')
		}
		b = append(quoted(b, c.Name), ':')
		for i, v := range c.Numbers {
			if math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s of %s %d is %v, which JSON cannot hold; make it finite or missing", c.Name, key, i, v)
			}
		}
		b = list(b, c.Len(), func(b []byte, i int) []byte { return cell(b, c, i) })
	}
	return append(b, '}'), nil
}

// cell appends cell i of a column.
func cell(b []byte, c *data.Column, i int) []byte {
	switch {
	case c.IsMissing(i), c.Kind == data.Numeric && math.IsNaN(c.Numbers[i]):
		return append(b, "null"...)
	case c.Kind == data.Numeric:
		return strconv.AppendFloat(b, c.Numbers[i], 'g', -1, 64)
	}
	return quoted(b, c.Strings[i])
}

// list appends n elements in brackets.
func list(b []byte, n int, element func(b []byte, i int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = element(b, i)
	}
	return append(b, ']')
}

// quoted appends a string.
func quoted(b []byte, s string) []byte {
	text, _ := json.Marshal(s) // never fails for a string
	return append(b, text...)
}
