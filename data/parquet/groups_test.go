package parquet_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
	"example.org/mercer/data/parquet"
)

// grouped is a file of ten rows in groups of three, with an integer of many digits in row 8.
func grouped(t *testing.T) []byte {
	t.Helper()
	type row struct {
		X  float64
		ID int64
	}
	var b bytes.Buffer
	w := pq.NewGenericWriter[row](&b, pq.MaxRowsPerRowGroup(3))
	for i := range 10 {
		r := row{X: float64(i), ID: int64(i)}
		if i == 7 {
			r.ID = 1<<53 + 1
		}
		if _, err := w.Write([]row{r}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Groups of rows are read as if there were no others, and nothing else is looked at.
func TestGroups(t *testing.T) {
	file := grouped(t)
	groups, footer, err := parquet.Layout("a", bytes.NewReader(file), int64(len(file)))
	if err != nil || len(groups) != 4 || footer.To != int64(len(file)) || groups[3].To > footer.From {
		t.Fatalf("%v, %v: %v", groups, footer, err)
	}
	var all []float64
	for i, g := range groups {
		part := make([]byte, len(file))
		for _, r := range []parquet.Group{{From: 0, To: 4}, g, footer} {
			copy(part[r.From:r.To], file[r.From:r.To])
		}
		var xs []float64
		words := data.TextColumns{}
		blocks := func() (*data.Table, *data.PartTally, error) {
			xs = nil
			return parquet.Blocks(t.Context(), "a", bytes.NewReader(part), int64(len(part)), parquet.Groups{From: i, To: i + 1}, words, func(int) int { return 2 }, nil, func(b *data.Table) error {
				xs = append(xs, b.Columns[0].Numbers...)
				return nil
			})
		}
		schema, tally, err := blocks()
		if i == 2 { // row 8 is in its first block
			if first := tally.Columns[1].First; err != nil || schema.Columns[1].Kind != data.Text || first.Why != "row 8 holds 9007199254740993, more digits than a number can keep" {
				t.Errorf("the column of many digits is %v, as %v: %v", schema, first, err)
			}
			words["ID"] = tally.Columns[1].First
			if schema, tally, err = blocks(); err != nil || tally.Columns[1].First != (data.FirstText{}) || schema.Columns[1].Why != words["ID"].Why {
				t.Errorf("known to be text: %v, %+v, %v", schema, tally, err)
			}
		} else if err != nil || schema.Columns[1].Kind != data.Numeric {
			t.Errorf("group %d: %v, %v", i, schema, err)
		}
		all = append(all, xs...)
	}
	if want := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(all, want) {
		t.Errorf("rows %v", all)
	}
	_, _, err = parquet.Blocks(t.Context(), "a", bytes.NewReader(file), int64(len(file)), parquet.Groups{From: 3, To: 5}, nil, func(int) int { return 2 }, nil, func(*data.Table) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "has 4 groups of rows, and 4 to 5 are to be read") {
		t.Errorf("groups that are not there: %v", err)
	}
	var ours *data.Error
	if _, _, err := parquet.Layout("a", bytes.NewReader(file[:len(file)-9]), int64(len(file)-9)); !errors.As(err, &ours) {
		t.Errorf("a file that was cut: %v", err)
	}
}
