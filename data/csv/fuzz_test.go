package csv_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
)

// wellFormed fails the test if a table breaks what its type promises.
func wellFormed(t *testing.T, got *data.Table) {
	t.Helper()
	if got.Rows() == 0 || len(got.Lines) != got.Rows() {
		t.Fatalf("%d rows, %d lines", got.Rows(), len(got.Lines))
	}
	names := make(map[string]bool)
	for i := range got.Columns {
		c := &got.Columns[i]
		if names[c.Name] || c.Name == "" || c.Len() != got.Rows() || c.Missing != nil && len(c.Missing) != got.Rows() {
			t.Fatalf("column %d (%q) has %d of %d rows", i+1, c.Name, c.Len(), got.Rows())
		}
		names[c.Name] = true
		for k := range c.Len() {
			switch {
			case c.Kind != data.Numeric && c.IsMissing(k) != (c.Strings[k] == ""):
				t.Fatalf("column %q, row %d: %q is missing: %v", c.Name, k, c.Strings[k], c.IsMissing(k))
			case c.Kind == data.Numeric && (math.IsInf(c.Numbers[k], 0) || c.IsMissing(k) != math.IsNaN(c.Numbers[k])):
				t.Fatalf("column %q, row %d: %v is missing: %v", c.Name, k, c.Numbers[k], c.IsMissing(k))
			}
		}
	}
}

// FuzzRead wants a well-formed table or a *data.Error that names the source.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,2\n3,4\n", "a\tb\n\"x\"\"y\"\t1\n", "  1 2\t3 \n4 5 6\n", "a;b\n1,5;NA\n\"q\n;\";x\n",
		"\xef\xbb\xbfx|y\r\n1|inf\r\n", "id\n9007199254740993\n", "\"", "a,\"b\"c\n", "#\n#\n1 2\n", "\x00", "\r", ",\n,\n",
	} {
		f.Add(text, int8(0), int8(0))
		f.Add(text, int8(','), int8(1))
		f.Add(text, int8(' '), int8(2))
		f.Add(text, int8('\n'), int8(0))
	}
	f.Fuzz(func(t *testing.T, text string, delim, header int8) {
		o := csv.Options{Delimiter: rune(delim), Header: csv.Header(header)}
		got, err := csv.Read(t.Context(), "t", strings.NewReader(text), o)
		if err == nil {
			wellFormed(t, got)
			return
		}
		var e *data.Error
		if !strings.HasPrefix(err.Error(), "csv: ") && (!errors.As(err, &e) || e.Source != "t" || e.Reason == "") {
			t.Fatalf("error %v does not say where and why", err)
		}
	})
}

// TestCut cuts a file at every byte: what is left is a table or an error, and never a
// panic.
func TestCut(t *testing.T) {
	text := "id,name,price\n1,\"a \"\"b\"\"\nc\",1.5\n2,NA,inf\n3,z,-2e5\n"
	for n := range len(text) + 1 {
		if got, err := read(t, text[:n], csv.Options{}); err == nil {
			wellFormed(t, got)
		}
	}
}
