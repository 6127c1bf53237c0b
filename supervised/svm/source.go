package svm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
)

// What a search asks of a [gram.Source] beyond its rows; see there.
type (
	// bound is a matrix that is bound already: its rows cannot be had without the others.
	bound interface{ Pairs() kernel.Pairs }
	// featured has explicit features.
	featured interface {
		Design(rows []int) (d design.Matrix, ok bool)
	}
	// anchored binds columns alone.
	anchored interface {
		Columns(cols []int, maxBytes int64) (bind func(rows []int, reuse kernel.Pairs) kernel.Pairs, ok bool)
	}
	// selfValued evaluates k(x, x) without binding x.
	selfValued interface {
		Diagonal(ctx context.Context, dst []float64, rows []int, workers int) (ok bool, err error)
	}
)

// isBound reports whether a source is a matrix that is bound already.
func isBound(src gram.Source) bool {
	_, is := src.(bound)
	return is
}

// diagonal stores the kernel values of rows with themselves, and returns the pairs of the rows
// where they were bound for it.
func diagonal(ctx context.Context, src gram.Source, rows []int, dst []float64, workers int) (kernel.Pairs, error) {
	if own, ok := src.(selfValued); ok {
		if done, err := own.Diagonal(ctx, dst, rows, workers); done || err != nil {
			return nil, err
		}
	}
	all := src.Bind(rows, rows)
	kernel.Diag(all, dst)
	return all, nil
}

// multiplier multiplies with parts of a kernel matrix.
type multiplier interface {
	// product returns the product of the matrix of the given rows and columns with x;
	// symmetric says that these are the same.
	product(ctx context.Context, rows, cols []int, symmetric bool, x *mat.Dense, o compute.Options) (*mat.Dense, error)
}

// multiplierOf returns the products of a source.
func multiplierOf(src gram.Source) multiplier {
	if m, is := src.(bound); is {
		return wholeProduct{m.Pairs()}
	}
	return partProduct{src}
}

// productRows is the number of rows that are bound for a product at the same time.
const productRows = 8192

// partProduct binds what it multiplies.
type partProduct struct{ src gram.Source }

func (p partProduct) product(ctx context.Context, rows, cols []int, symmetric bool, x *mat.Dense, o compute.Options) (*mat.Dense, error) {
	var out mat.Dense
	if symmetric {
		return &out, gram.Of(p.src.Bind(rows, rows), o).Mul(ctx, &out, x)
	}
	_, outputs := x.Dims()
	out = *mat.NewDense(len(rows), outputs, nil)
	bind, pairs := p.columns(cols), kernel.Pairs(nil)
	for i := range blockCount(len(rows), productRows) {
		from, to := blockBounds(i, productRows, len(rows))
		pairs = bind(rows[from:to], pairs)
		if err := gram.Cross(pairs, o).Mul(ctx, out.Slice(from, to, 0, outputs).(*mat.Dense), x); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// columns binds the columns once for all rows where the source can.
func (p partProduct) columns(cols []int) func(rows []int, reuse kernel.Pairs) kernel.Pairs {
	if able, ok := p.src.(anchored); ok {
		if bind, ok := able.Columns(cols, 0); ok {
			return bind
		}
	}
	return func(rows []int, _ kernel.Pairs) kernel.Pairs { return p.src.Bind(rows, cols) }
}

// wholeProduct multiplies a whole matrix, whose tiles come faster than elements here and
// there, with x at the columns and 0 elsewhere.
type wholeProduct struct{ p kernel.Pairs }

func (m wholeProduct) product(ctx context.Context, rows, cols []int, _ bool, x *mat.Dense, o compute.Options) (*mat.Dense, error) {
	n, _ := m.p.Dims()
	_, targets := x.Dims()
	wide, out := mat.NewDense(n, targets, nil), mat.NewDense(len(rows), targets, nil)
	for i, col := range cols {
		copy(wide.RawRowView(col), x.RawRowView(i))
	}
	var all mat.Dense
	if err := gram.Of(m.p, o).Mul(ctx, &all, wide); err != nil {
		return nil, err
	}
	for i, row := range rows {
		copy(out.RawRowView(i), all.RawRowView(row))
	}
	return out, nil
}
