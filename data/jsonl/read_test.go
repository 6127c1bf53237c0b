package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data"
	"example.org/mercer/data/jsonl"
)

const lines = `{"id":"a","age":31,"words":["red", "green"],"sick":true}

{"age":null,"words":[],"id":"b","points":[[1, 2]]}
{"id":"c","age":-1.5e1,"words":["x"],"sick":false}`

func TestRead(t *testing.T) {
	table, err := jsonl.Read(t.Context(), "f", strings.NewReader(lines), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range table.Columns {
		got += fmt.Sprintf("%s %v %v %v %v\n", c.Name, c.Kind, c.Numbers, c.Strings, c.Missing)
	}
	want := `id text [] [a b c] []
age numeric [31 NaN -15] [] [false true false]
words text [] [["red","green"] [] ["x"]] []
sick text [] [true  false] [false true false]
points text [] [ [[1,2]] ] [true false true]
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !cmp.Equal(table.Lines, []int{1, 3, 4}) || !math.IsNaN(table.Columns[1].Numbers[1]) {
		t.Errorf("%v", table.Lines)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "f: holds no rows",
		"\n[1]":              "f: line 2: is no object in JSON",
		`{"a":1}x`:           "f: line 1: goes on after its object",
		`{"a":1} {"a":2}`:    "f: line 1: goes on after its object",
		`{"a":1,"a":2}`:      `f: line 1: has "a" twice; keep one of the two`,
		"{\"a\":1}\n{\"a\":": `f: line 2: has no value for "a"`,
		`{"a":1e999}`:        `f: line 1: has a value of "a" that cannot be used`,
		`{"a":1`:             "f: line 1: is an object in JSON that does not end",
		`{}`:                 "f: holds objects without names",
		"{\n  \"a\": 1\n}":   "f: line 1: is",
	} {
		var e *data.Error
		if _, err := jsonl.Read(t.Context(), "f", strings.NewReader(text), nil); err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &e) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := jsonl.Read(ctx, "f", strings.NewReader(lines), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A file cut at any byte is a shorter table, or an error with its line.
func TestCut(t *testing.T) {
	for n := range len(lines) {
		table, err := jsonl.Read(t.Context(), "f", strings.NewReader(lines[:n]), nil)
		if (table == nil) == (err == nil) || err != nil && !strings.HasPrefix(err.Error(), "f: ") {
			t.Fatalf("%q: %v, %v", lines[:n], table, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(lines)
	f.Add(`{"a":[1,{"b":null}],"c":"\u00e4"}`)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := jsonl.Read(t.Context(), "f", strings.NewReader(text), nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f: ") {
				t.Fatal(err)
			}
			return
		}
		for _, c := range table.Columns {
			if c.Len() != len(table.Lines) || c.Missing != nil && len(c.Missing) != c.Len() {
				t.Fatalf("column %q has %d cells in %d rows", c.Name, c.Len(), len(table.Lines))
			}
		}
	})
}

func Example() {
	t, err := jsonl.Read(context.Background(), "rows.jsonl", strings.NewReader(`{"kind":"a","tags":["x","y"]}`), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Columns[1].Name, t.Columns[1].Strings[0])
	// Output: tags ["x","y"]
}
