package gp

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// outer is the symmetric matrix ½(UVᵀ + VUᵀ), U and V n×c, which is never formed.
type outer struct{ u, v *mat.Dense }

// slope is [Sensitivity] with an estimate of ∂/∂K of low rank.
type slope struct {
	logEvidence float64
	dK          outer
	dLogNoise   float64
}

// slopeByProducts estimates the log evidence and its derivative without a stored matrix: with
// b = Sz the probes of [linalg.LogDet], tr(A⁻¹∂A) = E[(A⁻¹b)ᵀ∂A(P⁻¹b)], so that
//
//	∂/∂K ≈ ½ααᵀ − ½(1/m) Σ sym((A⁻¹b)(P⁻¹b)ᵀ).
//
// The probes stay, and so do the pivots of P if they are given, so that value and derivative
// are smooth functions of K. The derivative is that of the evidence in the mean; that of this
// very estimate differs from it by the chance of the probes. pivots nil: they are drawn, and
// returned.
//
// Gardner, Pleiss, Bindel, Weinberger and Wilson (2018), equations 3 and 4.
func (o *Options) slopeByProducts(ctx context.Context, k gram.Operator, y []float64, pivots []int) (*slope, []int, error) {
	it, _, err := o.iterate(ctx, k, pivots)
	if err != nil {
		return nil, nil, err
	}
	it.tolerance = max(it.tolerance, it.squared()) // an error of α enters the value by its square
	p, _, err := it.given(ctx, y, o.Mean != Zero)
	if err != nil {
		return nil, nil, err
	}
	l, err := it.logDet(ctx, o.Probes)
	if err != nil {
		return nil, nil, err
	}
	form, _ := p.fitted(y, o)
	s := &slope{logEvidence: o.evidence(len(y), form, l.Value).total()}
	if s.dK, err = it.trace(ctx, p.Coef, l); err != nil {
		return nil, nil, err
	}
	for i := range it.n {
		if w := o.weight(i); w > 0 {
			diagonal := mat.Dot(s.dK.u.RowView(i), s.dK.v.RowView(i))
			s.dLogNoise += o.Noise * (diagonal/w + (1-w)/(2*o.noise(i)))
		}
	}
	if it.pre != nil {
		pivots = it.pre.Pivots
	}
	return s, pivots, nil
}

// trace returns the estimate of ½ααᵀ − ½A⁻¹, with zeros in rows that are not active.
func (it *ByCG) trace(ctx context.Context, alpha *mat.Dense, l *linalg.LogDetEstimate) (outer, error) {
	_, m := l.Probes.Dims()
	pulled := mat.DenseCopyOf(l.Probes)
	if it.pre != nil {
		if err := it.pre.Mul(ctx, pulled, l.Probes); err != nil {
			return outer{}, err
		}
	}
	u, v := mat.NewDense(it.n, m+1, nil), mat.NewDense(it.n, m+1, nil)
	for i := range it.n {
		if !it.on(i) {
			continue
		}
		a := alpha.At(i, 0)
		u.Set(i, 0, a/2)
		v.Set(i, 0, a)
		for j := range m {
			u.Set(i, 1+j, -l.Solutions.At(i, j)/(2*float64(m)))
			v.Set(i, 1+j, pulled.At(i, j))
		}
	}
	return outer{u, v}, nil
}

// contractRows is the number of rows in a block of [contract].
const contractRows = 1024

// ContractBytes returns the memory that the derivative of the evidence by [CG] takes beside the
// systems: the weights of two blocks of rows.
func ContractBytes(n int) int64 {
	side := int64(min(n, 2*contractRows))
	return 8 * side * side
}

// contract is [kernel.Contract] of a matrix that is not formed: for every pair of blocks of rows
// the weights between them and, once for each block, within. Pairs compute the derivatives
// within their blocks in vain, which makes n² of them in all and not half as many.
func (o outer) contract(ctx context.Context, block int, workers int, with func(ctx context.Context, rows []int, m kernel.Tile) ([]float64, error)) ([]float64, error) {
	n, _ := o.u.Dims()
	count := (n + block - 1) / block
	var total []float64
	for i := range max(1, count-1) {
		for j := i + 1; j < max(2, count); j++ {
			rows := span(i*block, min((i+1)*block, n))
			own := len(rows)
			if j < count {
				rows = append(rows, span(j*block, min((j+1)*block, n))...)
			}
			// The weights within block i are counted with its first partner, those within the
			// last block with the last pair.
			g, err := with(ctx, rows, o.weights(rows, own, j == i+1, j == count-1 && i == count-2, workers))
			if err != nil {
				return nil, err
			}
			if total == nil {
				total = make([]float64, len(g))
			}
			for p, v := range g {
				total[p] += v
			}
		}
	}
	return total, nil
}

// weights returns the upper triangle of the matrix for some rows, the first own of which are
// one block. Those within the first or the second block are zero unless they are wanted.
func (o outer) weights(rows []int, own int, first, second bool, workers int) kernel.Tile {
	n, c := len(rows), o.u.RawMatrix().Cols
	u, v := mat.NewDense(n, c, nil), mat.NewDense(n, c, nil)
	for to, from := range rows {
		u.SetRow(to, o.u.RawRowView(from))
		v.SetRow(to, o.v.RawRowView(from))
	}
	t := kernel.NewTile(n, n)
	whole := blas64.General{Rows: n, Cols: n, Stride: t.Stride, Data: t.Data}
	product := level3.Implementation{Workers: workers}
	product.Gemm(blas.NoTrans, blas.Trans, 0.5, u.RawMatrix(), v.RawMatrix(), 0, whole)
	product.Gemm(blas.NoTrans, blas.Trans, 0.5, v.RawMatrix(), u.RawMatrix(), 1, whole)
	for i := range n {
		switch row := t.Row(i); {
		case i < own && !first:
			clear(row[:own])
		case i >= own && !second:
			clear(row[own:])
		}
	}
	return t
}

// gradient contracts the derivative with that of a kernel on points.
func gradient[T any](ctx context.Context, o outer, k kernel.Differentiable[T], xs data.Set[T], workers int) ([]float64, error) {
	return o.contract(ctx, contractRows, workers, func(ctx context.Context, rows []int, m kernel.Tile) ([]float64, error) {
		return kernel.Contract(ctx, k, data.Subset(xs, rows), m, workers)
	})
}
