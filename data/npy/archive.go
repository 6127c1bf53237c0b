package npy

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// suffix is what names of arrays carry inside an archive.
const suffix = ".npy"

// Archive is an open .npz file: named arrays in a zip archive.
type Archive struct {
	name   string
	zip    *zip.Reader
	keys   []string
	budget *data.Budget
}

// fileBytes is what a file in the directory of an archive takes.
const fileBytes = 512

// OpenArchive reads the directory of an .npz file of the given size. name is what messages
// call it. The archive reads from r as long as it is in use. Memory comes from the budget, nil for
// any.
func OpenArchive(name string, r io.ReaderAt, size int64, budget *data.Budget) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &data.Error{Source: name, Reason: "is no .npz archive, or was cut", Err: err, Fix: "write or copy it again"}
	}
	a := &Archive{name: name, zip: z, budget: budget}
	if err := budget.Take(fileBytes*int64(len(z.File)), name, 0); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, f := range z.File {
		key, ok := strings.CutSuffix(f.Name, suffix)
		switch {
		case !ok:
			return nil, &data.Error{Source: name, Value: f.Name, Reason: "is not an array: it does not end in .npy", Fix: "give an archive written by numpy.savez"}
		case seen[key]:
			return nil, &data.Error{Source: name, Value: key, Reason: "names two arrays", Fix: "write the archive again"}
		}
		seen[key] = true
		a.keys = append(a.keys, key)
	}
	if len(a.keys) == 0 {
		return nil, &data.Error{Source: name, Reason: "holds no arrays"}
	}
	return a, nil
}

// Keys returns the names of the arrays in the order of the file.
func (a *Archive) Keys() []string { return slices.Clone(a.keys) }

// open begins to read one array. The caller closes what it is given.
func (a *Archive) open(key string) (*array, io.Closer, error) {
	i := slices.Index(a.keys, key)
	if i < 0 {
		return nil, nil, &data.Error{Source: a.name, Value: key, Reason: "is not among its arrays", Fix: "choose one of " + a.listed()}
	}
	r, err := a.zip.File[i].Open()
	if err != nil {
		return nil, nil, &data.Error{Source: a.within(key), Reason: "cannot be read", Err: err}
	}
	arr, err := open(a.within(key), r, a.budget)
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	return arr, r, nil
}

// listed names the arrays, of many the first.
func (a *Archive) listed() string {
	const most = 10
	if len(a.keys) <= most {
		return strings.Join(a.keys, ", ")
	}
	return fmt.Sprintf("%s … (%d)", strings.Join(a.keys[:most], ", "), len(a.keys))
}

// within names an array for messages.
func (a *Archive) within(key string) string { return a.name + "[" + key + "]" }

// Matrix reads one array as ReadMatrix does.
func (a *Archive) Matrix(ctx context.Context, key string) (rows, cols int, values []float64, err error) {
	arr, closer, err := a.open(key)
	if err != nil {
		return 0, 0, nil, err
	}
	defer closer.Close()
	if values, err = arr.flat(ctx); err != nil {
		return 0, 0, nil, err
	}
	if arr.fortran && arr.rows > 1 && arr.cols > 1 {
		values = arr.transpose(values)
	}
	return arr.rows, arr.cols, values, nil
}

// Table reads the arrays of the given keys, or all if there are none, side by side as one
// table. They must have the same number of rows. A vector becomes a column of its key, y;
// a matrix the columns X1, X2, … of its key and their position, with an underscore between
// the two where the key ends in a digit: arr_0_1.
func (a *Archive) Table(ctx context.Context, keys ...string) (*data.Table, error) {
	if len(keys) == 0 {
		keys = a.keys
	}
	t := &data.Table{Source: a.name, Headed: true}
	names := make(map[string]bool)
	for _, key := range keys {
		part, err := a.part(ctx, key)
		if err != nil {
			return nil, err
		}
		if len(t.Columns) > 0 && part.Rows() != t.Rows() {
			return nil, &data.Error{
				Source: a.name,
				Reason: fmt.Sprintf("has %d rows in %s and %d in %s, which do not make one table", t.Rows(), keys[0], part.Rows(), key),
				Fix:    "choose one of its arrays by key: " + a.listed(),
			}
		}
		for _, c := range part.Columns {
			if names[c.Name] {
				return nil, &data.Error{Source: a.name, Value: c.Name, Reason: "is the name of two columns", Fix: "rename one of its arrays"}
			}
			names[c.Name] = true
		}
		t.Columns = append(t.Columns, part.Columns...)
	}
	return t, nil
}

// part reads one array as a table of its own.
func (a *Archive) part(ctx context.Context, key string) (*data.Table, error) {
	arr, closer, err := a.open(key)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return arr.table(ctx, func(col int) string {
		switch {
		case arr.dims == 1:
			return key
		case key != "" && '0' <= key[len(key)-1] && key[len(key)-1] <= '9':
			return fmt.Sprintf("%s_%d", key, col+1)
		}
		return fmt.Sprintf("%s%d", key, col+1)
	})
}

// ArchiveWriter writes an .npz file, uncompressed as numpy.savez does.
type ArchiveWriter struct {
	zip  *zip.Writer
	keys map[string]bool
}

// NewArchiveWriter begins an archive.
func NewArchiveWriter(w io.Writer) *ArchiveWriter {
	return &ArchiveWriter{zip: zip.NewWriter(w), keys: make(map[string]bool)}
}

// Create begins the matrix of a key. It must be complete, and its Writer closed, before
// the next one begins.
func (a *ArchiveWriter) Create(key string, rows, cols int, p Precision) (*Writer, error) {
	w, err := a.entry(key)
	if err != nil {
		return nil, err
	}
	return NewWriter(w, rows, cols, p)
}

// CreateVector begins the one-dimensional array of a key.
func (a *ArchiveWriter) CreateVector(key string, n int, p Precision) (*Writer, error) {
	w, err := a.entry(key)
	if err != nil {
		return nil, err
	}
	return NewVectorWriter(w, n, p)
}

// entry begins a file of the archive.
func (a *ArchiveWriter) entry(key string) (io.Writer, error) {
	if key == "" || strings.ContainsAny(key, `/\`) || a.keys[key] {
		return nil, fmt.Errorf("npy: key %q is empty, holds a slash or was used before", key)
	}
	a.keys[key] = true
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: key + suffix, Method: zip.Store})
	if err != nil {
		return nil, fmt.Errorf("npy: array %q: %w", key, err)
	}
	return w, nil
}

// Close writes the directory of the archive. It does not close the underlying writer.
func (a *ArchiveWriter) Close() error { return a.zip.Close() }
