package libsvm

import (
	"context"
	"fmt"

	"example.org/mercer/data"
)

// Label is the name of the first column of a table, which holds the labels.
const Label = "label"

// columnBytes is what a column of a table costs beside its cells.
const columnBytes = 160

// Table writes the file out as a dense table: the column "label", which is also its
// Target; the column "qid" where the file has query ids, as text, because they group
// points and do not describe them; and the columns f1, f2, … (f0, f1, … of a zero-based
// file), so that a number in a name is the index in the file. Absent features are 0.
//
// It needs 8 bytes a cell and about 160 a column, and refuses with that figure if they are more
// than the budget of the options has left. Cost: O(rows·features).
func (f *File) Table(ctx context.Context) (*data.Table, error) {
	rows, dim := f.Points.Len(), f.Points.Dim()
	if _, err := f.dense("has"); err != nil {
		return nil, err
	}
	t := &data.Table{Source: f.Source, Lines: f.Lines, Target: Label, Sparse: true}
	t.Columns = append(t.Columns, data.Column{Name: Label, Kind: data.Numeric, Numbers: f.Labels})
	if f.Queries != nil {
		t.Columns = append(t.Columns, f.queryColumn())
	}
	features := len(t.Columns)
	for j := range dim {
		t.Columns = append(t.Columns, data.Column{Name: f.feature(j), Kind: data.Numeric, Numbers: make([]float64, rows)})
	}
	for i := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: making a table: %w", f.Source, context.Cause(ctx))
		}
		p := f.Points.At(i)
		for k, j := range p.Index {
			t.Columns[features+int(j)].Numbers[i] = p.Value[k]
		}
	}
	return t, nil
}

// dense takes a dense table from the budget, or says what it needs; has says what has these rows.
func (f *File) dense(has string) (need int64, err error) {
	rows, dim := f.Points.Len(), f.Points.Dim()
	bytes := (8*float64(rows) + columnBytes) * float64(dim+1)
	if bytes < 1<<62 {
		need = int64(bytes)
		if err = f.budget.Take(need, f.Source, 0); err == nil {
			return need, nil
		}
	}
	return 0, f.budget.Refuse(f.Source, fmt.Sprintf("%s %d rows of %d features: a dense table", has, rows, dim), bytes, "allow more memory (--max-mem), or keep fewer features")
}

// queryColumn returns the query ids as a column of text.
func (f *File) queryColumn() data.Column {
	c := data.Column{Name: "qid", Kind: data.Text, Strings: f.Queries, Why: "it holds query ids, which group rows for ranking and do not describe them"}
	for i, q := range f.Queries {
		if q == "" {
			if c.Missing == nil {
				c.Missing = make([]bool, len(f.Queries))
			}
			c.Missing[i] = true
		}
	}
	return c
}
