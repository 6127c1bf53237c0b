package npy_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/npy"
)

func openArchive(t testing.TB, file []byte) (*npy.Archive, error) {
	t.Helper()
	return npy.OpenArchive("a", bytes.NewReader(file), int64(len(file)), nil)
}

// TestArchive reads what numpy.savez(X=arange(6).reshape(3, 2), y=[1, 0, 1]) wrote.
func TestArchive(t *testing.T) {
	ref := numpy(t)
	for _, file := range [][]byte{ref.Savez, ref.Compressed} {
		a, err := openArchive(t, file)
		if err != nil {
			t.Fatal(err)
		}
		if keys := a.Keys(); !slices.Equal(keys, []string{"X", "y"}) {
			t.Errorf("keys %v", keys)
		}
		rows, cols, values, err := a.Matrix(t.Context(), "X")
		if err != nil || rows != 3 || cols != 2 || !slices.Equal(values, []float64{0, 1, 2, 3, 4, 5}) {
			t.Errorf("X is %d × %d %v, %v", rows, cols, values, err)
		}
		got, err := a.Table(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]float64{"X1": {0, 2, 4}, "X2": {1, 3, 5}, "y": {1, 0, 1}}
		for _, c := range got.Columns {
			if !slices.Equal(c.Numbers, want[c.Name]) {
				t.Errorf("column %s is %v, want %v", c.Name, c.Numbers, want[c.Name])
			}
		}
		if got, err = a.Table(t.Context(), "y"); err != nil || len(got.Columns) != 1 || got.Columns[0].Name != "y" {
			t.Errorf("y alone: %v, %v", got, err)
		}
		if _, err = a.Table(t.Context(), "z"); err == nil || err.Error() != `a: "z" is not among its arrays; choose one of X, y` {
			t.Errorf("unknown key: %v", err)
		}
		if _, _, _, err = a.Matrix(t.Context(), "z"); err == nil {
			t.Error("unknown key: no error")
		}
	}
}

// TestArchiveNames checks the name NumPy gives to an array without one.
func TestArchiveNames(t *testing.T) {
	a, err := openArchive(t, archive(t, "arr_0.npy", string(write(t, 1, 2, npy.Float64, 1, 2))))
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Table(t.Context())
	if err != nil || got.Columns[0].Name != "arr_0_1" || got.Columns[1].Name != "arr_0_2" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestArchiveUnequal(t *testing.T) {
	a, err := openArchive(t, numpy(t).Unequal)
	if err != nil {
		t.Fatal(err)
	}
	want := "a: has 3 rows in X and 2 in y, which do not make one table; choose one of its arrays by key: X, y"
	if _, err := a.Table(t.Context()); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// archive returns a zip file of the given names and contents.
func archive(t testing.TB, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(entries[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchiveErrors(t *testing.T) {
	one := string(write(t, 1, 1, npy.Float64, 1))
	two := string(write(t, 1, 2, npy.Float64, 1, 2))
	vector := string(file(`{'descr':'|u1','fortran_order':False,'shape':(1,)}`, 7))
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"no zip", []byte("hello"), "a: is no .npz archive, or was cut"},
		{"no arrays", archive(t), "a: holds no arrays"},
		{"another zip", archive(t, "[Content_Types].xml", "<x/>"), `a: "[Content_Types].xml" is not an array`},
		{"one name twice", archive(t, "x.npy", one, "x.npy", one), `a: "x" names two arrays`},
		{"no array inside", archive(t, "x.npy", "hello, world"), "a[x]: does not begin with"},
		{"column twice", archive(t, "x.npy", two, "x1.npy", vector), `a: "x1" is the name of two columns`},
		{"array cut inside", archive(t, "x.npy", two[:len(two)-1]), "a[x]: ends early"},
		{"array goes on inside", archive(t, "x.npy", two+"\x00"), "a[x]: goes on after"},
	} {
		a, err := openArchive(t, tc.file)
		if err == nil {
			_, err = a.Table(t.Context())
		}
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
		}
	}
}

// TestArchiveCut cuts an archive at every byte and flips one bit of every byte of its
// arrays: the first must be an error, the second an error or the same table.
func TestArchiveCut(t *testing.T) {
	whole := numpy(t).Compressed
	for n := range whole {
		a, err := openArchive(t, whole[:n])
		if err == nil {
			_, err = a.Table(t.Context())
		}
		if err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(whole))
		}
	}
	for n := range whole {
		damaged := slices.Clone(whole)
		damaged[n] ^= 4
		a, err := openArchive(t, damaged)
		if err != nil {
			continue
		}
		got, err := a.Table(t.Context())
		if err == nil && fmt.Sprint(got.Columns[0].Numbers) != "[0 2 4]" {
			t.Errorf("bit of byte %d flipped: %v", n, got.Columns[0].Numbers)
		}
	}
}

func TestArchiveWriter(t *testing.T) {
	var b bytes.Buffer
	a := npy.NewArchiveWriter(&b)
	w, err := a.Create("K", 2, 2, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write([]float64{1, 2, 3, 4}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if w, err = a.CreateVector("ids", 2, npy.Float32); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write([]float64{7, 8}), w.Close()); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "K", "a/b"} {
		if _, err := a.Create(key, 1, 1, npy.Float64); err == nil {
			t.Errorf("key %q was accepted", key)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := openArchive(t, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	_, _, k, err := got.Matrix(t.Context(), "K")
	if err != nil || !slices.Equal(k, []float64{1, 2, 3, 4}) {
		t.Errorf("K is %v, %v", k, err)
	}
	_, _, ids, err := got.Matrix(t.Context(), "ids")
	if err != nil || !slices.Equal(ids, []float64{7, 8}) {
		t.Errorf("ids are %v, %v", ids, err)
	}
}

// FuzzReadArchive wants a table or a *data.Error that names the source.
func FuzzReadArchive(f *testing.F) {
	ref := numpy(f)
	f.Add(ref.Savez)
	f.Add(ref.Compressed)
	f.Add(ref.Unequal)
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := npy.OpenArchive("a", bytes.NewReader(text), int64(len(text)), nil)
		if err == nil {
			_, err = a.Table(t.Context())
		}
		var e *data.Error
		if err != nil && (!errors.As(err, &e) || !strings.HasPrefix(e.Source, "a") || e.Reason == "") {
			t.Fatalf("error %v does not say where and why", err)
		}
	})
}
