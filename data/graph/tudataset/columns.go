package tudataset

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
)

// columns are the cells of an optional file, column by column.
type columns struct {
	path  string
	texts [][]string  // of labels
	reals [][]float64 // of attributes
	seen  map[string]string
}

// labels reads a file of labels; n is how many lines it must have.
func labels(ctx context.Context, budget *data.Budget, path string, n int, what string) (*columns, error) {
	c := &columns{path: path, seen: map[string]string{}}
	return c.read(ctx, budget, n, what, func(f *file, cells [][]byte) error {
		if c.texts == nil {
			c.texts = make([][]string, len(cells))
		}
		if len(cells) != len(c.texts) {
			return f.fail(0, "", fmt.Sprintf("has %d labels, and the lines before %d", len(cells), len(c.texts)), "give every line as many")
		}
		for k, cell := range cells {
			if len(cell) == 0 {
				return f.fail(k+1, "", "has an empty label", "write one")
			}
			c.texts[k] = append(c.texts[k], c.shared(cell))
		}
		return nil
	})
}

// attributes reads a file of numbers.
func attributes(ctx context.Context, budget *data.Budget, path string, n int, what string) (*columns, error) {
	c := &columns{path: path}
	return c.read(ctx, budget, n, what, func(f *file, cells [][]byte) error {
		if c.reals == nil {
			c.reals = make([][]float64, len(cells))
		}
		if len(cells) != len(c.reals) {
			return f.fail(0, "", fmt.Sprintf("has %d attributes, and the lines before %d", len(cells), len(c.reals)), "give every line as many")
		}
		for k, cell := range cells {
			v, err := strconv.ParseFloat(string(cell), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return f.fail(k+1, string(cell), "is not a finite number, and attributes are numbers", "correct it")
			}
			c.reals[k] = append(c.reals[k], v)
		}
		return nil
	})
}

// read returns nil where there is no file.
func (c *columns) read(ctx context.Context, budget *data.Budget, n int, what string, row func(f *file, cells [][]byte) error) (*columns, error) {
	rows := 0
	f, err := each(ctx, budget, c.path, func(f *file, cells [][]byte) error {
		if rows++; n >= 0 && rows > n {
			return f.fail(0, "", fmt.Sprintf("is one line more than the %d %ss", n, what), "give one line for each "+what)
		}
		return row(f, cells)
	})
	if err != nil || f == nil {
		return nil, err
	}
	if n >= 0 && rows != n {
		return nil, &data.Error{Source: c.path, Reason: fmt.Sprintf("has %d lines for %d %ss", rows, n, what), Fix: "give one line for each; the file may have been cut"}
	}
	return c, nil
}

// shared returns a cell as a string; equal ones share their bytes.
func (c *columns) shared(cell []byte) string {
	if s, ok := c.seen[string(cell)]; ok {
		return s
	}
	s := string(cell)
	c.seen[s] = s
	return s
}

// rows is the number of lines.
func (c *columns) rows() int {
	switch {
	case len(c.texts) > 0:
		return len(c.texts[0])
	case len(c.reals) > 0:
		return len(c.reals[0])
	}
	return 0
}

// of returns the cells at the given lines as columns of a graph: labels are called label,
// label2, …, attributes a1, a2, ….
func (c *columns) of(lines []int32) []data.Column {
	if c == nil {
		return nil
	}
	var out []data.Column
	for k, cells := range c.texts {
		name := "label"
		if k > 0 {
			name = fmt.Sprintf("label%d", k+1)
		}
		out = append(out, data.Column{Name: name, Kind: data.Categorical, Strings: pick(cells, lines)})
	}
	for k, cells := range c.reals {
		out = append(out, data.Column{Name: fmt.Sprintf("a%d", k+1), Kind: data.Numeric, Numbers: pick(cells, lines)})
	}
	return out
}

func pick[T any](cells []T, lines []int32) []T {
	out := make([]T, len(lines))
	for i, line := range lines {
		out[i] = cells[line]
	}
	return out
}

// alike reports whether two lines have the same cells.
func (c *columns) alike(a, b int32) bool {
	if c == nil {
		return true
	}
	for _, cells := range c.texts {
		if cells[a] != cells[b] {
			return false
		}
	}
	for _, cells := range c.reals {
		if cells[a] != cells[b] {
			return false
		}
	}
	return true
}
