package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// inDouble is a Cholesky factor in double precision.
type inDouble struct {
	cholesky
}

// cholesky is what both storages have.
type cholesky interface {
	Solve(ctx context.Context, dst, b *mat.Dense) error
	LogDet() float64
	Inverse(ctx context.Context) (*mat.SymDense, error)
	InverseDiag(ctx context.Context, dst []float64) error
	Whiten(ctx context.Context, x *mat.Dense) error
	Condition() float64
	Updatable() *linalg.UpdatableFactor
}

func (f inDouble) solve(ctx context.Context, b *mat.Dense, _ *Quality) (*mat.Dense, error) {
	x := new(mat.Dense)
	return x, f.Solve(ctx, x, b)
}

func (f inDouble) stage() string { return "solve" }

func (f inDouble) apart() float64 { return 0 }

// dense factors M below the diagonal of K, which keeps its values.
func (m *matrix) dense(ctx context.Context, watch *model.Stopwatch, q *Quality) (solver, error) {
	scale := m.scale
	if m.unweighted() {
		scale = nil
	}
	f, err := linalg.FactorScaled(ctx, m.space.k, scale, m.shift, m.space.o.Compute.Factoring())
	if err != nil {
		return nil, err
	}
	watch.Lap(&q.Run, "factor")
	return inDouble{f}, nil
}

// packed computes the lower triangle of M, in the place of the last, and factors it in tiles.
func (m *matrix) packed(ctx context.Context, watch *model.Stopwatch, q *Quality) (solver, error) {
	f, storage, err := m.factorInto(ctx, m.space.packed, watch, q)
	if err != nil {
		return nil, err
	}
	m.space.packed = storage
	return inDouble{f}, nil
}

// factorPacked factors M in storage of its own.
func (m *matrix) factorPacked(ctx context.Context, watch *model.Stopwatch, q *Quality) (*linalg.CholeskyFactor, error) {
	f, _, err := m.factorInto(ctx, nil, watch, q)
	return f, err
}

// factorInto factors M in p, or, for nil, in new storage, which it returns.
func (m *matrix) factorInto(ctx context.Context, p *linalg.Packed, watch *model.Stopwatch, q *Quality) (*linalg.CholeskyFactor, *linalg.Packed, error) {
	pairs, err := m.space.pairs()
	if err != nil {
		return nil, nil, err
	}
	if p == nil {
		p, err = gram.PackedOf(ctx, pairs, m.space.o.double())
	} else {
		err = gram.FillPacked(ctx, p, pairs, m.space.o.double())
	}
	if err != nil {
		return nil, nil, err
	}
	scalePacked(p, m)
	watch.Lap(&q.Run, "gram")
	f, err := linalg.FactorPackedDiag(ctx, p, m.shift, m.space.o.Compute.Factoring())
	if err != nil {
		return nil, nil, cmp.Or(m.notFinite(ctx, pairs, err), err)
	}
	watch.Lap(&q.Run, "factor")
	return f, p, nil
}

// triangle is a packed matrix of either width.
type triangle[F float32 | float64] interface {
	TileCount() int
	TileSize() int
	Tile(i, j int) (rows, cols, stride int, data []F)
}

// scalePacked replaces K by diag(s)·K·diag(s).
func scalePacked[F float32 | float64](p triangle[F], m *matrix) {
	if m.unweighted() {
		return
	}
	for bi := range p.TileCount() {
		for bj := range bi + 1 {
			rows, cols, stride, data := p.Tile(bi, bj)
			left, right := m.scale[bi*p.TileSize():], m.scale[bj*p.TileSize():]
			for r := range rows {
				for c, row := 0, data[r*stride:]; c < cols; c++ {
					row[c] = F(float64(row[c]) * left[r] * right[c])
				}
			}
		}
	}
}

// notFinite names the element that made a pivot of a packed factorization infinite or
// not a number; nil if it was none. The pivot of a row is the first that its elements
// left of the diagonal reach.
func (m *matrix) notFinite(ctx context.Context, pairs kernel.Pairs, failure error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(failure, &np) || !math.IsNaN(np.Value) && !math.IsInf(np.Value, 0) {
		return nil
	}
	row := mat.NewDense(1, m.space.n, nil)
	if err := gram.Of(pairs, m.space.o.double()).Rows(ctx, row, []int{np.Pivot}); err != nil {
		return err
	}
	for i, v := range row.RawRowView(0)[:np.Pivot+1] {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("space: the kernel of rows %d and %d is %v, not a finite number: check the domain of the kernel and the size of its parameters", i, np.Pivot, v)
		}
	}
	return nil
}

// diagonal returns that of K.
func (s *Dual) diagonal(context.Context) ([]float64, error) {
	d := make([]float64, s.n)
	if s.k != nil {
		for i := range d {
			d[i] = s.k.At(i, i)
		}
		return d, nil
	}
	pairs, err := s.pairs()
	if err != nil {
		return nil, nil // products alone: no row is put apart
	}
	kernel.Diag(pairs, d)
	return d, nil
}

// FactorPacked returns the Cholesky factor of V^½KV^½ + R·I in tiles, 4n² bytes, for those who
// update it (see [Dual.Known]).
func (s *Dual) FactorPacked(ctx context.Context, v []float64, ridge float64) (*linalg.CholeskyFactor, model.Run, error) {
	var q Quality
	f, err := s.matrix(v, ridge).factorPacked(ctx, model.NewStopwatch(), &q)
	return f, q.Run, err
}

// Known is the space with a Cholesky factor of V^½KV^½ + R·I that is known: [Space.Weigh] of these
// weights and this ridge takes it instead of making one.
func (s *Dual) Known(f *linalg.CholeskyFactor) Space { return known{s, f} }

type known struct {
	*Dual
	factor *linalg.CholeskyFactor
}

// Weigh returns the factor.
func (s known) Weigh(ctx context.Context, v []float64, ridge float64, constant bool, g *mat.Dense) (Factor, *mat.Dense, error) {
	if err := checkWeights(s, v); err != nil {
		return nil, nil, err
	}
	covector, err := covectorOf(ctx, s, g)
	if err != nil {
		return nil, nil, err
	}
	f := &dualFactor{matrix: s.matrix(v, ridge), solver: inDouble{s.factor}, constant: constant}
	f.quality.Precision = compute.Double.String()
	return f, covector, f.putApart(ctx)
}

// Direct returns the space itself.
func (s known) Direct() Space { return s }
