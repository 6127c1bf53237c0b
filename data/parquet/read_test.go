package parquet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
	"example.org/mercer/data/parquet"
)

// reference is testdata/arrow.json: files that PyArrow wrote and what is in them.
type reference struct {
	Origin string
	Files  []struct {
		Name    string
		File    []byte
		Columns map[string]struct {
			Kind  string
			Cells []*string
		}
		Why   string
		Error string
	}
}

func arrow(t testing.TB) reference {
	t.Helper()
	raw, err := os.ReadFile("testdata/arrow.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(raw, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

func read(t *testing.T, file []byte) (*data.Table, error) {
	t.Helper()
	return parquet.Read(t.Context(), "a", bytes.NewReader(file), int64(len(file)), nil)
}

func TestRead(t *testing.T) {
	for _, tc := range arrow(t).Files {
		t.Run(tc.Name, func(t *testing.T) {
			got, err := read(t, tc.File)
			if tc.Error != "" {
				if err == nil || err.Error() != tc.Error {
					t.Fatalf("got  %v\nwant %s", err, tc.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Columns) != len(tc.Columns) || !got.Headed {
				t.Fatalf("%d columns, headed %v; want %d, true", len(got.Columns), got.Headed, len(tc.Columns))
			}
			if tc.Why != "" && got.Columns[0].Why != tc.Why {
				t.Errorf("because %s, want %s", got.Columns[0].Why, tc.Why)
			}
			for _, c := range got.Columns {
				want := tc.Columns[c.Name]
				if c.Kind.String() != want.Kind || c.Len() != len(want.Cells) {
					t.Errorf("column %s: %d %v cells, want %d %s", c.Name, c.Len(), c.Kind, len(want.Cells), want.Kind)
					continue
				}
				for i, cell := range want.Cells {
					compare(t, &c, i, cell)
				}
			}
		})
	}
}

// compare checks one cell; want is nil where it is missing.
func compare(t *testing.T, c *data.Column, i int, want *string) {
	t.Helper()
	switch {
	case (want == nil) != c.IsMissing(i):
		t.Errorf("column %s, row %d: missing is %v", c.Name, i, c.IsMissing(i))
	case want == nil && c.Kind == data.Numeric:
		if !math.IsNaN(c.Numbers[i]) {
			t.Errorf("column %s, row %d: missing but %v", c.Name, i, c.Numbers[i])
		}
	case want == nil:
		if c.Strings[i] != "" {
			t.Errorf("column %s, row %d: missing but %q", c.Name, i, c.Strings[i])
		}
	case c.Kind == data.Numeric:
		if v, err := strconv.ParseFloat(*want, 64); err != nil || c.Numbers[i] != v {
			t.Errorf("column %s, row %d: %v, want %s", c.Name, i, c.Numbers[i], *want)
		}
	case c.Strings[i] != *want:
		t.Errorf("column %s, row %d: %q, want %q", c.Name, i, c.Strings[i], *want)
	}
}

// row has the types that another writer, the one of parquet-go, gives to Go values.
type row struct {
	Price float64  `parquet:"price"`
	Rooms *int32   `parquet:"rooms,optional"`
	Town  string   `parquet:"town,dict"`
	ID    [16]byte `parquet:"id,uuid"`
	New   bool     `parquet:"new"`
}

func TestReadGo(t *testing.T) {
	two := int32(2)
	var b bytes.Buffer
	rows := []row{{1.5, &two, "Ulm", [16]byte{0: 0xab, 15: 1}, true}, {2.5, nil, "Ulm", [16]byte{}, false}}
	if err := pq.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	cell := func(s string) *string { return &s }
	for name, cells := range map[string][]*string{
		"price": {cell("1.5"), cell("2.5")},
		"rooms": {cell("2"), nil},
		"town":  {cell("Ulm"), cell("Ulm")},
		"id":    {cell("ab000000-0000-0000-0000-000000000001"), cell("00000000-0000-0000-0000-000000000000")},
		"new":   {cell("1"), cell("0")},
	} {
		c, _ := got.Column(name)
		if c == nil {
			t.Fatalf("no column %s", name)
		}
		for i, want := range cells {
			compare(t, c, i, want)
		}
	}
}

// small returns one of the reference files.
func small(t testing.TB, name string) []byte {
	t.Helper()
	for _, tc := range arrow(t).Files {
		if tc.Name == name {
			return tc.File
		}
	}
	t.Fatalf("no file %s", name)
	return nil
}

// TestCut cuts files at every byte, which must be an error, and flips bits, which must
// not panic.
func TestCut(t *testing.T) {
	for _, name := range []string{"strings", "floats, snappy", "decimals"} {
		whole := small(t, name)
		for n := range whole {
			if _, err := read(t, whole[:n]); err == nil {
				t.Errorf("%s: %d of %d bytes: no error", name, n, len(whole))
			}
			damaged := slices.Clone(whole)
			damaged[n] ^= 1 << (n % 8)
			if _, err := read(t, damaged); err != nil && !strings.HasPrefix(err.Error(), "a: ") {
				t.Errorf("%s, byte %d damaged: %v does not name the file", name, n, err)
			}
		}
	}
}

func TestFooter(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "0 bytes are too few"},
		{"text", "a,b\n1,2\n3,4\n5,6\n", "is no Parquet file"},
		{"huge footer", "PAR1....\xff\xff\xff\x7fPAR1", "its footer of 2147483647 bytes does not fit its 16 bytes"},
	} {
		if _, err := read(t, []byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := small(t, "strings")
	if _, err := parquet.Read(ctx, "a", bytes.NewReader(file), int64(len(file)), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzRead wants a table with equal columns or a *data.Error that names the source.
func FuzzRead(f *testing.F) {
	for _, tc := range arrow(f).Files {
		f.Add(tc.File)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := read(t, file)
		var e *data.Error
		if err != nil {
			if !errors.As(err, &e) || e.Source != "a" || e.Reason == "" {
				t.Fatalf("error %v does not say where and why", err)
			}
			return
		}
		for _, c := range got.Columns {
			if c.Len() != got.Rows() || c.Missing != nil && len(c.Missing) != got.Rows() {
				t.Fatalf("column %s has %d of %d rows", c.Name, c.Len(), got.Rows())
			}
		}
	})
}
