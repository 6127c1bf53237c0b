package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/npy"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/gram/idfile"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/svm/libsvm"
)

// A Gram matrix on disk is a .npy file of n×n numbers, or of n(n+1)/2 numbers (the
// lower triangle row by row), float64 or float32. The ids of its rows and, where it is
// rectangular, of its columns stand in text files beside it, see [idfile.Paths].

// GramOptions say in what form a Gram matrix is written.
type GramOptions struct {
	Packed  bool // lower triangle only
	Float32 bool // single precision
	// Centred writes HKH with H = I − 11ᵀ/n: the inner products of the points less their mean.
	Centred bool
	// To is written to in place of the file, and no ids beside it; nil: the file is.
	To io.Writer
}

// GramFile says what was written.
type GramFile struct {
	IDs           string // file of the row ids
	Rows, Columns int
	Bytes         int64
	Trace         float64 // of a square matrix
}

// WriteGram writes the Gram matrix of the problem's rows. The matrix is computed row
// block by row block and never held as a whole. The file appears whole or not at all.
func (p *Task) WriteGram(ctx context.Context, path string, o GramOptions, c compute.Options) (*GramFile, error) {
	pairs := p.Pairs()
	n, _ := pairs.Dims()
	if o.Centred {
		var err error
		if pairs, err = centred(ctx, pairs, c); err != nil {
			return nil, err
		}
	}
	made := &GramFile{Rows: n, Columns: n}
	diagonal := make([]float64, n)
	kernel.Diag(pairs, diagonal)
	for _, d := range diagonal {
		made.Trace += d
	}
	if err := writeMatrix(ctx, path, o, c, pairs, RowNames(p.Rows), nil, made); err != nil {
		return nil, err
	}
	return made, nil
}

// WriteCrossGram writes the matrix of the rows of another table, prepared as the
// problem's table was, against the problem's rows.
func (p *Task) WriteCrossGram(ctx context.Context, path string, t *data.Table, o GramOptions, c compute.Options) (*GramFile, error) {
	rows, err := p.Prep.Apply(t)
	if err != nil {
		return nil, err
	}
	pairs, err := p.Points.Cross(rows)
	if err != nil {
		return nil, err
	}
	n, m := pairs.Dims()
	made := &GramFile{Rows: n, Columns: m}
	if err := writeMatrix(ctx, path, o, c, pairs, RowNames(rows), RowNames(p.Rows), made); err != nil {
		return nil, err
	}
	return made, nil
}

func writeMatrix(ctx context.Context, path string, o GramOptions, c compute.Options, pairs kernel.Pairs, ids, columns []string, made *GramFile) error {
	if o.To == nil && !strings.HasSuffix(path, ".npy") {
		return fmt.Errorf("task: a Gram matrix is written as .npy, and %q does not end so", path)
	}
	layout := gram.Full
	precision := npy.Float64
	if o.Float32 {
		precision = npy.Float32
	}
	open := func(w io.Writer) (*npy.Writer, error) { return npy.NewWriter(w, made.Rows, made.Columns, precision) }
	if o.Packed {
		layout = gram.PackedLower
		open = func(w io.Writer) (*npy.Writer, error) {
			return npy.NewVectorWriter(w, int(layout.Count(made.Rows, made.Columns)), precision)
		}
	}
	fill := func(w io.Writer) error {
		count := &counter{to: w}
		out, err := open(count)
		if err != nil {
			return err
		}
		if err := gram.Export(ctx, pairs, layout, c, out.Write); err != nil {
			return err
		}
		err = out.Close()
		made.Bytes = count.n
		return err
	}
	if o.To != nil {
		return fill(o.To)
	}
	if err := atomicfile.Write(ctx, path, fill); err != nil {
		return err
	}
	rowFile, columnFile := idfile.Paths(path)
	made.IDs = rowFile
	if err := writeIDs(ctx, rowFile, ids); err != nil {
		return err
	}
	if columns != nil {
		return writeIDs(ctx, columnFile, columns)
	}
	return nil
}

// RepeatedID says which id two rows have, on which lines, or "".
func (p *Task) RepeatedID() string {
	first := map[string]int{}
	for i, id := range p.Rows.IDs {
		if j, twice := first[id]; twice {
			in := PreparedTable{Table: p.Raw, Blocks: p.Blocks}
			return fmt.Sprintf("the id %s names two rows, %s and %s, so that the matrix cannot be read by its ids: give every row an id of its own",
				data.Quote(id), in.where(p.Rows.Rows[j]), in.where(p.Rows.Rows[i]))
		}
		first[id] = i
	}
	return ""
}

// RowNames returns the ids of prepared rows, or their numbers in the table from 1.
func RowNames(r *prep.Prepared) []string {
	if r.IDs != nil {
		return r.IDs
	}
	names := make([]string, len(r.Rows))
	for i := range names {
		names[i] = RowName(r, i)
	}
	return names
}

// RowName returns the id of a row, or its number in the table from 1.
func RowName(r *prep.Prepared, i int) string {
	if r.IDs != nil {
		return r.IDs[i]
	}
	return strconv.Itoa(r.Rows[i] + 1)
}

// ReadGram reads a Gram matrix and the ids beside it, or one in LIBSVM's format. A file without
// ids has the row numbers "1", "2", … as ids. The kernel prints itself as gram(file=name): a model
// keeps the name it was fitted with, wherever the matrix is read from later. Memory comes from
// [compute.ReadingBudget].
func ReadGram(path, name string) (*gram.Precomputed, error) {
	budget := data.NewBudget(compute.ReadingBudget(0))
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("task: Gram matrix: %w", err)
	}
	defer file.Close()
	if !startsAsNPY(file) {
		return readLIBSVMGram(path, name, file, budget)
	}
	rows, cols, values, err := npy.ReadMatrix(context.Background(), path, file, budget)
	if err != nil {
		return nil, fmt.Errorf("task: Gram matrix: %w", err)
	}
	rowFile, columnFile := idfile.Paths(path)
	ids, err := readIDs(rowFile, budget)
	if err != nil {
		return nil, err
	}
	columns, err := readIDs(columnFile, budget)
	if err != nil {
		return nil, err
	}
	k := mat.NewDense(rows, cols, values)
	if min(rows, cols) == 1 && len(values) > 1 && columns == nil {
		if k, err = gram.Unpack(values); err != nil {
			return nil, fmt.Errorf("task: Gram matrix %s: %w", path, err)
		}
		rows, cols = k.Dims()
	}
	if ids == nil {
		for i := range rows {
			ids = append(ids, strconv.Itoa(i+1))
		}
	}
	if columns == nil && rows != cols {
		_, file := idfile.Paths(path)
		return nil, fmt.Errorf("task: Gram matrix %s is %d×%d: a rectangular matrix needs the ids of its columns in %s", path, rows, cols, file)
	}
	return gram.NewPrecomputed(name, k, ids, columns)
}

// startsAsNPY looks at the first bytes of a file.
func startsAsNPY(file io.ReaderAt) bool {
	const magic = "\x93NUMPY"
	start := make([]byte, len(magic))
	n, _ := file.ReadAt(start, 0)
	return string(start[:n]) == magic
}

// readLIBSVMGram reads a matrix in LIBSVM's format of precomputed kernels (svm-train -t 4). Its
// rows have the numbers that the file gives them as ids, its columns those of the training rows,
// from 1; a square symmetric matrix of rows 1, 2, … is that of the training rows.
func readLIBSVMGram(path, name string, r io.Reader, budget *data.Budget) (*gram.Precomputed, error) {
	g, err := libsvm.ReadGram(path, budget.Reader(r, path, 2))
	if err != nil {
		return nil, fmt.Errorf("task: Gram matrix, which does not begin as .npy does and is read as LIBSVM's text (label 0:row 1:value 2:value …): %w", err)
	}
	rows, cols := g.K.Dims()
	ids, columns := make([]string, rows), make([]string, cols)
	training := rows == cols && mat.Equal(g.K, g.K.T())
	for i, row := range g.Rows {
		ids[i] = strconv.Itoa(row)
		training = training && row == i+1
	}
	if training {
		return gram.NewPrecomputed(name, g.K, ids, nil)
	}
	for j := range columns {
		columns[j] = strconv.Itoa(j + 1)
	}
	return gram.NewPrecomputed(name, g.K, ids, columns)
}

func writeIDs(ctx context.Context, path string, ids []string) error {
	return atomicfile.Write(ctx, path, func(w io.Writer) error { return idfile.Write(w, ids) })
}

// readIDs returns the ids in a file, or nil where there is no such file.
func readIDs(path string, budget *data.Budget) ([]string, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ids, err := idfile.Read(budget.Reader(file, path, 24)) // a line is a string of its own
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ids, nil
}

// counter counts the bytes that pass.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// WriteLIBSVMGram writes the Gram matrix of the problem's rows in LIBSVM's format of
// precomputed kernels (-t 4), with the codes of the target as labels; without one, with the numbers
// of the column that the format of the table marks as target, as a LIBSVM file does, or else 0.
func (p *Task) WriteLIBSVMGram(ctx context.Context, w io.Writer, o compute.Options) error {
	labels, err := p.libsvmLabels()
	if err != nil {
		return err
	}
	return libsvm.WriteGram(ctx, w, labels, p.Pairs(), o)
}

// WriteLIBSVMCross writes the kernel values of the rows of another table with the problem's rows,
// for svm-predict; labels are 0.
func (p *Task) WriteLIBSVMCross(ctx context.Context, w io.Writer, t *data.Table, o compute.Options) (rows int, err error) {
	prepared, err := p.Prep.ApplyInputs(t)
	if err != nil {
		return 0, err
	}
	pairs, err := p.Points.Cross(prepared)
	if err != nil {
		return 0, err
	}
	rows, _ = pairs.Dims()
	return rows, libsvm.WriteGram(ctx, w, make([]float64, rows), pairs, o)
}

// libsvmLabels are the labels of the rows as numbers.
func (p *Task) libsvmLabels() ([]float64, error) {
	n, _, _ := p.Dims()
	labels := make([]float64, n)
	if p.Rows.Y != nil {
		if _, m := p.Rows.Y.Dims(); m != 1 {
			return nil, fmt.Errorf("task: LIBSVM's format has one label in each row, and the targets make %d outputs", m)
		}
		return mat.Col(labels, 0, p.Rows.Y), nil
	}
	if p.Raw.Target == "" {
		return labels, nil
	}
	column, names, group, err := p.Groups(p.Raw.Target)
	if err != nil {
		return nil, err
	}
	for i, g := range group {
		if labels[i], err = strconv.ParseFloat(names[g], 64); err != nil {
			return nil, fmt.Errorf("task: LIBSVM's labels are numbers, and row %d of column %s is %q; name the column as target for the codes of its labels", p.Rows.Rows[i]+1, column, names[g])
		}
	}
	return labels, nil
}

// Names returns the ids of the rows, or their numbers in the table from 1.
func (p *Task) Names() []string { return RowNames(p.Rows) }
