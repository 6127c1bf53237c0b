package npy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/npy"
)

// reference is testdata/numpy.json: files that NumPy wrote and what it holds in them.
type reference struct {
	Origin string
	Arrays []struct {
		Name   string
		File   []byte
		Rows   int
		Cols   int
		Values []string
		Error  string
	}
	Savez      []byte
	Compressed []byte
	Unequal    []byte
}

func numpy(t testing.TB) reference {
	t.Helper()
	raw, err := os.ReadFile("testdata/numpy.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(raw, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

// stream hides the size of a source.
type stream struct{ io.Reader }

func TestReadMatrix(t *testing.T) {
	for _, tc := range numpy(t).Arrays {
		t.Run(tc.Name, func(t *testing.T) {
			for _, r := range []io.Reader{bytes.NewReader(tc.File), stream{bytes.NewReader(tc.File)}} {
				rows, cols, values, err := npy.ReadMatrix(t.Context(), "m", r, nil)
				if tc.Error != "" {
					if err == nil || !strings.Contains(err.Error(), tc.Error) || !strings.HasPrefix(err.Error(), "m: ") {
						t.Fatalf("got  %v\nwant %s", err, tc.Error)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if rows != tc.Rows || cols != tc.Cols || len(values) != len(tc.Values) {
					t.Fatalf("%d × %d in %d numbers, want %d × %d", rows, cols, len(values), tc.Rows, tc.Cols)
				}
				for i, text := range tc.Values {
					want, err := strconv.ParseFloat(text, 64)
					if err != nil {
						t.Fatal(err)
					}
					same := values[i] == want && math.Signbit(values[i]) == math.Signbit(want)
					if !same && !(math.IsNaN(values[i]) && math.IsNaN(want)) {
						t.Errorf("element %d is %v, want %v", i, values[i], want)
					}
				}
			}
		})
	}
}

// TestReadTable compares the two ways to fill a table, with and without a known size,
// with the matrix.
func TestReadTable(t *testing.T) {
	for _, tc := range numpy(t).Arrays {
		if tc.Name == "scalar" {
			if _, err := npy.Read(t.Context(), "m", bytes.NewReader(tc.File), nil); err == nil || !strings.Contains(err.Error(), "single number") {
				t.Errorf("a table of a single number: %v", err)
			}
			continue
		}
		if tc.Error != "" {
			continue
		}
		_, cols, values, err := npy.ReadMatrix(t.Context(), "m", bytes.NewReader(tc.File), nil)
		if err != nil {
			t.Fatal(err)
		}
		infinite := strings.HasSuffix(tc.Name, "edges")
		for _, r := range []io.Reader{bytes.NewReader(tc.File), stream{bytes.NewReader(tc.File)}} {
			got, err := npy.Read(t.Context(), "m", r, nil)
			if infinite {
				if err == nil || !strings.Contains(err.Error(), "column 1 (c1): holds infinity") {
					t.Errorf("%s: %v", tc.Name, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.Name, err)
			}
			for k, v := range values {
				c := got.Columns[k%cols]
				if c.Name != fmt.Sprintf("c%d", k%cols+1) || c.Numbers[k/cols] != v || c.IsMissing(k/cols) {
					t.Errorf("%s: row %d of column %s is %v, want %v", tc.Name, k/cols, c.Name, c.Numbers[k/cols], v)
				}
			}
		}
	}
}

func TestReadMissing(t *testing.T) {
	got, err := npy.Read(t.Context(), "m", bytes.NewReader(write(t, 2, 2, npy.Float64, 1, math.NaN(), 3, 4)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.Columns[0], got.Columns[1]; a.Missing != nil || !b.IsMissing(0) || b.IsMissing(1) {
		t.Errorf("missing cells are %v and %v, want none and the first", a.Missing, b.Missing)
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.npy")
	whole := write(t, 2, 2, npy.Float64, 1, 2, 3, 4)
	for n := range len(whole) + 2 {
		if err := os.WriteFile(path, append(whole, 0)[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		_, _, values, err := npy.ReadMatrix(t.Context(), path, f, nil)
		f.Close()
		if n == len(whole) && (err != nil || len(values) != 4) {
			t.Errorf("whole file: %v, %v", values, err)
		}
		if n != len(whole) && err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(whole))
		}
	}
}

// file returns a version 1 file of any header text and elements.
func file(header string, elements ...byte) []byte {
	out := []byte("\x93NUMPY\x01\x00")
	out = append(out, byte(len(header)), byte(len(header)>>8))
	return append(append(out, header...), elements...)
}

func TestHeader(t *testing.T) {
	for _, tc := range []struct{ name, header, want string }{
		{"any order and quotes", `{ "shape":(1,),"fortran_order" : False,'descr':'|u1'}`, ""},
		{"negative length", `{'descr':'|u1','fortran_order':False,'shape':(-1,)}`, `bad length at "-1,)}"`},
		{"length beyond 64 bits", `{'descr':'|u1','fortran_order':False,'shape':(99999999999999999999,)}`, `bad length`},
		{"product beyond 64 bits", `{'descr':'|u1','fortran_order':False,'shape':(4294967296,4294967296)}`, "more than any file can hold"},
		{"bytes beyond 64 bits", `{'descr':'<f8','fortran_order':False,'shape':(2305843009213693952,)}`, "more than any file can hold"},
		{"more elements than bytes", `{'descr':'<f8','fortran_order':False,'shape':(1000000000,1000000)}`, "it was cut"},
		{"columns without end", `{'descr':'|u1','fortran_order':True,'shape':(1,1000000000000)}`, "it was cut"},
		{"no elements", `{'descr':'|u1','fortran_order':True,'shape':(1000000000000,0)}`, "goes on after"},
		{"key twice", `{'descr':'|u1','descr':'|u1','fortran_order':False,'shape':(1,)}`, `key "descr" occurs twice`},
		{"key missing", `{'descr':'|u1','shape':(1,)}`, "is missing"},
		{"other key", `{'descr':'|u1','fortran_order':False,'shape':(1,),'x':1}`, `unknown key "x"`},
		{"number as order", `{'descr':'|u1','fortran_order':0,'shape':(1,)}`, "expected True or False"},
		{"list as shape", `{'descr':'|u1','fortran_order':False,'shape':[1]}`, "expected ("},
		{"text behind", `{'descr':'|u1','fortran_order':False,'shape':(1,)} or 1`, "follows the header"},
		{"escape", `{'descr':'\x7cu1','fortran_order':False,'shape':(1,)}`, "bad string"},
		{"open string", `{'descr`, "bad string"},
		{"no comma", `{'descr':'|u1' 'fortran_order':False,'shape':(1,)}`, "expected , or }"},
		{"no byte order", `{'descr':'|f8','fortran_order':False,'shape':(1,)}`, `element type "|f8" has no byte order`},
		{"native byte order", `{'descr':'=f8','fortran_order':False,'shape':(1,)}`, `element type "=f8" has no byte order`},
		{"unknown size", `{'descr':'<i3','fortran_order':False,'shape':(1,)}`, `element type "<i3" is not known`},
		{"no type", `{'descr':'','fortran_order':False,'shape':(1,)}`, `element type "" is not known`},
		{"empty", ``, "expected {"},
	} {
		for _, sized := range []bool{true, false} {
			var r io.Reader = bytes.NewReader(file(tc.header, 7))
			if !sized {
				r = stream{r}
			}
			_, err := npy.Read(t.Context(), "m", r, nil)
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("%s: %v", tc.name, err)
			case tc.want == "":
			case !sized && err != nil && strings.HasPrefix(tc.header, "{'descr':'|u1','fortran_order':True"):
				// Refused for its shape, before its end is seen.
			case err == nil || !strings.Contains(err.Error(), tc.want):
				t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
			}
		}
	}
}

// TestClaims checks that no memory is given to elements that a header declares and the
// source does not have.
func TestClaims(t *testing.T) {
	for _, shape := range []string{"(1000000000, 1000000)", "(1, 1000000)", "(1000000000000,)"} {
		for _, order := range []string{"False", "True"} {
			header := fmt.Sprintf(`{'descr':'<f8','fortran_order':%s,'shape':%s}`, order, shape)
			for _, r := range []io.Reader{bytes.NewReader(file(header, 1, 2, 3)), stream{bytes.NewReader(file(header, 1, 2, 3))}} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := npy.Read(t.Context(), "m", r, nil)
				runtime.ReadMemStats(&after)
				if err == nil {
					t.Errorf("%s: no error", header)
				}
				if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
					t.Errorf("%s: took %d bytes", header, n)
				}
			}
		}
	}
}

func TestStart(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "ends before its header: the file is too short"},
		{"text", "a,b\n1,2\n3,4\n", "is no .npy file"},
		{"version 4", "\x93NUMPY\x04\x00\x00\x00", "has format version 4.0, which is not known"},
		{"long header", "\x93NUMPY\x02\x00\xff\xff\xff\xff", "declares a header of 4294967295 bytes"},
		{"header cut", "\x93NUMPY\x01\x00\x40\x00{'descr'", "ends within its header: the file is too short"},
	} {
		_, _, _, err := npy.ReadMatrix(t.Context(), "m", strings.NewReader(tc.text), nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestEmptyAndWide(t *testing.T) {
	rows, cols, values, err := npy.ReadMatrix(t.Context(), "m", bytes.NewReader(write(t, 0, 3, npy.Float64)), nil)
	if err != nil || rows != 0 || cols != 3 || len(values) != 0 {
		t.Errorf("an empty matrix is %d × %d, %v, %v", rows, cols, values, err)
	}
	for _, tc := range []struct {
		file []byte
		want string
	}{
		{write(t, 0, 3, npy.Float64), "it is empty"},
		{file(`{'descr':'|u1','fortran_order':False,'shape':(1,1048577)}`, make([]byte, 1<<20+1)...), "has 1048577 columns"},
	} {
		if _, err := npy.Read(t.Context(), "m", bytes.NewReader(tc.file), nil); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("got %v, want %q", err, tc.want)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := npy.Read(ctx, "m", bytes.NewReader(write(t, 1, 1, npy.Float64, 1)), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzRead wants a finite table or a *data.Error that names the source.
func FuzzRead(f *testing.F) {
	for _, tc := range numpy(f).Arrays {
		f.Add(tc.File)
	}
	f.Add(file(`{'descr':'<f8','fortran_order':True,'shape':(1000000000,1000000)}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, r := range []io.Reader{bytes.NewReader(text), stream{bytes.NewReader(text)}} {
			got, err := npy.Read(t.Context(), "m", r, nil)
			var e *data.Error
			if err != nil {
				if !errors.As(err, &e) || e.Source != "m" || e.Reason == "" {
					t.Fatalf("error %v does not say where and why", err)
				}
				continue
			}
			for _, c := range got.Columns {
				for i, v := range c.Numbers {
					if math.IsInf(v, 0) || math.IsNaN(v) != c.IsMissing(i) || len(c.Numbers) != got.Rows() {
						t.Fatalf("column %s holds %v in row %d of %d", c.Name, v, i, len(c.Numbers))
					}
				}
			}
		}
	})
}

// Images of rows × columns × channels are rows of a table.
func TestReadImages(t *testing.T) {
	file := func(fortran, shape string) []byte {
		head := "{'descr': '|u1', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }"
		head += strings.Repeat(" ", 117-len(head)) + "\n"
		out := append([]byte("\x93NUMPY\x01\x00\x76\x00"), head...)
		for i := range 24 {
			out = append(out, byte(i))
		}
		return out
	}
	got, err := npy.Read(t.Context(), "images", bytes.NewReader(file("False", "(2, 2, 2, 3)")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Columns) != 12 || got.Rows() != 2 {
		t.Fatalf("%d columns of %d rows", len(got.Columns), got.Rows())
	}
	for j, c := range got.Columns {
		if c.Numbers[0] != float64(j) || c.Numbers[1] != float64(12+j) {
			t.Errorf("column %d holds %v", j, c.Numbers)
		}
	}
	for shape, want := range map[string]string{
		"(2, 2, 2, 3)": "Fortran order",
	} {
		if _, err := npy.Read(t.Context(), "images", bytes.NewReader(file("True", shape)), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", shape, err)
		}
	}
	huge := "(2, 4000000000, 4000000000, 4000000000)"
	if _, err := npy.Read(t.Context(), "images", bytes.NewReader(file("False", huge)), nil); err == nil || !strings.Contains(err.Error(), "more than any file can hold") {
		t.Errorf("%s: %v", huge, err)
	}
}
