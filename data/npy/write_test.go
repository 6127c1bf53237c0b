package npy_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/data/npy"
)

// write returns a file of the given matrix.
func write(t testing.TB, rows, cols int, p npy.Precision, values ...float64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := npy.NewWriter(&b, rows, cols, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(values); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWriterBytes compares files with those NumPy writes, byte for byte.
func TestWriterBytes(t *testing.T) {
	var third [6]float64
	for i := range third {
		third[i] = float64(i)/3 - 1
	}
	for _, tc := range numpy(t).Arrays {
		var got []byte
		switch tc.Name {
		case "<f8 rows first":
			got = write(t, 2, 3, npy.Float64, third[:]...)
		case "<f4 rows first":
			got = write(t, 2, 3, npy.Float32, third[:]...)
		case "vector":
			var b bytes.Buffer
			w, err := npy.NewVectorWriter(&b, 5, npy.Float64)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				if err := w.Write([]float64{float64(i) / 7}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got = b.Bytes()
		default:
			continue
		}
		if !bytes.Equal(got, tc.File) {
			t.Errorf("%s:\ngot  %q\nwant %q", tc.Name, got, tc.File)
		}
	}
}

// TestWriterRoundTrip writes random matrices in random pieces and reads them back.
func TestWriterRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 5).Draw(t, "rows"), rapid.IntRange(0, 5).Draw(t, "cols")
		p := npy.Precision(rapid.IntRange(0, 1).Draw(t, "precision"))
		want := rapid.SliceOfN(rapid.Float64Range(-1e30, 1e30), rows*cols, rows*cols).Draw(t, "values")
		var b bytes.Buffer
		w, err := npy.NewWriter(&b, rows, cols, p)
		if err != nil {
			t.Fatal(err)
		}
		for rest := want; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			if err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, c, got, err := npy.ReadMatrix(t.Context(), "m", &b, nil)
		if err != nil || r != rows || c != cols {
			t.Fatalf("%d × %d, %v; want %d × %d", r, c, err, rows, cols)
		}
		for i, v := range want {
			if p == npy.Float32 {
				v = float64(float32(v))
			}
			if got[i] != v {
				t.Fatalf("number %d is %v, want %v", i, got[i], v)
			}
		}
	})
}

// TestWriterLarge crosses the buffers of writer and reader.
func TestWriterLarge(t *testing.T) {
	rows, cols := 300, 1000
	values := make([]float64, rows*cols)
	for i := range values {
		values[i] = math.Sqrt(float64(i))
	}
	_, _, got, err := npy.ReadMatrix(t.Context(), "m", bytes.NewReader(write(t, rows, cols, npy.Float64, values...)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if got[i] != v {
			t.Fatalf("number %d is %v, want %v", i, got[i], v)
		}
	}
}

// limited fails after n bytes.
type limited struct{ n int }

var errFull = errors.New("no space left")

func (l *limited) Write(p []byte) (int, error) {
	if l.n -= len(p); l.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	check := func(what string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", what, err, want)
		}
	}
	_, err := npy.NewWriter(&limited{1 << 20}, -1, 2, npy.Float64)
	check("negative rows", err, "negative length")
	_, err = npy.NewWriter(&limited{1 << 20}, 1<<40, 1<<40, npy.Float64)
	check("overflow", err, "more than any file can hold")
	_, err = npy.NewWriter(&limited{1 << 20}, 1, 2, 7)
	check("precision", err, "precision 7")
	_, err = npy.NewWriter(&limited{3}, 1, 2, npy.Float64)
	check("full at the header", err, "no space left")

	w, err := npy.NewWriter(&limited{1 << 20}, 1, 2, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	check("too few", w.Close(), "2 of 2 numbers were never written")
	w, err = npy.NewWriter(&limited{1 << 20}, 1, 2, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	check("too many", w.Write([]float64{1, 2, 3}), "3 numbers are more than the 2 still expected of 2")
	check("after an error", w.Write([]float64{1}), "3 numbers are more")

	w, err = npy.NewWriter(&limited{1 << 20}, 1, 2, npy.Float32)
	if err != nil {
		t.Fatal(err)
	}
	check("overflow of single precision", w.Write([]float64{1, 1e39}), "number 2, 1e+39, is too large for single precision")

	w, err = npy.NewWriter(&limited{200}, 1, 20, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(make([]float64, 20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("full disk: %v", err)
	}
}
