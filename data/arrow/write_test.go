package arrow_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data/arrow"
)

// What is written is read again: numbers, texts, nulls, in two batches.
func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := arrow.NewWriter(&b)
	header := []string{"row", "price", "kind"}
	for _, lines := range [][][]any{{{1, 0.1, "a"}, {2, nil, nil}}, {{3, -2.5e300, "b, c"}}} {
		if err := w.Write(header, lines); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(header, [][]any{{4, "text", "d"}}); err == nil || !strings.Contains(err.Error(), `line 1, column "price": text is not of the type float64`) {
		t.Errorf("another kind: %v", err)
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	table, err := read(b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	row, price, kind := table.Columns[0], table.Columns[1], table.Columns[2]
	if !slices.Equal(row.Numbers, []float64{1, 2, 3}) || price.Numbers[0] != 0.1 || !price.Missing[1] || price.Numbers[2] != -2.5e300 || !slices.Equal(kind.Strings, []string{"a", "", "b, c"}) {
		t.Errorf("%+v", table.Columns)
	}
}

func TestWriterWithoutRows(t *testing.T) {
	var b bytes.Buffer
	if err := arrow.NewWriter(&b).End(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(b.Bytes(), nil); err == nil || !strings.Contains(err.Error(), "has no columns") {
		t.Errorf("%v", err)
	}
}
