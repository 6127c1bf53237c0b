package kfda

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Solution is the projection on r directions, p_j(x) = Coef[:,j]ᵀψ(x) + Bias[j], ψ(x) the
// coordinates of the space: Σᵢ Coef[i,j] k(x, xᵢ) + Bias[j] in the dual. Its weighted mean over the
// training rows is zero.
type Solution struct {
	// Coef has one row for each coordinate and r < number of classes columns; coefficients of
	// rows of weight zero are exactly zero.
	Coef *mat.Dense
	Bias []float64
}

// Solve finds the discriminant in the space s for the classes y, numbers from 0 without gaps. The
// sign of a direction is such that the last class lies on its positive side.
//
// It is a ridge regression of class indicators. Let tᵢ have the numbers (1_c − N_c/N)/√(N N_c) of
// the class of row i, and f + b be the ridge regression of t with free constants:
//
//		R f = Σ wᵢ eᵢ φ(xᵢ),    eᵢ = tᵢ − f(xᵢ) − b,    R = Nλ.
//
//	 1. Regress t.
//	 2. Sum up B = N Σ wᵢ (f(xᵢ) + b) tᵢᵀ and G = N (R ⟨f, f⟩ + Σ wᵢ eᵢ eᵢᵀ), m×m.
//	 3. The eigenvectors u of B with eigenvalues β have the directions v = ⟨f, u⟩ with the ratio
//	    ρ = β/(1 − β), 1 − β = uᵀGu.
//
// Why: with the centred weighted features Φ, A = ΦᵀΦ and column c of E made of √wᵢtᵢ, S_b =
// ΦEEᵀΦᵀ and S_w + S_b = ΦΦᵀ/N. A stationary v of ⟨v, S_b v⟩/⟨v, (S_w + S_b + λI)v⟩, whose ratio
// is ρ/(1 + ρ), is Φ(A/N + λI)⁻¹Eu with u an eigenvector of B = NEᵀA(A + NλI)⁻¹E, and B + G = I on
// the span of E. G is a sum of squares: the least value of the regression, to which an error of f
// adds its square, so that it has all digits where it is next to nothing.
//
// Cost: that of [space.Regress] for m targets and two passes over the rows, steps of the
// checkpoint.
// Errors: every problem of the options; fewer than two classes; classes whose means coincide in
// feature space; and a system that is not numerically positive definite. Results have the same bits
// for any number of workers.
func Solve(ctx context.Context, s space.Space, y []int, o Options) (*Solution, *Report, error) {
	n, _ := s.Dims()
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	j := newJob(y, &o)
	indicators := space.Targets{Columns: len(j.shares), Row: func(dst []float64, i int) error {
		j.indicate(dst, y[i])
		return nil
	}}
	g, err := space.Regress(ctx, s, space.Ridge{Weights: o.Weights, R: j.report.Ridge, Constant: true}, indicators, o.Compute)
	if err != nil {
		return nil, nil, j.explain(err)
	}
	if j.trace, err = g.Factor.Trace(ctx); err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "solve")
	products, err := g.Products(ctx)
	if err != nil {
		return nil, nil, err
	}
	b, left, err := j.scatter(ctx, g, indicators)
	if err != nil {
		return nil, nil, err
	}
	products.ScaleSym(j.report.Ridge, products)
	left.AddSym(left, products)
	left.ScaleSym(j.total, left)
	us, ratios, err := j.directions(ctx, b, left)
	if err != nil {
		return nil, nil, err
	}
	sol := j.project(g, us, j.describe(us, ratios), products)
	j.watch.Lap(&j.report.Run, "directions")
	err = j.accuracy(ctx, g, us)
	j.watch.Lap(&j.report.Run, "accuracy")
	return sol, j.report, err
}

// job is one fit on its way.
type job struct {
	y      []int
	o      *Options
	n      int
	shares []float64 // N_c
	total  float64   // N
	trace  float64   // Σ wᵢ‖φ(xᵢ)‖²
	report *Report
	watch  *model.Stopwatch
}

func newJob(y []int, o *Options) *job {
	j := &job{y: y, o: o, n: len(y), shares: model.ClassWeights(y, o.Weights), watch: model.NewStopwatch()}
	j.total = floats.Sum(j.shares)
	ridge := o.Ridge
	if ridge == 0 {
		ridge = j.total * o.Lambda
	}
	j.report = &Report{N: j.n, Classes: len(j.shares), Ridge: ridge, Lambda: ridge / j.total}
	return j
}

// indicate stores (1_c − N_c/N)/√(N N_c), tᵢ of a row of a class.
func (j *job) indicate(dst []float64, class int) {
	for c, share := range j.shares {
		dst[c] = -share / j.total
		if c == class {
			dst[c]++
		}
		dst[c] /= math.Sqrt(j.total * share)
	}
}

// scatter returns B and Σ wᵢ eᵢ eᵢᵀ, in one pass, a step of the checkpoint.
func (j *job) scatter(ctx context.Context, g *space.Regression, t space.Targets) (b, left *mat.SymDense, err error) {
	m := len(j.shares)
	between, target := mat.NewDense(m, m, nil), make([]float64, m)
	left = mat.NewSymDense(m, nil)
	err = j.o.Compute.Step(ctx, "scatter", [][]float64{between.RawMatrix().Data, left.RawSymmetric().Data}, func() error {
		return g.Rows(ctx, j.o.Compute, func(from, to int, f, e *mat.Dense) error {
			for i := from; i < to; i++ {
				w, residual := model.Weight(j.o.Weights, i), e.RawRowView(i-from)
				if w == 0 {
					continue
				}
				if err := t.Row(target, i); err != nil {
					return err
				}
				for c, v := range f.RawRowView(i - from) {
					floats.AddScaled(between.RawRowView(c), j.total*w*v, target)
					for d := c; d < m; d++ {
						left.SetSym(c, d, left.At(c, d)+w*residual[c]*residual[d])
					}
				}
			}
			return nil
		})
	})
	return linalg.Symmetrise(between), left, err
}

// project returns the directions Θu, scaled, about the caller's origin. products are R⟨f, f⟩.
func (j *job) project(g *space.Regression, us *mat.Dense, scales []float64, products *mat.SymDense) *Solution {
	sol := &Solution{Coef: new(mat.Dense), Bias: make([]float64, len(scales))}
	us.Apply(func(_, d int, v float64) float64 { return v * scales[d] }, us)
	sol.Coef.Mul(g.Theta, us)
	for d := range scales {
		u := us.ColView(d)
		sol.Bias[d] = mat.Dot(u, mat.NewVecDense(len(g.Bias), g.Bias))
		j.report.Norm2[d] = mat.Inner(u, products, u) / j.report.Ridge
	}
	return sol
}

// accuracy computes that on the training rows, in one pass, a step of the checkpoint.
func (j *job) accuracy(ctx context.Context, g *space.Regression, us *mat.Dense) error {
	right := []float64{0}
	err := j.o.Compute.Step(ctx, "accuracy", [][]float64{right}, func() error {
		return g.Rows(ctx, j.o.Compute, func(from, to int, f, _ *mat.Dense) error {
			projected := new(mat.Dense)
			projected.Mul(f, us)
			for i := from; i < to; i++ {
				if w := model.Weight(j.o.Weights, i); w > 0 && j.report.Decision.Class(projected.RawRowView(i-from)) == j.y[i] {
					right[0] += w
				}
			}
			return nil
		})
	})
	j.report.Accuracy = right[0] / j.total
	return err
}
