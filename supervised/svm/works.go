package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram/design"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// The passes of an interior point: what each does with a block of rows. The first number that goes
// along with a row tells whether it is one of the problem, except in lengths and combination.

func init() { pass.RegisterWork(lengths{}, combination{}, values{}, system{}, predictor{}) }

// lengths makes ‖φᵢ‖² of each row, and its fingerprint.
type lengths struct{}

// Sizes counts a square and a fingerprint.
func (lengths) Sizes(int) (in, out, sums int) { return 0, 1 + fingerprintNumbers, 0 }

// Worker shares the rows among workers.
func (lengths) Worker(_ int, p level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		_ = parallel.Each(context.Background(), parallel.Workers(p.Workers), b.X.RawMatrix().Rows, func(_, i int) {
			row, out := b.X.RawRowView(i), b.Out.RawRowView(i)
			out[0] = floats.Dot(row, row)
			fingerprintOf(row).store(out[1:])
		})
	}
}

// combination is Σ βᵢφᵢ; βᵢ goes along, and most are 0.
type combination struct{}

// Sizes counts β and the sum.
func (combination) Sizes(dim int) (in, out, sums int) { return 1, 0, dim }

// Worker adds the rows whose β is not 0.
func (combination) Worker(int, level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			if beta := b.In.At(i, 0); beta != 0 {
				floats.AddScaled(b.Sums, beta, b.X.RawRowView(i))
			}
		}
	}
}

// values makes ⟨w, φᵢ⟩ of each row of the problem.
type values struct{ W []float64 }

// Sizes counts whether a row is one, and its value.
func (values) Sizes(int) (in, out, sums int) { return 1, 1, 0 }

// Worker multiplies.
func (w values) Worker(int, level3.Implementation) func(pass.Block) {
	return func(b pass.Block) { onOwn(b, w.W, func(*space, *mat.Dense, []float64) {}) }
}

// system is the system of a step, with the predictor's right-hand side:
//
//	ΦᵀVΦ (upper triangle),   Φᵀ(a − Vf  β  δ  V₁ … V_groups),   φ of the stiff rows,
//
// where f = Φw is made of each row. What goes along is a = Σ v(λ − q) and v = ΣV of its variables
// that are not stiff, its coefficient β, how far that is from a bound where it is at one, δ, and
// the places of its variables among the stiff ones, from 1 on.
type system struct {
	W             []float64
	Groups, Stiff int
}

const (
	systemSides      = 3 // of a row, and V of each group
	places           = 2 // a row of a regression has two variables
	predictorSides   = 2
	predictorNumbers = 4 // of a variable
)

// sides is the number of right-hand sides.
func (s system) sides() int { return systemSides + s.Groups }

// Sizes counts what goes along, f, and the sums.
func (s system) Sizes(dim int) (in, out, sums int) {
	in = 1 + s.sides()
	if s.Stiff > 0 {
		in += places
	}
	return in, 1, dim * (dim + s.sides() + s.Stiff)
}

// Worker adds the products of the rows of the problem.
func (s system) Worker(dim int, p level3.Implementation) func(pass.Block) {
	square, wide := dim*dim, dim*(dim+s.sides())
	return func(b pass.Block) {
		onOwn(b, s.W, func(at *space, phi *mat.Dense, f []float64) {
			sides, weights := matrixIn(&at.sides, len(f), s.sides()), numbersIn(&at.weights, len(f))
			for k, i := range at.index {
				along, side := b.In.RawRowView(i)[1:], sides.RawRowView(k)
				copy(side, along)
				weights[k] = floats.Sum(side[systemSides:])
				side[0] -= weights[k] * f[k]
				for _, place := range along[s.sides():] {
					if place > 0 {
						copy(b.Sums[wide+(int(place)-1)*dim:][:dim], phi.RawRowView(k))
					}
				}
			}
			addSides(b.Sums[square:wide], phi, sides, p)
			at.addMoments(b.Sums[:square], phi, weights, p)
		})
	}
}

// predictor is the corrector's right-hand side. The predictor's step of a variable is
// Δx = v(e − Δf), where Δf = ΦΔw is made of each row, and
//
//	Φᵀ(Σ v·p + Δx + κΔx²   c),   κ = v(z/x² − t/(u − x)²),
//
// with the sum over the variables of a row that are not stiff: v, e, vp and κ go along, and c, by
// which σμ is multiplied. p = λ − g.
type predictor struct {
	DW        []float64
	Variables int // of a row
}

// Sizes counts what goes along, Δf, and the sums.
func (s predictor) Sizes(dim int) (in, out, sums int) {
	return predictorSides + predictorNumbers*s.Variables, 1, dim * predictorSides
}

// Worker adds the products of the rows of the problem.
func (s predictor) Worker(_ int, p level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		onOwn(b, s.DW, func(at *space, phi *mat.Dense, df []float64) {
			sides := matrixIn(&at.sides, len(df), predictorSides)
			for k, i := range at.index {
				along, still := b.In.RawRowView(i), 0.0
				for n := predictorSides; n < len(along); n += predictorNumbers {
					v, e, pull, bend := along[n], along[n+1], along[n+2], along[n+3]
					dx := v * (e - df[k])
					still += pull + dx + bend*dx*dx
				}
				side := sides.RawRowView(k)
				side[0], side[1] = still, along[1]
			}
			addSides(b.Sums, phi, sides, p)
		})
	}
}

// addSides adds Φᵀ of right-hand sides.
func addSides(sums []float64, phi, sides *mat.Dense, p level3.Implementation) {
	dim, cols := phi.RawMatrix().Cols, sides.RawMatrix().Cols
	p.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), sides.RawMatrix(), 1, blas64.General{Rows: dim, Cols: cols, Stride: cols, Data: sums})
}

// addMoments adds ΦᵀVΦ, [design.BlockRows] rows of the problem at a time.
func (s *space) addMoments(sums []float64, phi *mat.Dense, v []float64, p level3.Implementation) {
	rows, dim := phi.Dims()
	for first := 0; first < rows; first += design.BlockRows {
		end := min(first+design.BlockRows, rows)
		scaled := matrixIn(&s.scaled, end-first, dim)
		for i := first; i < end; i++ {
			floats.ScaleTo(scaled.RawRowView(i-first), math.Sqrt(v[i]), phi.RawRowView(i))
		}
		p.Syrk(blas.Trans, 1, scaled.RawMatrix(), 1, blas64.Symmetric{N: dim, Stride: dim, Uplo: blas.Upper, Data: sums})
	}
}
