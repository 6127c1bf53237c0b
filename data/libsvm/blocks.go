package libsvm

import (
	"context"
	"io"
	"iter"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// Blocks reads what [Read] reads and passes it on in blocks of points, of which one at a time is
// in memory; size gives their number for a number of features, which grows as larger indices
// come. The files of the blocks are reused. It returns the table of [File.Table] without its
// cells; its budget is that of a block. Errors are those of Read.
func Blocks(ctx context.Context, name string, r io.Reader, o Options, size func(features int) int, use func(*File) error) (*data.Table, error) {
	f, err := newFile(name, o)
	if err != nil {
		return nil, err
	}
	p := &parser{file: f, dim: o.Dim}
	total, dim, queries := 0, o.Dim, false
	pass := func() error {
		total, dim, queries = total+len(f.Labels), max(dim, f.Points.Dim()), queries || f.Queries != nil
		if len(f.Labels) == 0 {
			return nil
		}
		need, err := f.dense("has blocks of")
		if err != nil {
			return err
		}
		err = use(f)
		f.budget.Give(need + pointBytes*int64(len(f.Labels)) + entryBytes*int64(f.Points.Stored()))
		f.Points, f.Labels, f.Lines, f.Queries = new(data.Sparse), f.Labels[:0], f.Lines[:0], nil
		return err
	}
	p.added = func() error {
		if len(f.Labels) < size(max(dim, f.Points.Dim())) {
			return nil
		}
		return pass()
	}
	if err := p.lines(ctx, lines.New(name, r, f.budget)); err != nil {
		return nil, err
	}
	if err := pass(); err != nil {
		return nil, err
	}
	if total == 0 {
		return nil, f.pointless()
	}
	t := f.schema(dim, queries)
	return t, nil
}

// Columns are those of a block one by one: the labels, the query ids, which are missing where
// there are none, and as many features as the block has. The columns share their memory.
func (f *File) Columns() iter.Seq[*data.Column] {
	return func(yield func(*data.Column) bool) {
		rows, dim := f.Points.Len(), f.Points.Dim()
		if !yield(&data.Column{Name: Label, Numbers: f.Labels}) {
			return
		}
		queries := *f
		if f.Queries == nil {
			queries.Queries = make([]string, rows)
		}
		if c := queries.queryColumn(); !yield(&c) {
			return
		}
		// The entries by feature: of feature j those from start[j] to start[j+1].
		start := make([]int, dim+1)
		for i := range rows {
			for _, j := range f.Points.At(i).Index {
				start[j+1]++
			}
		}
		for j := range dim {
			start[j+1] += start[j]
		}
		at, value, next := make([]int32, f.Points.Stored()), make([]float64, f.Points.Stored()), append([]int(nil), start...)
		for i := range rows {
			x := f.Points.At(i)
			for k, j := range x.Index {
				at[next[j]], value[next[j]] = int32(i), x.Value[k]
				next[j]++
			}
		}
		c := data.Column{Numbers: make([]float64, rows)}
		for j := range dim {
			c.Name = f.feature(j)
			clear(c.Numbers)
			for k := start[j]; k < start[j+1]; k++ {
				c.Numbers[at[k]] = value[k]
			}
			if !yield(&c) {
				return
			}
		}
	}
}

// feature returns the name of a feature.
func (f *File) feature(j int) string { return "f" + strconv.Itoa(j+f.first) }

// schema returns the table without its cells.
func (f *File) schema(dim int, queries bool) *data.Table {
	t := &data.Table{Source: f.Source, Target: Label, Sparse: true, Columns: []data.Column{{Name: Label, Kind: data.Numeric}}}
	if queries {
		c := f.queryColumn()
		c.Strings, c.Missing = nil, nil
		t.Columns = append(t.Columns, c)
	}
	for j := range dim {
		t.Columns = append(t.Columns, data.Column{Name: f.feature(j), Kind: data.Numeric})
	}
	return t
}
