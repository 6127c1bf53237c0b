package krr

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
	"mercer/linalg/level3"
	"mercer/model"
)

// featureRows is the number of rows whose features are held at a time.
const featureRows = 256

// features maps the training rows in blocks, so that the n×D matrix Φ is never held.
type features[T any] struct {
	of     kernel.Mapped[T]
	xs     data.Set[T]
	dim    int
	weight func(i int) float64
	mean   []float64 // weighted mean of φ; zeros without an intercept
	block  *mat.Dense
}

// each calls do with the rows from … to−1 of Φ, less the mean, in the rows of phi.
func (f *features[T]) each(ctx context.Context, do func(from, to int, phi *mat.Dense) error) error {
	for from := 0; from < f.xs.Len(); from += featureRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+featureRows, f.xs.Len())
		phi := f.block.Slice(0, to-from, 0, f.dim).(*mat.Dense)
		raw := phi.RawMatrix()
		kernel.MapRows(f.of, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, f.xs, from)
		for i := from; i < to; i++ {
			row := phi.RawRowView(i - from)
			for d, m := range f.mean {
				row[d] -= m
			}
		}
		if err := do(from, to, phi); err != nil {
			return err
		}
	}
	return nil
}

// center computes the weighted mean of φ, which the intercept takes away.
func (f *features[T]) center(ctx context.Context, total float64) error {
	sum := make([]float64, f.dim)
	err := f.each(ctx, func(from, to int, phi *mat.Dense) error {
		for i := from; i < to; i++ {
			for d, v := range phi.RawRowView(i - from) {
				sum[d] += f.weight(i) * v
			}
		}
		return nil
	})
	for d := range sum {
		f.mean[d] = sum[d] / total
	}
	return err
}

// moments returns ΦᵀWΦ (upper triangle) and ΦᵀWy of the centred features. The mean of
// y need not be taken away, because Σ wᵢφᵢ = 0 after centring; it is, for precision.
func (f *features[T]) moments(ctx context.Context, y *mat.Dense, mean []float64) (*mat.SymDense, *mat.Dense, error) {
	m := len(mean)
	second, first := mat.NewSymDense(f.dim, nil), mat.NewDense(f.dim, m, nil)
	centred := mat.NewDense(featureRows, m, nil)
	err := f.each(ctx, func(from, to int, phi *mat.Dense) error {
		part := centred.Slice(0, to-from, 0, m).(*mat.Dense)
		for i := from; i < to; i++ {
			s := math.Sqrt(f.weight(i))
			for d, row := 0, phi.RawRowView(i-from); d < f.dim; d++ {
				row[d] *= s
			}
			for j, v := range y.RawRowView(i) {
				part.Set(i-from, j, s*(v-mean[j]))
			}
		}
		level3.Implementation{}.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, second.RawSymmetric())
		level3.Implementation{}.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), part.RawMatrix(), 1, first.RawMatrix())
		return nil
	})
	return second, first, err
}

// fitPrimal solves (ΦᵀWΦ + R·I)w = ΦᵀW(y − ȳ) with Φ and y centred on their weighted
// means, b = ȳ − ⟨w, φ̄⟩. It is the same f as in the dual: w = Σ αᵢφ(xᵢ).
func fitPrimal[T any](ctx context.Context, k kernel.Mapped[T], dim int, why string, xs data.Set[T], y *mat.Dense, o Options) (model.Predictor[T], *Report, error) {
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	r := &Report{N: sys.n, Targets: sys.m, Solver: Primal, Why: why, Features: dim, Ridge: sys.ridge(o.Lambda, o.Ridge), Precision: gram.Double.String()}
	if o.Compute.Precision == gram.Single {
		r.Warn("solver %q works in double precision: its matrix has only %d rows", Primal, dim)
	}
	r.Lambda = r.Ridge / sys.total
	j := &job{sys: sys, o: &o, report: r, watch: model.NewStopwatch()}
	ybar := sys.means()
	if e, ok := k.(sectioned[T]); ok && !o.LOO && r.Ridge > 0 {
		f, reason, err := fitSections(ctx, j, e, xs, ybar)
		if f != nil || err != nil {
			return f, r, err
		}
		if reason != "" {
			r.Warn("moments of the kernel values are not exact enough: %s; those of the features, which take twice the time, are used instead", reason)
		}
		r.Iterations = 0
	}
	f := &features[T]{of: k, xs: xs, dim: dim, weight: func(i int) float64 { return sys.s[i] * sys.s[i] },
		mean: make([]float64, dim), block: mat.NewDense(min(featureRows, sys.n), dim, nil)}
	if sys.intercept {
		if err := f.center(ctx, sys.total); err != nil {
			return nil, nil, err
		}
	}
	second, first, err := f.moments(ctx, y, ybar)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "moments")
	w, factor, err := j.solveMoments(ctx, second, first)
	if err != nil {
		return nil, nil, err
	}
	bias := make([]float64, sys.m)
	for c := range bias {
		bias[c] = ybar[c] - mat.Dot(mat.NewVecDense(dim, f.mean), w.ColView(c))
	}
	r.Norm2 = squares(w)
	j.watch.Lap(&r.Run, "solve")
	if e, ok := k.(expander[T]); ok && !o.LOO {
		err = judgeExpanded(ctx, j, e, xs, w, bias)
	} else {
		err = j.judgePrimal(ctx, f.each, w, ybar, bias, factor)
	}
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "residuals")
	return &model.Primal[T]{Kernel: k, W: w, Bias: bias, Like: xs.At(0)}, r, nil
}

// expander is a kernel whose functions of features are expansions on a few points, which
// cost less to evaluate than the features.
type expander[T any] interface {
	Expand(ctx context.Context, w *mat.Dense, bias []float64) (*model.Expansion[T], error)
}

// judgeExpanded computes the training residuals from the expansion.
func judgeExpanded[T any](ctx context.Context, j *job, k expander[T], xs data.Set[T], w *mat.Dense, bias []float64) error {
	f, err := k.Expand(ctx, w, bias)
	if err != nil {
		return err
	}
	fitted, err := f.Predict(ctx, xs, j.double())
	if err != nil {
		return err
	}
	fitted.Sub(j.sys.y, fitted)
	j.report.Train = measure(j.sys.y, fitted, j.sys.weights())
	return nil
}

// solveMoments solves the normal equations, with one step of refinement if needed.
func (j *job) solveMoments(ctx context.Context, second *mat.SymDense, first *mat.Dense) (*mat.Dense, *linalg.Cholesky, error) {
	r := j.report
	factor, err := linalg.Factor(ctx, second, r.Ridge, linalgOptions(j.o.Compute))
	if err != nil {
		return nil, nil, j.notDefinite(err)
	}
	w := new(mat.Dense)
	if err := factor.Solve(ctx, w, first); err != nil {
		return nil, nil, err
	}
	if r.Residual, err = factor.Refine(ctx, w, first); err != nil {
		return nil, nil, err
	}
	r.Refined, r.Condition = true, factor.Condition()
	return w, factor, j.judgeCondition()
}

// judgePrimal computes the training residuals and, if asked, the leave-one-out ones:
// the row's leverage is hᵢᵢ = wᵢ/N + wᵢ φᵢᵀ(ΦᵀWΦ + R·I)⁻¹φᵢ, and rᵢ = eᵢ/(1 − hᵢᵢ).
func (j *job) judgePrimal(ctx context.Context, each func(context.Context, func(from, to int, phi *mat.Dense) error) error, w *mat.Dense, ybar, bias []float64, factor *linalg.Cholesky) error {
	sys, r := j.sys, j.report
	residuals, leverage := mat.NewDense(sys.n, sys.m, nil), make([]float64, sys.n)
	err := each(ctx, func(from, to int, phi *mat.Dense) error {
		part := residuals.Slice(from, to, 0, sys.m).(*mat.Dense)
		part.Mul(phi, w)
		for i := from; i < to; i++ {
			for c, fitted := range residuals.RawRowView(i) {
				residuals.Set(i, c, sys.y.At(i, c)-ybar[c]-fitted)
			}
		}
		if !j.o.LOO {
			return nil
		}
		var solved mat.Dense
		if err := factor.Solve(ctx, &solved, mat.DenseCopyOf(phi.T())); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			weight := sys.s[i] * sys.s[i]
			leverage[i] = weight * mat.Dot(phi.RowView(i-from), solved.ColView(i-from))
			if sys.intercept {
				leverage[i] += weight / sys.total
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Train = measure(sys.y, residuals, sys.weights())
	if j.o.LOO {
		if r.Point, err = sys.primalPoint(r, residuals, leverage, factor.LogDet()); err != nil {
			return err
		}
		r.Point.Solution = sys.dual(r.Ridge, residuals, bias)
	}
	return nil
}

// primalPoint is [system.point] from what the primal has. Where R > 0 the evidence
// follows from |A| = |ΦᵀWΦ + R·I|·R^(n−D)/|W| and yᵀCy = Σ wᵢeᵢ²/R + ‖w‖². With an
// intercept |A|·1ᵀA⁻¹1 does not change when Φ is centred, and then 1ᵀA⁻¹1 = N/R.
func (sys *system) primalPoint(r *Report, residuals *mat.Dense, leverage []float64, logDet float64) (*Point, error) {
	if sys.intercept && sys.active < 2 {
		return nil, errOneRow
	}
	p := &Point{Lambda: r.Lambda, Ridge: r.Ridge, Leverage: leverage, Train: r.Train, LOOResiduals: mat.NewDense(sys.n, sys.m, nil)}
	quadratic := append([]float64(nil), r.Norm2...)
	for i, s := range sys.s {
		if leverage[i] > 1-leverageRounding {
			return nil, undetermined(i)
		}
		p.DOF += leverage[i]
		for c, e := range residuals.RawRowView(i) {
			p.LOOResiduals.Set(i, c, e/(1-leverage[i]))
			quadratic[c] += s * s * e * e / r.Ridge
		}
		if s > 0 {
			logDet -= 2 * math.Log(s)
		}
	}
	p.LOO = measure(sys.y, p.LOOResiduals, sys.weights())
	n := float64(sys.active)
	p.GCV = r.Train.MSE() / math.Pow(1-p.DOF/n, 2)
	if r.Ridge > 0 {
		logDet += (n - float64(r.Features)) * math.Log(r.Ridge)
		p.Evidence, p.ProfiledEvidence = sys.evidence(quadratic, logDet, sys.total/r.Ridge)
	}
	return p, nil
}

// squares returns ‖w‖² of each column.
func squares(w *mat.Dense) []float64 {
	out := make([]float64, w.RawMatrix().Cols)
	for c := range out {
		norm := mat.Norm(w.ColView(c), 2)
		out[c] = norm * norm
	}
	return out
}

// dual returns the coefficients of the same f over the training rows, α = W(y − f − b)/R,
// or nil where R = 0.
func (sys *system) dual(ridge float64, residuals *mat.Dense, bias []float64) *Solution {
	if ridge == 0 {
		return nil
	}
	alpha := mat.DenseCopyOf(residuals)
	alpha.Apply(func(i, _ int, e float64) float64 { return sys.s[i] * sys.s[i] * e / ridge }, alpha)
	return &Solution{Coef: alpha, Bias: bias}
}
