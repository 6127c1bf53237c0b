package sparsegp

import (
	"context"
	"encoding/gob"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

func init() { gob.Register(slopes{}) }

// slopes are what the rows give to a [sensitivity], as a job: 1/Λᵢᵢ, wᵢ, dᵢ and ρᵢ go along with
// each. The sums are ΦᵀEΦ (m², for [FITC] alone), ∂ℓ/∂ ln σ², and the derivative in each parameter.
type slopes struct {
	Approximation Approximation
	Noise         float64    // σ²
	Inverse       *mat.Dense // B⁻¹
	W             *mat.Dense // m×p
	Parameters    int        // of the kernel
}

// split takes sums apart.
func (s slopes) split(sums []float64) (middle, rest []float64) {
	size := len(sums) - 1 - s.Parameters
	return sums[:size:size], sums[size:]
}

// sums returns zeros for all sums.
func (s slopes) sums() []float64 {
	size := 0
	if s.Approximation == FITC {
		m, _ := s.Inverse.Dims()
		size = m * m
	}
	return make([]float64, size+1+s.Parameters)
}

// along returns the count of numbers that go along with a row.
func (s slopes) along() int { return 3 + s.W.RawMatrix().Cols }

// passSlopes sums up the slopes of all rows, wherever these are.
func passSlopes[T any](ctx context.Context, s *system, by slopes, c *contraction[T]) ([]float64, error) {
	n, _ := s.Dims()
	pieces, each := design.Pieces(n), by.along()
	numbers := func(i int) ([]float64, error) {
		p := pieces[i]
		out := make([]float64, 0, each*(p.To-p.From))
		for i := p.From; i < p.To; i++ {
			out = append(out, s.invLambda[i], s.weight(i), s.left[i])
			out = append(out, s.rho.RawRowView(i)[:s.targets()]...)
		}
		return out, nil
	}
	if s.elsewhere != nil {
		return s.elsewhere.Run(ctx, by, pieces, numbers, nil)
	}
	all, told := pass.InOrder{}, s.features.o.Meter("gradient", int64(n))
	for i, p := range pieces {
		along, err := numbers(i)
		if err != nil {
			return nil, err
		}
		sums, err := sumSlopes(ctx, by, s.Blocks, s.l, p, along, c)
		if err != nil {
			return nil, err
		}
		if err := all.Add(i, pass.Result{Sums: sums}); err != nil {
			return nil, err
		}
		told.Add(int64(p.To - p.From))
	}
	return all.Total, nil
}

// Run sums up the slopes of a piece.
func (s slopes) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, along []float64, o compute.Options) (pass.Result, error) {
	w, ok := k.(*whitened)
	phi, mapped := design.Of(k, rows)
	if m, _ := s.Inverse.Dims(); !ok || !mapped || phi.Dim != m || len(along) != s.along()*(p.To-p.From) {
		return pass.Result{}, fmt.Errorf("sparsegp: the slopes on %d landmarks of rows %d to %d come with the kernel %s and %d numbers", m, p.From+1, p.To, k, len(along))
	}
	c := &contraction[[]float64]{xs: rows, at: w.at, workers: o.Workers}
	if s.Parameters > 0 {
		if c.of, ok = kernel.Gradient(w.of); !ok {
			return pass.Result{}, fmt.Errorf("sparsegp: the kernel %s has no gradient", w.of)
		}
	}
	sums, err := sumSlopes(ctx, s, phi.Blocks(), w.l, p, along, c)
	return pass.Result{Sums: sums}, err
}

const (
	// leastContracted and mostContracted bound the number of rows that are contracted together with
	// the landmarks: as many as there are landmarks make least of what is none of K_nm.
	leastContracted, mostContracted = design.BlockRows, 4 * design.BlockRows
)

// sumSlopes sums up the slopes of a piece.
func sumSlopes[T any](ctx context.Context, by slopes, blocks *design.Blocks, l *linalg.CholeskyFactor, p pass.Piece, along []float64, c *contraction[T]) ([]float64, error) {
	m, _ := by.Inverse.Dims()
	sums := by.sums()
	middle, rest := by.split(sums)
	height := max(leastContracted, min(m, mostContracted)/design.BlockRows*design.BlockRows)
	space, diagonal, have := mat.NewDense(height, m, nil), make([]float64, height), 0
	product := level3.Implementation{Workers: c.workers}
	err := blocks.Run(ctx, p, func(from, to int, phi *mat.Dense) error {
		rows := to - from
		dk, u := space.Slice(have, have+rows, 0, m).(*mat.Dense), diagonal[have:have+rows]
		product.Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), by.Inverse.RawMatrix(), 0, dk.RawMatrix()) // ΦB⁻¹
		for i := range rows {
			at := along[(from+i-p.From)*by.along():][:by.along()]
			var noise float64
			u[i], noise = by.row(at, phi.RawRowView(i), dk.RawRowView(i))
			rest[0] += noise
		}
		if by.Approximation == FITC {
			addMiddle(product, middle, phi, u)
		}
		if by.Parameters == 0 {
			return nil
		}
		if err := l.Unwhiten(ctx, dk); err != nil {
			return err
		}
		if have += rows; have < height && to < p.To {
			return nil
		}
		err := c.add(ctx, rest[1:], to-have, space.Slice(0, have, 0, m).(*mat.Dense), diagonal[:have])
		have = 0
		return err
	})
	return sums, err
}

// row replaces φᵀB⁻¹ by a row of 2GΦ, and returns ∂ℓ/∂kᵢᵢ and what the row gives to ∂ℓ/∂ ln σ².
func (s slopes) row(along, phi, pulled []float64) (diagonal, noise float64) {
	over, w, left, rho := along[0], along[1], along[2], along[3:]
	if w == 0 {
		clear(pulled)
		return 0, 0
	}
	p := float64(len(rho))
	spread := floats.Dot(phi, pulled) // φᵀB⁻¹φ
	squares := 0.0
	for _, r := range rho {
		squares += r * over * r * over
	}
	atOne := w / over // wᵢΛᵢᵢ
	u := (squares-p*(over-over*over*spread))/(2*w) + p*(1-w)/(2*atOne)
	noise = s.Noise * u
	e := 0.0
	switch s.Approximation {
	case FITC:
		e, diagonal = -u, u
	case Variational:
		e, diagonal = p*over/2, -p*over/2
		noise += s.Noise * p * left * over / (2 * atOne)
	}
	for j, v := range phi {
		pulled[j] = 2*e*v - p*over*pulled[j]
	}
	weights := s.W.RawMatrix()
	for t, r := range rho {
		alpha := r * over
		for j := range pulled {
			pulled[j] += alpha * weights.Data[j*weights.Stride+t]
		}
	}
	return diagonal, noise
}

// addMiddle adds −Σ uᵢφᵢφᵢᵀ, for the u of a block: what is positive and what is negative apart.
func addMiddle(product level3.Implementation, middle []float64, phi *mat.Dense, u []float64) {
	rows, m := phi.Dims()
	for _, sign := range []float64{1, -1} {
		scaled := mat.NewDense(rows, m, nil)
		for i, v := range u {
			if sign*v > 0 {
				floats.ScaleTo(scaled.RawRowView(i), math.Sqrt(sign*v), phi.RawRowView(i))
			}
		}
		product.Syrk(blas.Trans, -sign, scaled.RawMatrix(), 1, blas64.Symmetric{N: m, Stride: m, Uplo: blas.Upper, Data: middle})
	}
}

// contraction contracts ∂ℓ/∂K_nm and ∂ℓ/∂kᵢᵢ with the gradient of the kernel.
type contraction[T any] struct {
	of      kernel.Differentiable[T]
	xs, at  data.Set[T]
	workers int
}

// add adds the share of some rows, from one on, to sum: [kernel.Contract] of the symmetric matrix
//
//	┌ diag(∂ℓ/∂kᵢᵢ)   ½ ∂ℓ/∂K_nm ┐
//	└      …              0       ┘
//
// for the rows and the landmarks together.
func (c *contraction[T]) add(ctx context.Context, sum []float64, from int, dk *mat.Dense, diagonal []float64) error {
	both, err := data.Join(data.Run(c.xs, from, from+len(diagonal)), c.at)
	if err != nil {
		return fmt.Errorf("sparsegp: %w", err)
	}
	t := kernel.NewTile(both.Len(), both.Len())
	for i, v := range diagonal {
		row := t.Row(i)
		row[i] = v
		floats.ScaleTo(row[len(diagonal):], 0.5, dk.RawRowView(i))
	}
	part, err := kernel.Contract(ctx, c.of, both, t, c.workers)
	if err != nil {
		return err
	}
	floats.Add(sum, part)
	return nil
}
