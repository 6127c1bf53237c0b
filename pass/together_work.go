package pass

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg/level3"
)

// sendTogether has one pass made elsewhere for requests that are cut alike.
func sendTogether(xs data.Rows, all []*request) {
	dim := xs.Dim()
	work := Several{}
	var in, out []int // columns of each
	for _, r := range all {
		work.Works = append(work.Works, r.sent.Work)
		takes, makes, _ := r.sent.Work.Sizes(dim)
		in, out = append(in, takes), append(out, makes)
	}
	one := Sums{Work: work, Slabs: all[0].slabs, In: func(numbers []float64, i int) {
		for at, r := range all {
			if in[at] > 0 {
				r.sent.In(numbers[:in[at]], i)
			}
			numbers = numbers[in[at]:]
		}
	}, Out: func(made *mat.Dense, from int) {
		rows, next := made.RawMatrix().Rows, 0
		for at, r := range all {
			if out[at] > 0 {
				r.sent.Out(mat.DenseCopyOf(made.Slice(0, rows, next, next+out[at])), from)
			}
			next += out[at]
		}
	}}
	sums, err := one.send(all[0].ctx, xs)
	for _, r := range all {
		if _, _, count := r.sent.Work.Sizes(dim); err == nil {
			*r.sums, sums = sums[:count:count], sums[count:]
		}
		r.err = err
	}
}

func init() { RegisterWork(Several{}, identity{}) }

// Several is several works in one pass: their numbers stand side by side, and so do their sums.
type Several struct{ Works []Work }

// Sizes adds up.
func (t Several) Sizes(dim int) (in, out, sums int) {
	for _, w := range t.Works {
		takes, makes, count := w.Sizes(dim)
		in, out, sums = in+takes, out+makes, sums+count
	}
	return in, out, sums
}

// Worker does one work after another.
func (t Several) Worker(dim int, p level3.Implementation) func(Block) {
	all, spaces := make([]func(Block), len(t.Works)), make([]BlockSpace, len(t.Works))
	for i, w := range t.Works {
		all[i] = w.Worker(dim, p)
	}
	return func(b Block) {
		in, out, sums := 0, 0, 0
		for i, w := range t.Works {
			takes, makes, count := w.Sizes(dim)
			part := spaces[i].Block(b.X, w, b.Sums[sums:sums+count])
			copyColumns(part.In, 0, b.In, in)
			all[i](part)
			copyColumns(b.Out, out, part.Out, 0)
			in, out, sums = in+takes, out+makes, sums+count
		}
	}
}

// copyColumns copies columns from one on to others, as many as both have; nil has none.
func copyColumns(dst *mat.Dense, to int, src *mat.Dense, from int) {
	if dst == nil || src == nil {
		return
	}
	rows, _ := dst.Dims()
	for i := range rows {
		copy(dst.RawRowView(i)[to:], src.RawRowView(i)[from:])
	}
}

// identity makes of each row itself.
type identity struct{}

// Sizes returns the length of a row.
func (identity) Sizes(dim int) (in, out, sums int) { return 0, dim, 0 }

// Worker copies.
func (identity) Worker(int, level3.Implementation) func(Block) {
	return func(b Block) { b.Out.Copy(b.X) }
}
