package arrow_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/arrow"
	"example.org/mercer/internal/testkit"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func read(b []byte, budget *data.Budget) (*data.Table, error) {
	return arrow.Read(context.Background(), "f", bytes.NewReader(b), int64(len(b)), budget)
}

// The files were written by pyarrow 26: the same table plain, compressed, and as a stream of two
// batches.
func TestRead(t *testing.T) {
	const want = `n numeric "" [1.5 NaN NaN -2] [] [false true true false]
i numeric "" [1 2 NaN 4] [] [false false true false]
big text "" [] ["9007199254740993" "1" "2" "3"] []
b numeric "" [1 0 NaN 1] [] [false false true false]
kind categorical "" [] ["a" "b" "a" ""] [false false false true]
text categorical "" [] ["x" "y" "x" "x"] []
day numeric "date" [19783 19784 NaN 19786] ["2024-03-01" "2024-03-02" "" "2024-03-04"] [false false true false]
when numeric "date" [19783.520833333332 19783.520833333332 19783.520833333332 19783.520833333332] ["2024-03-01T12:30:00" "2024-03-01T12:30:00" "2024-03-01T12:30:00" "2024-03-01T12:30:00"] []
time numeric "" [3600.5 3600.5 3600.5 3600.5] [] []
dec numeric "" [1.25 NaN -3.5 0] [] [false true false false]
`
	for _, name := range []string{"plain.feather", "lz4.feather", "zstd.feather", "stream.arrows"} {
		table, err := read(file(t, name), data.NewBudget(1<<24))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := ""
		for _, c := range table.Columns {
			got += fmt.Sprintf("%s %v %q %v %q %v\n", c.Name, c.Kind, string(c.Unit), c.Numbers, c.Strings, c.Missing)
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
		if why := table.Columns[2].Why; !strings.Contains(why, "row 1 holds 9007199254740993") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

func TestErrors(t *testing.T) {
	plain := file(t, "plain.feather")
	for want, b := range map[string][]byte{
		`column 1 (l): is of the type list<item: float64, nullable>`: file(t, "list.feather"),
		"is no Arrow file or stream, or damaged":                     plain[:len(plain)-20],
		"f: is no Arrow":                                             []byte("ARROW1"),
	} {
		var e *data.Error
		if _, err := read(b, nil); err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &e) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := read(plain, data.NewBudget(200)); !errors.Is(err, data.ErrBudget) {
		t.Errorf("budget: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := arrow.Read(ctx, "f", bytes.NewReader(plain), int64(len(plain)), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Bytes that are wrong anywhere make an error or another table, and nothing else.
func TestDamaged(t *testing.T) {
	r := testkit.Rand(t, 81)
	for _, name := range []string{"plain.feather", "lz4.feather", "zstd.feather", "stream.arrows"} {
		whole := file(t, name)
		for range 3000 {
			b := slices.Clone(whole)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
			var e *data.Error
			if table, err := read(b, data.NewBudget(1<<24)); err != nil && !errors.As(err, &e) || err == nil && table.Columns[0].Len() != table.Rows() {
				t.Fatalf("%s: %T %v", name, err, err)
			}
		}
	}
}

// A damaged file is an error or a table, and takes no memory beyond the budget.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"plain.feather", "lz4.feather", "zstd.feather", "stream.arrows"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		table, err := read(b, data.NewBudget(1<<24))
		if err != nil {
			var e *data.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		for _, c := range table.Columns {
			if c.Len() != table.Rows() {
				t.Fatalf("%d cells of %s in %d rows", c.Len(), c.Name, table.Rows())
			}
		}
	})
}
