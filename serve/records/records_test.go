package records_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/serve/records"
)

var columns = records.Columns{Inputs: []prep.Input{{Name: "size"}, {Name: "code", Kind: data.Text}, {Name: "kind", Kind: data.Categorical}}, ID: "id", MaxRows: 1000}

// A JSON row, of which one value is missing.
func ExampleRead() {
	table, err := records.Read(context.Background(), records.JSON, []byte(`{"rows":[{"size":1.5,"kind":null,"code":"a"},{"size":2,"kind":"b"}]}`), columns)
	if err != nil {
		panic(err)
	}
	for _, c := range table.Columns {
		fmt.Println(c.Name, c.Kind, c.Numbers, c.Strings, c.Missing)
	}
	// Output:
	// size numeric [1.5 2] [] []
	// code text [] [a ] [false true]
	// kind text [] [ b] [true false]
}

// Predictions as lines of JSON.
func ExampleWrite() {
	lines := [][]any{{1, 2.5, "red"}, {2, 3.0, "blue"}}
	if err := records.Write(os.Stdout, records.Lines, "m", "1", []string{"row", "y", "label"}, lines, nil); err != nil {
		panic(err)
	}
	// Output:
	// {"label":"red","row":1,"y":2.5}
	// {"label":"blue","row":2,"y":3}
}

// inArrow is a row in a form of Arrow.
func inArrow(t testing.TB, media string) string {
	t.Helper()
	var out bytes.Buffer
	if err := records.Write(&out, media, "", "", []string{"id", "size", "code", "kind"}, [][]any{{7, 1.0, "007", "a"}}, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Text that looks like a number keeps its digits where the model compares it as it is written, in
// every form.
func TestDigitsOfText(t *testing.T) {
	for media, body := range map[string]string{
		records.JSON:  `{"rows":[{"id":7,"size":1,"code":"007","kind":"a"}]}`,
		records.Lines: `{"id":7,"size":1,"code":"007","kind":"a"}`,
		records.CSV:   "id,size,code,kind\n7,1,007,a\n",
		records.Arrow: inArrow(t, records.Arrow), records.Feather: inArrow(t, records.Feather),
	} {
		table, err := records.Read(t.Context(), media, []byte(body), columns)
		if err != nil {
			t.Fatal(err)
		}
		code, _ := table.Column("code")
		id, _ := table.Column("id")
		if code.Kind != data.Text || code.Strings[0] != "007" || id.Strings[0] != "7" {
			t.Errorf("%s: %+v, %+v", media, code, id)
		}
	}
}

// A column whose name is a part of another's is not that column.
func TestNamesWithinNames(t *testing.T) {
	table, err := records.Read(t.Context(), records.CSV, []byte("\"width\",postcode,kind\n1,2,a\n"), columns)
	if err != nil || table.Columns[1].Kind != data.Numeric {
		t.Errorf("%+v, %v", table, err)
	}
}

// Lists and objects in a cell are text as they are written.
func TestNestedCells(t *testing.T) {
	table, err := records.Read(t.Context(), records.JSON, []byte(`{"rows":[{"code":[[1, 2],[3,4]]}]}`), columns)
	if err != nil || table.Columns[0].Strings[0] != "[[1, 2],[3,4]]" {
		t.Errorf("%+v, %v", table, err)
	}
}

// No body ends in anything but a table or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"rows":[{"size":1,"code":"x"},[1,"a","b"]]}`), uint8(0))
	f.Add([]byte(`{"columns":{"size":[1,null],"kind":["a",3]}}`), uint8(0))
	f.Add([]byte("{\"size\":1}\n[1,2,3]\n"), uint8(1))
	f.Add([]byte("size,code\n1,2\n"), uint8(2))
	f.Add([]byte(inArrow(f, records.Arrow)), uint8(3))
	f.Add([]byte(inArrow(f, records.Feather)), uint8(4))
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		table, err := records.Read(t.Context(), []string{records.JSON, records.Lines, records.CSV, records.Arrow, records.Feather}[which%5], body, columns)
		if err != nil {
			return
		}
		for _, c := range table.Columns {
			if c.Len() != table.Rows() || c.Missing != nil && len(c.Missing) != c.Len() {
				t.Errorf("column %s has %d cells of %d rows", c.Name, c.Len(), table.Rows())
			}
		}
	})
}
