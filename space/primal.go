package space

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
)

// Primal is the space of f = ⟨w, φ(·) − φ̄⟩ with explicit features φ, less their
// mean φ̄ over the rows once [Primal.Centre] leaves it to the constants.
// Covectors are vectors of the feature space.
type Primal struct {
	rows   *design.Blocks
	n, dim int
	o      linalg.Options
	limit  int64 // of memory, in bytes; 0: none
	choice Choice
	on     *landmarks // nil: features are no kernel columns
}

var (
	_ Gramian    = (*Primal)(nil)
	_ streamed   = (*Primal)(nil)
	_ factorless = (*Primal)(nil)
)

// NewPrimal returns the space of explicit features. They are held, 8nD bytes, where the memory of
// o has room for them (see [compute.FitsInMemory]), or made in blocks of rows for every pass, with
// the same bits.
func NewPrimal(ctx context.Context, features design.Matrix, o compute.Options) (*Primal, error) {
	rows, err := features.BlocksWithin(ctx, o)
	if err != nil {
		return nil, err
	}
	return newPrimal(rows, o), nil
}

func newPrimal(rows *design.Blocks, o compute.Options) *Primal {
	n, dim := rows.Dims()
	return &Primal{rows: rows, n: n, dim: dim, o: linalg.Options{Workers: o.Workers, Progress: o.Progress}, limit: o.MaxMemory,
		choice: Choice{Solver: Features, Why: "as asked", Features: dim}}
}

// Choice returns the solver.
func (s *Primal) Choice() Choice { return s.choice }

// Dims returns n and D.
func (s *Primal) Dims() (rows, coordinates int) { return s.n, s.dim }

// Centre takes the weighted mean of the rows away from the features.
func (s *Primal) Centre(ctx context.Context, weights []float64, o compute.Options) error {
	return s.rows.Centre(ctx, weights, o)
}

// Constants is b − ⟨w, φ̄⟩.
func (s *Primal) Constants(theta *mat.Dense, bias []float64) []float64 {
	return s.rows.Shift(bias, theta)
}

// Values is Φw: 2nDm flops.
func (s *Primal) Values(ctx context.Context, dst, theta *mat.Dense) error {
	return s.rows.Multiply(ctx, dst, theta, s.how())
}

// how are the options of passes.
func (s *Primal) how() compute.Options { return compute.Options{Workers: s.o.Workers} }

func (s *Primal) blas() level3.Implementation {
	return level3.Implementation{Workers: s.o.Workers}
}

// Adjoint adds Φᵀg: 2nDm flops.
func (s *Primal) Adjoint(ctx context.Context, dst, g *mat.Dense) error {
	return s.sum(ctx, dst, Targets{g.RawMatrix().Cols, func(row []float64, i int) error {
		copy(row, g.RawRowView(i))
		return nil
	}})
}

// Inner is ⟨covector, w⟩.
func (s *Primal) Inner(covector, theta, _ *mat.Dense) float64 {
	return elementwise(covector, theta)
}

// Norm2 is the squared Euclidean length.
func (s *Primal) Norm2(_ context.Context, covector *mat.Dense) (float64, error) {
	return elementwise(covector, covector), nil
}

// Gram is ΦΦᵀ: n²D flops and n² numbers.
func (s *Primal) Gram(ctx context.Context) (*mat.SymDense, error) {
	k := mat.NewSymDense(s.n, nil)
	all, err := s.rows.All(ctx)
	if err == nil {
		s.blas().Syrk(blas.NoTrans, 1, all.RawMatrix(), 0, k.RawSymmetric())
	}
	return k, err
}

// Weigh factors M = ΦᵀVΦ + R·I: nD² multiplications.
func (s *Primal) Weigh(ctx context.Context, v []float64, ridge float64, constant bool, g *mat.Dense) (Factor, *mat.Dense, error) {
	if err := checkWeights(s, v); err != nil {
		return nil, nil, err
	}
	f := &primalFactor{space: s, v: slices.Clone(v), ridge: ridge}
	total := floats.Sum(v)
	second, h, covector, err := s.rows.Hessian(ctx, v, g, s.how())
	if err != nil {
		return nil, nil, err
	}
	f.trace = mat.Trace(second) + 2*dot(s.rows.Mean(), h.RawMatrix().Data) + total*dot(s.rows.Mean(), s.rows.Mean())
	if err := finite(f.trace); err != nil {
		return nil, nil, err
	}
	if f.m, err = linalg.Factor(ctx, second, ridge, s.o); err != nil {
		return nil, nil, err
	}
	if constant {
		f.u = new(mat.Dense)
		if err := f.m.Solve(ctx, f.u, h); err != nil {
			return nil, nil, err
		}
		f.h, f.schur = h.RawMatrix().Data, total-elementwise(h, f.u)
	}
	return f, covector, nil
}

// normalEquations has no border where there is a free constant, because Φᵀv = 0 about the mean:
// nD² + 2nDm flops.
func (s *Primal) normalEquations(ctx context.Context, r Ridge, t Targets, o compute.Options) (Factor, *mat.Dense, error) {
	watch := model.NewStopwatch()
	second, first, err := s.rows.Moments(ctx, r.Weights, t.Columns, t.Row, o)
	if err != nil {
		return nil, nil, err
	}
	f := &primalFactor{space: s, v: r.Weights, ridge: r.R, trace: mat.Trace(second)}
	watch.Lap(&f.quality.Run, "moments")
	if f.v == nil {
		f.v = make([]float64, s.n)
		for i := range f.v {
			f.v[i] = 1
		}
	}
	total := floats.Sum(f.v)
	f.trace += total * floats.Dot(s.rows.Mean(), s.rows.Mean())
	if err := finite(f.trace); err != nil {
		return nil, nil, err
	}
	if f.m, err = linalg.Factor(ctx, second, r.R, s.o); err != nil {
		return nil, nil, err
	}
	if r.Constant {
		f.h, f.u, f.schur = make([]float64, s.dim), mat.NewDense(s.dim, 1, nil), total
		f.centred = true
	}
	return f, first, nil
}

func (s *Primal) eachValue(ctx context.Context, theta *mat.Dense, o compute.Options, do func(from, to int, f *mat.Dense) error) error {
	return s.rows.Values(ctx, theta, o, do)
}

// finite refuses features whose squares are not finite.
func finite(trace float64) error {
	if math.IsNaN(trace) || math.IsInf(trace, 0) {
		return fmt.Errorf("space: the features are not finite, Σ vᵢ‖φᵢ‖² = %v: check the domain of the kernel and the size of its parameters", trace)
	}
	return nil
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// primalFactor solves with M, bordered by h = Φᵀv and 1ᵀv where there is a constant.
type primalFactor struct {
	space *Primal
	v     []float64
	ridge float64
	m     *linalg.Cholesky
	h     []float64
	u     *mat.Dense // M⁻¹h
	schur float64    // 1ᵀv − hᵀM⁻¹h
	trace float64    // Σ vᵢ‖φ(xᵢ)‖²

	centred bool // h = 0
	quality Quality
}

var _ Refiner = (*primalFactor)(nil)

func (f *primalFactor) Solve(ctx context.Context, covector *mat.Dense, beta []float64) (*mat.Dense, []float64, error) {
	theta := new(mat.Dense)
	if err := f.m.Solve(ctx, theta, covector); err != nil {
		return nil, nil, err
	}
	if f.u == nil {
		return theta, nil, nil
	}
	bias := slices.Clone(beta)
	for d, h := range f.h {
		for c, t := range theta.RawRowView(d) {
			bias[c] -= h * t
		}
	}
	for c := range bias {
		bias[c] /= f.schur
	}
	for d := range f.h {
		row, u := theta.RawRowView(d), f.u.At(d, 0)
		for c, b := range bias {
			row[c] -= u * b
		}
	}
	return theta, bias, nil
}

// Refine makes a step of iterative refinement of the equations about the mean, or without a
// constant; a border is not refined.
func (f *primalFactor) Refine(ctx context.Context, covector *mat.Dense, _ []float64, theta *mat.Dense, _ []float64) (q Quality, err error) {
	f.quality.Precision = compute.Double.String()
	if f.u == nil || f.centred {
		if f.quality.Residual, err = f.m.Refine(ctx, theta, covector); err != nil {
			return f.quality, err
		}
		f.quality.Refined = true
	}
	f.quality.Condition = f.m.Condition()
	return f.quality, nil
}

// Variances is φᵢᵀM⁻¹φᵢ + (1 − uᵀφᵢ)²/schur.
func (f *primalFactor) Variances(ctx context.Context, dst []float64) error {
	return f.space.rows.Each(ctx, func(from, to int, phi *mat.Dense) error {
		solved := new(mat.Dense)
		if err := f.m.Solve(ctx, solved, mat.DenseCopyOf(phi.T())); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			row := phi.RawRowView(i - from)
			dst[i] = mat.Dot(phi.RowView(i-from), solved.ColView(i-from))
			if f.u != nil {
				along := 1 - dot(row, f.u.RawMatrix().Data)
				dst[i] += along * along / f.schur
			}
		}
		return nil
	})
}

// LeaveOneOut is 1 − vᵢ times the variances.
func (f *primalFactor) LeaveOneOut(ctx context.Context, dst []float64) error {
	err := f.Variances(ctx, dst)
	for i, v := range f.v {
		dst[i] = 1 - v*dst[i]
	}
	return err
}

// LogDet is ln|M| + (n − D) ln R + ln s/R.
func (f *primalFactor) LogDet() float64 {
	sum, more := f.m.LogDet(), f.space.n-f.space.dim
	if more != 0 {
		sum += float64(more) * math.Log(f.ridge)
	}
	if f.u != nil {
		sum += math.Log(f.schur / f.ridge)
	}
	return sum
}

// Trace is that of ΦᵀVΦ, with the mean that was taken away.
func (f *primalFactor) Trace(context.Context) (float64, error) { return f.trace, nil }
