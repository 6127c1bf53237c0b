package task

import (
	"fmt"
	"math"

	"example.org/mercer/data"
)

// SelfTest holds a few rows as a table could have them, and what the model said of them when it
// was made: they exercise the whole way from a table to predictions.
type SelfTest struct {
	Headed bool `json:"headed"`
	// Invented says that the rows are made up, see [Invented], and Shuffled that they are so of
	// single cells of training rows. Files of versions before have rows of the training table,
	// Names being theirs.
	Invented bool             `json:"invented,omitempty"`
	Shuffled bool             `json:"shuffled,omitempty"`
	Names    []string         `json:"names,omitempty"`
	Columns  []SelfTestColumn `json:"columns"`
	Values   [][]float64      `json:"values"` // rows × outputs
}

type SelfTestColumn struct {
	Name    string    `json:"name"`
	Kind    string    `json:"kind"`
	Numbers []float64 `json:"numbers,omitempty"`
	Strings []string  `json:"strings,omitempty"`
}

// NewSelfTest keeps the cells of a table of made up rows.
func NewSelfTest(t *data.Table) *SelfTest {
	g := &SelfTest{Headed: t.Headed, Invented: true}
	for _, c := range t.Columns {
		g.Columns = append(g.Columns, SelfTestColumn{Name: c.Name, Kind: c.Kind.String(), Numbers: c.Numbers, Strings: c.Strings})
	}
	return g
}

// Telling reports whether the predictions of the rows differ: rows that are far from all points
// of a model are predicted by its intercept, which tells little.
func (g *SelfTest) Telling() bool {
	for j := range g.Values[0] {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range g.Values {
			least, most = min(least, g.Values[i][j]), max(most, g.Values[i][j])
		}
		if most-least > 1e-6*max(math.Abs(least), math.Abs(most)) {
			return true
		}
	}
	return false
}

// Table returns the rows as a table.
func (g *SelfTest) Table() *data.Table {
	t := &data.Table{Source: "self-test rows of the model", Headed: g.Headed}
	for _, c := range g.Columns {
		kind, _ := data.ParseKind(c.Kind) // checked
		t.Columns = append(t.Columns, data.Column{Name: c.Name, Kind: kind, Numbers: c.Numbers, Strings: c.Strings})
	}
	return t
}

// Check makes sure that the self-test rows of a file are a table.
func (g *SelfTest) Check() error {
	for _, c := range g.Columns {
		kind, err := data.ParseKind(c.Kind)
		if err != nil {
			return fmt.Errorf("self-test rows, column %q: %w", c.Name, err)
		}
		n := len(c.Strings)
		if kind == data.Numeric {
			n = len(c.Numbers)
		}
		if n != len(g.Values) {
			return fmt.Errorf("self-test rows: column %q has %d cells for %d predictions", c.Name, n, len(g.Values))
		}
	}
	if g.Names != nil && len(g.Names) != len(g.Values) {
		return fmt.Errorf("self-test rows: %d names for %d predictions", len(g.Names), len(g.Values))
	}
	for _, row := range g.Values {
		if len(row) != len(g.Values[0]) {
			return fmt.Errorf("self-test rows: predictions of %d and of %d outputs", len(g.Values[0]), len(row))
		}
	}
	return nil
}
