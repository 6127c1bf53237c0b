package arff_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data"
	"example.org/mercer/data/arff"
)

const weather = `% a comment
@RELATION weather

@attribute outlook {sunny, 'over cast', rainy}
@attribute 'wind speed' REAL
@ATTRIBUTE note string
@attribute day date "yyyy-MM-dd"
@attribute "it's" {'a\'b', "c,d"}
@data
sunny, 12.5, 'it\'s', 2024-03-01, "c,d"
% another
'over cast', ?, "two, words", 2024-03-02, 'a\'b'
?, -1e3, ?, ?, ?
{1 4, 2 'x y', 4 "c,d"}
{}
`

func TestRead(t *testing.T) {
	table, err := arff.Read(t.Context(), "f", strings.NewReader(weather), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range table.Columns {
		got += fmt.Sprintf("%s %v %q %v %q %v\n", c.Name, c.Kind, string(c.Unit), c.Numbers, c.Strings, c.Missing)
	}
	want := `outlook categorical "" [] ["sunny" "over cast" "" "sunny" "sunny"] [false false true false false]
wind speed numeric "" [12.5 NaN -1000 4 0] [] [false true false false false]
note text "" [] ["it's" "two, words" "" "x y" ""] [false false true false true]
day numeric "date" [19783 19784 NaN NaN NaN] ["2024-03-01" "2024-03-02" "" "" ""] [false false true true true]
it's categorical "" [] ["c,d" "a'b" "" "c,d" "a'b"] [false false true false false]
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !cmp.Equal(table.Lines, []int{10, 12, 13, 14, 15}) || !math.IsNaN(table.Columns[1].Numbers[1]) {
		t.Errorf("lines %v", table.Lines)
	}
}

func TestErrors(t *testing.T) {
	const head = "@relation r\n@attribute a numeric\n@attribute k {x,y}\n@data\n"
	for text, want := range map[string]string{
		"":                                      "f: has no line @data",
		"@relation r\n@data\n":                  "f: line 2: begins the rows, and there is no attribute",
		"a,b\n1,2\n":                            `f: line 1: begins with "a,b" before @data`,
		"@attribute a\n":                        "f: line 1: declares no attribute",
		"@attribute a numeric\n@attribute a {}": `f: line 2: declares "a" twice`,
		"@attribute a {}":                       `f: line 1: has no values of "a"`,
		"@attribute a {'x}":                     `f: line 1: has values of "a" that cannot be read: a quote does not end`,
		"@attribute a relational":               `f: line 1: has the attribute "a" of the type "relational"`,
		head:                                    "f: holds no rows",
		head + "1,x\n2\n":                       "f: line 6: has 1 values, and there are 2 attributes",
		head + "1,x,{3}\n":                      "f: line 5: has 3 values",
		head + "one,x\n":                        `f: line 5, column 1 (a): "one" is not a number`,
		head + "Inf,x\n":                        `f: line 5, column 1 (a): "Inf" is not a number`,
		head + "1,z\n":                          `f: line 5, column 2 (k): "z" is none of the values`,
		head + "1,'x\n":                         "f: line 5: cannot be read: a quote does not end",
		head + "{0 1\n":                         "f: line 5: is a sparse row that does not end",
		head + "{2 1}\n":                        `f: line 5: holds the pair "2 1"`,
		head + "{0}\n":                          `f: line 5: holds the pair "0"`,
		head + "{0 1, 0 2}\n":                   "f: line 5: has the index 0 twice",
	} {
		var e *data.Error
		if _, err := arff.Read(t.Context(), "f", strings.NewReader(text), nil); err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &e) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := arff.Read(ctx, "f", strings.NewReader(weather), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := arff.Read(t.Context(), "f", strings.NewReader(weather), data.NewBudget(100)); !errors.Is(err, data.ErrBudget) {
		t.Errorf("budget: %v", err)
	}
}

// A file that ends anywhere is a shorter table, or an error that names it.
func FuzzRead(f *testing.F) {
	f.Add(weather)
	f.Add("@attribute a numeric\n@data\n{0 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := arff.Read(t.Context(), "f", strings.NewReader(text), data.NewBudget(1<<24))
		switch {
		case err != nil && !strings.HasPrefix(err.Error(), "f"):
			t.Fatal(err)
		case err == nil:
			for _, c := range table.Columns {
				if c.Len() != table.Rows() {
					t.Fatalf("%d cells of %s in %d rows", c.Len(), c.Name, table.Rows())
				}
			}
		}
	})
}
