package xlsx_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/xlsx"
)

func book(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/book.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The workbook was written by openpyxl 3: fifteen digits of 0.1 + 0.2, dates with
// and without a time, percent, and a cell of two lines.
func TestRead(t *testing.T) {
	table, err := xlsx.Read(t.Context(), "f", bytes.NewReader(book(t)), "", csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range table.Columns {
		got += fmt.Sprintf("%s %v %q %v %q %v\n", c.Name, c.Kind, string(c.Unit), c.Numbers, c.Strings, c.Missing)
	}
	const want = `name categorical "" [] ["a" "b c" "a"] []
size numeric "" [0.3 NaN 3] [] [false true false]
when numeric "date" [19783.520833333332 19784.000011574073 19785] ["2024-03-01T12:30:00" "2024-03-02T00:00:01" "2024-03-03"] []
day numeric "date" [19783 19784 NaN] ["2024-03-01" "2024-03-02" ""] [false false true]
share numeric "" [0.5 0.25 NaN] [] [false false true]
`
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	second, err := xlsx.Read(t.Context(), "f", bytes.NewReader(book(t)), "second", csv.Options{})
	if err != nil || second.Rows() != 2 || second.Columns[0].Name != "x" {
		t.Errorf("%+v, %v", second, err)
	}
}

func TestErrors(t *testing.T) {
	var e *data.Error
	for want, read := range map[string]func() (*data.Table, error){
		`has no sheet "third"; name one of "first, second"`: func() (*data.Table, error) {
			return xlsx.Read(t.Context(), "f", bytes.NewReader(book(t)), "third", csv.Options{})
		},
		"f: is no workbook of Excel": func() (*data.Table, error) {
			return xlsx.Read(t.Context(), "f", bytes.NewReader(book(t)[:2000]), "", csv.Options{})
		},
		"larger than the memory allowed": func() (*data.Table, error) {
			return xlsx.Read(t.Context(), "f", bytes.NewReader(book(t)), "", csv.Options{Budget: data.NewBudget(1000)})
		},
	} {
		if _, err := read(); err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &e) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := xlsx.Read(ctx, "f", bytes.NewReader(book(t)), "", csv.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(book(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := xlsx.Read(t.Context(), "f", bytes.NewReader(b), "", csv.Options{Budget: data.NewBudget(1 << 24)}); err != nil && !strings.HasPrefix(err.Error(), "f") {
			t.Fatal(err)
		}
	})
}
