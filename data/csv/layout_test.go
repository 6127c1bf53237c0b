package csv_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
)

// The beginning says where the rows begin, and what the columns are.
func TestLayout(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    csv.Options
		want csv.Layout
	}{
		"header":  {"x;y\n\n1;a\n2;b\n", csv.Options{}, csv.Layout{Delimiter: ';', Headed: true, Columns: []string{"x", "y"}, Text: data.TextColumns{"y": {Line: 3, Why: `holds "a"`}}, Start: 4, Lines: 1, First: 1}},
		"none":    {"1,2\n3,4\n", csv.Options{}, csv.Layout{Delimiter: ',', Columns: []string{"c1", "c2"}, Text: data.TextColumns{}, First: 1}},
		"mark":    {"\xef\xbb\xbfx,y\n1,2\n", csv.Options{}, csv.Layout{Delimiter: ',', Headed: true, Columns: []string{"x", "y"}, Text: data.TextColumns{}, Start: 7, Lines: 1, First: 1}},
		"skipped": {"about\n\nx,y\r\n1,2\r\n", csv.Options{Skip: 1}, csv.Layout{Delimiter: ',', Headed: true, Columns: []string{"x", "y"}, Text: data.TextColumns{}, Start: 12, Lines: 3, First: 3}},
		"blanks":  {"# about\n1 2\n3 4\n", csv.Options{Header: csv.HeaderNo}, csv.Layout{Delimiter: ' ', Columns: []string{"c1", "c2"}, Text: data.TextColumns{}, First: 2}},
		"forced":  {"x,y\n1,a\n", csv.Options{Types: map[string]data.Kind{"y": data.Text}}, csv.Layout{Delimiter: ',', Headed: true, Columns: []string{"x", "y"}, Text: data.TextColumns{}, Start: 4, Lines: 1, First: 1}},
		"lines":   {"x,y\n1,\"a\nb\"\n", csv.Options{}, csv.Layout{Delimiter: ',', Headed: true, Columns: []string{"x", "y"}, Text: data.TextColumns{"y": {Line: 2, Why: `holds "a\nb"`}}, Start: 4, Lines: 1, First: 1}},
	} {
		got, err := csv.LayoutOf(t.Context(), "table", strings.NewReader(c.text), c.o)
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: %+v, want %+v: %v", name, got, c.want, err)
		}
	}
	for text, want := range map[string]string{"": "is empty", "x,y\n1,2\n1\n": "has 1 cells", "x,when\n1,2024-01-02\n2,2024-01-03\n": "holds amounts or dates"} {
		if _, err := csv.LayoutOf(t.Context(), "table", strings.NewReader(text), csv.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Some lines of a table are read by its layout, and say what they hold. A cell that goes on in the
// next line, and a byte order mark, are errors.
func TestLinesOfALayout(t *testing.T) {
	l, err := csv.LayoutOf(t.Context(), "table", strings.NewReader("x,y\n1,a\n"), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	size := func(int) int { return 2 }
	read := func(text string) (rows []int, part *data.PartTally, err error) {
		_, part, err = l.Blocks(t.Context(), "table", strings.NewReader(text), csv.Options{}, l.Text, size, func(b *data.Table) error {
			rows = append(rows, b.Lines...)
			return nil
		})
		return rows, part, err
	}
	rows, part, err := read("1,2\n\n3,a\nNA,b\n")
	if err != nil || fmt.Sprint(rows) != "[1 3 4]" || part.Lines != 4 {
		t.Fatalf("rows on lines %v of %v: %v", rows, part, err)
	}
	if x, y := part.Columns[0], part.Columns[1]; x.Numbers != 2 || y.Numbers != 1 || y.Words != 2 || y.Counts.Rows != 3 || y.First != (data.FirstText{}) {
		t.Errorf("%+v and %+v", x, y)
	}
	if _, part, err = read("4,5\nu,6\n"); err != nil || part.Columns[0].First != (data.FirstText{Line: 2, Why: `holds "u"`, Before: 1}) {
		t.Errorf("a word in a column of numbers: %+v, %v", part, err)
	}
	if rows, part, err = read(""); err != nil || len(rows) > 0 || part.Lines != 0 {
		t.Errorf("no lines: %v, %v, %v", rows, part, err)
	}
	for text, want := range map[string]string{"1,\"a\nb\"\n": "goes on in the next line", "1\n": "has 1 cells where line 1 has 2", "\xef\xbb\xbf1,2\n": "byte order mark", "1,\x00\n": "zero byte"} {
		if _, _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
