package task

import (
	"context"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
)

// Subject is what an assessment learns from: a table, how it is prepared, and a kernel.
type Subject struct {
	Table *data.Table
	Spec  prep.Spec
	Text  string
	// kernel is the kernel that text stands for, "" for itself.
	Kernel string
}

// rowColumn is the column of a table of [subject.once] that holds the numbers of the rows.
const rowColumn = "(row)"

// SharedGram computes the Gram matrix of all rows, where no part of a table can change its
// elements: a kernel that compares cells alone and has no number to be found. The subject
// that it returns has that matrix for a kernel, known to l by the text of the kernel, so
// that every split takes its part. Other subjects, and those whose matrix would not fit
// beside two for the search, it returns as they are.
func (s Subject) SharedGram(ctx context.Context, l *IDLanguage, o compute.Options) (Subject, error) {
	in, err := Prepare(s.Table, s.Spec, s.Text)
	if err != nil || in.Kernel.Kind != OnRecords {
		return s, err
	}
	numbers, _ := in.Steps.Features()
	size := int64(len(in.Rows.Rows))
	if len(in.Kernel.Node.Placeholders()) > 0 || len(numbers) > 0 || o.MaxMemory > 0 && 3*8*size*size > o.MaxMemory {
		return s, nil
	}
	points, err := in.Bind(ctx)
	if err != nil {
		return s, err
	}
	upper, err := gram.Dense(ctx, points.Bind(), o)
	if err != nil {
		return s, err
	}
	raw := upper.RawSymmetric()
	for i := range raw.N {
		for j := range i {
			raw.Data[i*raw.Stride+j] = raw.Data[j*raw.Stride+i]
		}
	}
	names := make([]string, s.Table.Rows())
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	s.Kernel = points.Text()
	k, err := gram.NewPrecomputed(s.Kernel, mat.NewDense(raw.N, raw.N, raw.Data), data.Pick(names, in.Rows.Rows), nil)
	if err != nil {
		return s, err
	}
	l.matrices[s.Kernel] = k
	t := *s.Table
	t.Columns = append(slices.Clone(t.Columns), data.Column{Name: rowColumn, Kind: data.Text, Strings: names})
	s.Table, s.Spec.ID, s.Text = &t, rowColumn, k.String()
	return s, nil
}
