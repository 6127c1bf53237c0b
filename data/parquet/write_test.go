package parquet_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data/parquet"
)

// What is written is read again, with its columns in their order: numbers, texts, nulls.
func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewWriter(&b)
	header := []string{"row", "price", "kind, of it"}
	for _, lines := range [][][]any{{{1, 0.1, "a"}, {2, nil, nil}}, {{3, -2.5e300, "b, c"}}} {
		if err := w.Write(header, lines); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(header, [][]any{{4, "text", "d"}}); err == nil || !strings.Contains(err.Error(), `line 1, column "price": text is not of the type`) {
		t.Errorf("another kind: %v", err)
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	table, err := parquet.Read(t.Context(), "f", bytes.NewReader(b.Bytes()), int64(b.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	row, price, kind := table.Columns[0], table.Columns[1], table.Columns[2]
	if row.Name != "row" || kind.Name != "kind, of it" || !slices.Equal(row.Numbers, []float64{1, 2, 3}) || price.Numbers[0] != 0.1 || !price.Missing[1] || price.Numbers[2] != -2.5e300 || !slices.Equal(kind.Strings, []string{"a", "", "b, c"}) {
		t.Errorf("%+v", table.Columns)
	}
	if err := parquet.NewWriter(&b).Write([]string{"a", "a"}, nil); err == nil || !strings.Contains(err.Error(), `two columns are called "a"`) {
		t.Errorf("twice: %v", err)
	}
}
