package task

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// selfTestCount is the number of raw rows that a model keeps for its self-test.
const selfTestCount = 5

// SelfTest holds a few rows as they were read, and what the model said of them when it
// was made: they exercise the whole way from a table to predictions.
type SelfTest struct {
	Headed bool `json:"headed"`
	// Names are those of the rows, so that a row that is forgotten is found here too; nil
	// in files of versions that did not keep them.
	Names   []string         `json:"names,omitempty"`
	Columns []SelfTestColumn `json:"columns"`
	Values  [][]float64      `json:"values"` // rows × outputs
}

type SelfTestColumn struct {
	Name    string    `json:"name"`
	Kind    string    `json:"kind"`
	Numbers []float64 `json:"numbers,omitempty"`
	Strings []string  `json:"strings,omitempty"`
}

// selfTestRows picks rows spread over the table, among those that were kept and have no
// missing cell, with their names.
func selfTestRows(t data.Blocks, rows *prep.Prepared) (*SelfTestTable, error) {
	var whole []int // positions among the prepared rows
	for b, p := 0, 0; p < len(rows.Rows); b++ {
		block, err := t.Block(b, nil)
		if err != nil {
			return nil, err
		}
		for ; p < len(rows.Rows) && rows.Rows[p] < t.Starts()[b+1]; p++ {
			if complete(block, rows.Rows[p]-block.Before) {
				whole = append(whole, p)
			}
		}
	}
	out := &SelfTestTable{Table: &data.Table{Source: "self-test rows", Headed: t.Schema().Headed}}
	for _, c := range t.Schema().Columns {
		out.Columns = append(out.Columns, data.Column{Name: c.Name, Kind: c.Kind})
	}
	for g := range min(selfTestCount, len(whole)) {
		p := whole[g*len(whole)/min(selfTestCount, len(whole))]
		i := rows.Rows[p]
		block, err := t.Block(blockOf(t, i), nil)
		if err != nil {
			return nil, err
		}
		out.Names = append(out.Names, RowName(rows, p))
		for j := range out.Columns {
			column, from, at := &out.Columns[j], &block.Columns[j], i-block.Before
			if column.Kind == data.Numeric {
				column.Numbers = append(column.Numbers, from.Numbers[at])
			} else {
				column.Strings = append(column.Strings, from.Strings[at])
			}
		}
	}
	return out, nil
}

// complete reports whether no cell of a row is missing.
func complete(t *data.Table, row int) bool {
	for c := range t.Columns {
		if t.Columns[c].IsMissing(row) {
			return false
		}
	}
	return true
}

// SelfTestTable is the rows of a [SelfTest] with their names.
type SelfTestTable struct {
	*data.Table
	Names []string
}

// Without returns the rows that have none of the names; rows without names may have any.
func (t *SelfTestTable) Without(gone map[string]bool) *SelfTestTable {
	if len(gone) == 0 {
		return t
	}
	var left []int
	for i, name := range t.Names {
		if !gone[name] {
			left = append(left, i)
		}
	}
	return &SelfTestTable{Table: t.Gather(left), Names: data.Pick(t.Names, left)}
}

// Table returns the rows as a table.
func (g *SelfTest) Table() *SelfTestTable {
	t := &SelfTestTable{Table: &data.Table{Source: "self-test rows of the model", Headed: g.Headed}, Names: g.Names}
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
