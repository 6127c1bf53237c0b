package pipeline

import (
	"context"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/expr"
)

// subject is what an assessment learns from: a table, how it is prepared, and a kernel.
type subject struct {
	table *data.Table
	spec  prep.Spec
	text  string
	// kernel is the kernel that text stands for, "" for itself.
	kernel string
}

// rowColumn is the column of a table of [subject.once] that holds the numbers of the rows.
const rowColumn = "(row)"

// once computes the Gram matrix of all rows, where no part of a table can change its
// elements: a kernel that compares cells alone and has no number to be found. The subject
// that it returns has that matrix for a kernel, known to l by the text of the kernel, so
// that every split takes its part. Other subjects, and those whose matrix would not fit
// beside two for the search, it returns as they are.
func (s subject) once(ctx context.Context, l *idLanguage, o compute.Options) (subject, error) {
	in, err := prepare(s.table, s.spec, s.text)
	if err != nil || !compares(s.text, onRecords) {
		return s, err
	}
	n, err := expr.Parse(s.text)
	if err != nil {
		return s, err
	}
	numbers, _ := in.steps.Features()
	size := int64(len(in.rows.Rows))
	if len(n.Placeholders()) > 0 || len(numbers) > 0 || o.MaxMemory > 0 && 3*8*size*size > o.MaxMemory {
		return s, nil
	}
	points, err := in.learner(ctx, s.text)
	if err != nil {
		return s, err
	}
	upper, err := gram.Dense(ctx, points.bind(), o)
	if err != nil {
		return s, err
	}
	raw := upper.RawSymmetric()
	for i := range raw.N {
		for j := range i {
			raw.Data[i*raw.Stride+j] = raw.Data[j*raw.Stride+i]
		}
	}
	names := make([]string, s.table.Rows())
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	s.kernel = points.text()
	k, err := gram.NewPrecomputed(s.kernel, mat.NewDense(raw.N, raw.N, raw.Data), data.Pick(names, in.rows.Rows), nil)
	if err != nil {
		return s, err
	}
	l.matrices[s.kernel] = k
	t := *s.table
	t.Columns = append(slices.Clone(t.Columns), data.Column{Name: rowColumn, Kind: data.Text, Strings: names})
	s.table, s.spec.ID, s.text = &t, rowColumn, k.String()
	return s, nil
}
