package krr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// packed solves by a Cholesky factorization in half the memory. The factor takes the
// place of K, so the residual costs one more pass over the kernel values.
func (j *job) packed(ctx context.Context) (*Solution, *Report, error) {
	f, err := j.factorPacked(ctx)
	if err != nil {
		return nil, nil, err
	}
	return j.direct(ctx, f, j.apply)
}

// factorPacked factors M in tiles.
func (j *job) factorPacked(ctx context.Context) (*linalg.Factored, error) {
	a, err := j.pack(ctx)
	if err != nil {
		return nil, err
	}
	j.watch.Lap(&j.report.Run, "gram")
	f, err := linalg.FactorPackedDiag(ctx, a, j.sys.shift(j.report.Ridge), j.o.Compute.Factoring())
	if err != nil {
		return nil, cmp.Or(j.notFinite(ctx, err), j.notDefinite(err))
	}
	j.watch.Lap(&j.report.Run, "factor")
	return f, nil
}

// notFinite names the element that made a pivot of a packed factorization infinite or
// not a number; nil if it was none. The pivot of a row is the first that its elements
// left of the diagonal reach.
func (j *job) notFinite(ctx context.Context, failure error) error {
	var np *linalg.NotPositiveDefinite
	pairs, err := j.pairs()
	if err != nil || !errors.As(failure, &np) || !math.IsNaN(np.Value) && !math.IsInf(np.Value, 0) {
		return nil
	}
	row := mat.NewDense(1, j.sys.n, nil)
	if err := gram.Of(pairs, j.double()).Rows(ctx, row, []int{np.Pivot}); err != nil {
		return err
	}
	for i, v := range row.RawRowView(0)[:np.Pivot+1] {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return infinite(i, np.Pivot, v)
		}
	}
	return nil
}

// infinite is the error of a kernel value that no solver can use.
func infinite(i, k int, v float64) error {
	return fmt.Errorf("krr: the kernel of rows %d and %d is %v, not a finite number: check the domain of the kernel and the size of its parameters", i, k, v)
}

// pairs returns the kernel values behind the operator.
func (j *job) pairs() (kernel.Pairs, error) {
	if k, ok := j.k.(interface{ Pairs() kernel.Pairs }); ok {
		return k.Pairs(), nil
	}
	return nil, fmt.Errorf("krr: solver %q in %s precision needs single elements of the Gram matrix, and this operator has products only: use solver %q, or %q in double precision",
		j.report.Solver, j.report.Precision, Cholesky, CG)
}

// pack stores the lower triangle of diag(s)·K·diag(s).
func (j *job) pack(ctx context.Context) (*linalg.Packed, error) {
	pairs, err := j.pairs()
	if err != nil {
		return nil, err
	}
	p, err := gram.PackedOf(ctx, pairs, j.o.Compute)
	if err == nil {
		scalePacked(p, j.sys)
	}
	return p, err
}

// packSingle is pack in single precision.
func (j *job) packSingle(ctx context.Context) (*linalg.PackedSingle, error) {
	pairs, err := j.pairs()
	if err != nil {
		return nil, err
	}
	p, err := gram.PackedSingleOf(ctx, pairs, j.o.Compute)
	if err == nil {
		scalePacked(p, j.sys)
	}
	return p, err
}

// triangle is a packed matrix of either width.
type triangle[F float32 | float64] interface {
	TileCount() int
	TileSize() int
	Tile(i, j int) (rows, cols, stride int, data []F)
}

// scalePacked replaces K by diag(s)·K·diag(s).
func scalePacked[F float32 | float64](p triangle[F], sys *system) {
	if !sys.weighted() {
		return
	}
	for bi := range p.TileCount() {
		for bj := range bi + 1 {
			rows, cols, stride, data := p.Tile(bi, bj)
			left, right := sys.s[bi*p.TileSize():], sys.s[bj*p.TileSize():]
			for r := range rows {
				for c, row := 0, data[r*stride:]; c < cols; c++ {
					row[c] = F(float64(row[c]) * left[r] * right[c])
				}
			}
		}
	}
}
