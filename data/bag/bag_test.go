package bag_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/data/bag"
	"example.org/mercer/data/csv"
)

func TestSplit(t *testing.T) {
	for cell, want := range map[string][]string{
		"a|b|c":                       {"a", "b", "c"},
		" a ; b ":                     {"a", "b"},
		"1 2;3|4":                     {"1 2;3", "4"},
		"one":                         {"one"},
		`["a;b","c|\u00e4"]`:          {"a;b", "c|ä"},
		"[1, [2, 3], {\"x\": [ 4 ]}]": {"1", "[2,3]", `{"x":[4]}`},
		"[]":                          {},
	} {
		got, err := bag.Split(cell)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", cell, got, err, want)
		}
	}
	for cell, want := range map[string]string{
		"a||b":      `element 2 of 3 between "|" is empty`,
		"":          `element 1 of 1 between ";" is empty`,
		"[1, null]": "element 2 is null",
		"[1":        "begins like a list in JSON and is none",
		"[1] [2]":   "begins like a list in JSON and is none",
	} {
		if got, err := bag.Split(cell); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %s", cell, got, err, want)
		}
	}
}

func TestVectors(t *testing.T) {
	for cell, want := range map[string][][]float64{
		"1 2;3 4":         {{1, 2}, {3, 4}},
		"1,2|3e-1,-4":     {{1, 2}, {0.3, -4}},
		"[[1,2],[3, 4]]":  {{1, 2}, {3, 4}},
		"[1, 2]":          {{1}, {2}},
		`["1 2", [3, 4]]`: {{1, 2}, {3, 4}},
		"5":               {{5}},
		"[]":              {},
	} {
		got, err := bag.Vectors(cell)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", cell, got, err, want)
		}
	}
	for cell, want := range map[string]string{
		"1 2;3":        "element 2 is a vector of 1 numbers, and the first has 2",
		"1;x":          `element 2: "x" is not a finite number`,
		"[1, 1e99999]": `"1e99999" is not a finite number`,
		"[[1],[]]":     "element 2: is a vector without numbers",
		"NaN":          "not a finite number",
	} {
		if got, err := bag.Vectors(cell); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %s", cell, got, err, want)
		}
	}
}

// What is joined splits into the same elements.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		elements := rapid.SliceOf(rapid.StringMatching(`[ -~äß\n]*`)).Draw(t, "elements")
		got, err := bag.Split(bag.Join(elements))
		if err != nil || len(got) != len(elements) || len(got) > 0 && !cmp.Equal(got, elements) {
			t.Fatalf("%q became %q, %v", elements, got, err)
		}
	})
}

// FuzzSplit wants of the elements of a cell that the cell they are joined to holds them.
func FuzzSplit(f *testing.F) {
	for _, cell := range []string{"a|b", "1;2", `["a", "b|c", 3, [1, 2], {"x": null}]`, "[]", "a||b", "[1", `["\xff"]`} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		elements, err := bag.Split(cell)
		if err != nil || !utf8.ValidString(cell) {
			return // JSON has no other text than UTF-8
		}
		again, err := bag.Split(bag.Join(elements))
		if err != nil || len(again) != len(elements) || len(again) > 0 && !cmp.Equal(again, elements) {
			t.Fatalf("%q: %q became %q, %v", cell, elements, again, err)
		}
	})
}

func FuzzVectors(f *testing.F) {
	f.Add("[[1,2],[3,4]]")
	f.Add("1 2;3 4")
	f.Fuzz(func(t *testing.T, cell string) {
		vectors, err := bag.Vectors(cell)
		for _, x := range vectors {
			if err != nil || len(x) != len(vectors[0]) {
				t.Fatalf("%q: %v, %v", cell, vectors, err)
			}
		}
	})
}

func table(t *testing.T, text string, kinds map[string]data.Kind) *data.Table {
	t.Helper()
	out, err := csv.Read(context.Background(), "long.csv", strings.NewReader(text), csv.Options{Types: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const long = `molecule,x,class,atom,y
m1,1,a,C,0.5
m2,2,b,O,1
m1,3,a,H,-1
m2,4,b,C,1
m3,5,a,N,0
`

func TestGroup(t *testing.T) {
	got, err := bag.Group(table(t, long, nil), "molecule", "class", "no such column")
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range got.Columns {
		columns = append(columns, c.Name+" "+strings.Join(c.Strings, " "))
	}
	want := []string{"molecule m1 m2 m3", "bag [[1,0.5],[3,-1]] [[2,1],[4,1]] [[5,0]]", "class a b a", `atom ["C","H"] ["O","C"] ["N"]`}
	if diff := cmp.Diff(want, columns); diff != "" || got.ID != "molecule" || !cmp.Equal(got.Lines, []int{2, 3, 6}) {
		t.Errorf("%s\nid %q, lines %v", diff, got.ID, got.Lines)
	}
}

func TestGroupRefuses(t *testing.T) {
	for _, c := range []struct{ text, by, want string }{
		{long, "compound", `has no column "compound"`},
		{strings.Replace(long, "m2,4,b", "m2,4,a", 1), "molecule", `long.csv: line 5, column 3 (class): "a" is not what the first row of its bag has, "b"; a bag has one value`},
		{strings.Replace(long, "m1,3", "m1,", 1), "molecule", "long.csv: line 4, column 2 (x): "},
		{strings.Replace(long, "m1,3", ",3", 1), "molecule", "long.csv: line 4, column 1 (molecule): is missing"},
		{strings.Replace(long, "C,0.5", ",0.5", 1), "molecule", "long.csv: line 2, column 4 (atom): is missing"},
	} {
		if got, err := bag.Group(table(t, c.text, nil), c.by, "class"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v; want %s", got, err, c.want)
		}
	}
}

func Example() {
	vectors, err := bag.Vectors("0.5 1; 2 3.25")
	if err != nil {
		panic(err)
	}
	words, err := bag.Split(`["red", "dark green"]`)
	if err != nil {
		panic(err)
	}
	fmt.Println(vectors, len(words), words[1])
	// Output: [[0.5 1] [2 3.25]] 2 dark green
}

// TestGroupByAColumnCalledBag: the vectors have the name, and the column of the bags another.
func TestGroupByAColumnCalledBag(t *testing.T) {
	table := &data.Table{Source: "t.csv", Columns: []data.Column{
		{Name: bag.Column, Kind: data.Text, Strings: []string{"a", "a", "b"}},
		{Name: "x", Kind: data.Numeric, Numbers: []float64{1, 2, 3}},
		{Name: bag.ID, Kind: data.Text, Strings: []string{"p", "q", "r"}},
	}}
	got, err := bag.Group(table, bag.Column)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := got.Column(bag.Column); c == nil || c.Strings[0] != "[[1],[2]]" {
		t.Errorf("the column %s is %+v", bag.Column, c)
	}
	if c, _ := got.Column(got.ID); got.ID != "id_" || c == nil || c.Strings[1] != "b" {
		t.Errorf("the rows are named by %q: %+v", got.ID, c)
	}
}
