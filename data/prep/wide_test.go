package prep_test

import (
	"fmt"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// A table of 100,000 columns is prepared and matched by name. A search through all names for
// every column would compare 5·10⁹ of them, and not end within the patience of a test.
func TestManyColumns(t *testing.T) {
	const columns = 100_000
	table := &data.Table{Source: "wide.csv", Headed: true, Columns: make([]data.Column, columns)}
	drop := make([]string, 0, columns/2)
	for j := range table.Columns {
		// Names of one length and one beginning are compared to their ends.
		table.Columns[j] = data.Column{Name: fmt.Sprintf("%s%06d", strings.Repeat("x", 100), j), Kind: data.Numeric, Numbers: []float64{float64(j), 1, 2}}
		if j%2 == 1 {
			drop = append(drop, table.Columns[j].Name)
		}
	}
	p, _, err := prep.Fit(table, prep.Spec{Targets: []string{"first"}, Drop: drop})
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Apply(table)
	if err != nil || got.X.Dim() != columns/2-1 {
		t.Fatalf("%d features, %v", got.X.Dim(), err)
	}
	_, _, err = prep.Fit(table, prep.Spec{NoTarget: true, Drop: append(drop, "first")})
	if err != nil {
		t.Error(err)
	}
	lacking := &data.Table{Source: "short.csv", Headed: true, Columns: table.Columns[1:2]}
	if _, err := p.Apply(lacking); err == nil || len(err.Error()) > 20_000 {
		t.Errorf("an error of %d bytes", len(fmt.Sprint(err)))
	}
	for j := range table.Columns {
		table.Columns[j].Kind, table.Columns[j].Strings = data.Text, []string{"a", "b", "c"}
	}
	if _, _, err = prep.Fit(table, prep.Spec{NoTarget: true}); err == nil || len(err.Error()) > 3000 {
		t.Errorf("text alone: an error of %d bytes", len(fmt.Sprint(err)))
	}
}
