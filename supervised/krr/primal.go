package krr

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// fitPrimal solves (ΦᵀWΦ + R·I)w = ΦᵀW(y − ȳ) with Φ and y centred on their weighted
// means, b = ȳ − ⟨w, φ̄⟩. It is the same f as in the dual: w = Σ αᵢφ(xᵢ).
func fitPrimal[T any](ctx context.Context, k kernel.Mapped[T], dim int, why string, xs data.Set[T], y *mat.Dense, o Options) (model.Predictor[T], *Report, error) {
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	r := &Report{N: sys.n, Targets: sys.m, Solver: Primal, Why: why, Features: dim, Ridge: sys.ridge(o.Lambda, o.Ridge), Precision: compute.Double.String()}
	if o.Compute.Precision == compute.Single {
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
	design, _ := gram.DesignOf[T](k, xs)
	rows := design.Reader()
	if sys.intercept {
		if err := rows.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, nil, err
		}
	}
	second, first, err := sys.moments(ctx, rows, ybar, o.Weights, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "moments")
	w, factor, err := j.solveMoments(ctx, second, first)
	if err != nil {
		return nil, nil, err
	}
	bias := rows.Shift(ybar, w)
	r.Norm2 = squares(w)
	j.watch.Lap(&r.Run, "solve")
	if e, ok := k.(expander[T]); ok && !o.LOO {
		err = judgeExpanded(ctx, j, e, xs, w, bias)
	} else {
		err = j.judgePrimal(ctx, rows, w, ybar, bias, factor)
	}
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "residuals")
	return &model.Primal[T]{Kernel: k, W: w, Bias: bias, Like: xs.At(0)}, r, nil
}

// moments returns ΦᵀWΦ (upper triangle) and ΦᵀW(y − ȳ) of centred features. The mean of
// y need not be taken away, because Σ wᵢφᵢ = 0 after centring; it is, for precision.
func (sys *system) moments(ctx context.Context, rows *gram.DesignReader, ybar, weights []float64, o compute.Options) (*mat.SymDense, *mat.Dense, error) {
	return rows.Moments(ctx, weights, sys.m, func(dst []float64, i int) error {
		floats.SubTo(dst, sys.y.RawRowView(i), ybar)
		return nil
	}, o)
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
	residuals := mat.NewDense(j.sys.n, j.sys.m, nil)
	for from := 0; from < j.sys.n; from += judgedRows {
		to := min(from+judgedRows, j.sys.n)
		part := residuals.Slice(from, to, 0, j.sys.m).(*mat.Dense)
		if err := f.PredictInto(ctx, part, data.Run(xs, from, to), j.double()); err != nil {
			return err
		}
		part.Sub(j.sys.y.Slice(from, to, 0, j.sys.m), part)
	}
	j.report.Train = measure(j.sys.y, residuals, j.sys.weights())
	return nil
}

// judgedRows is the number of rows that an expansion is evaluated on at a time: they may be in a
// file.
const judgedRows = 4096

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
func (j *job) judgePrimal(ctx context.Context, rows *gram.DesignReader, w *mat.Dense, ybar, bias []float64, factor *linalg.Cholesky) error {
	sys, r := j.sys, j.report
	residuals, leverage := mat.NewDense(sys.n, sys.m, nil), make([]float64, sys.n)
	err := rows.Each(ctx, func(from, to int, phi *mat.Dense) error {
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
			leverage[i] = sys.leverage(i, mat.Dot(phi.RowView(i-from), solved.ColView(i-from)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Train = measure(sys.y, residuals, sys.weights())
	if j.o.LOO {
		if r.Point, err = sys.primalPoint(r.Ridge, residuals, leverage, r.Norm2, factor.LogDet(), r.Features); err != nil {
			return err
		}
		r.Point.Solution = sys.dual(r.Ridge, residuals, bias)
	}
	return nil
}

// primalPoint is [system.point] from what the primal has: the residuals of the fit, leverages,
// ‖w‖² of each target, log|ΦᵀWΦ + R·I|, and D. Where R > 0 the evidence
// follows from |A| = |ΦᵀWΦ + R·I|·R^(n−D)/|W| and yᵀCy = Σ wᵢeᵢ²/R + ‖w‖². With an
// intercept |A|·1ᵀA⁻¹1 does not change when Φ is centred, and then 1ᵀA⁻¹1 = N/R.
func (sys *system) primalPoint(ridge float64, residuals *mat.Dense, leverage, norm2 []float64, logDet float64, dim int) (*Point, error) {
	if sys.intercept && sys.active < 2 {
		return nil, errOneRow
	}
	weights := sys.weights()
	p := &Point{Lambda: ridge / sys.total, Ridge: ridge, Leverage: leverage, Train: measure(sys.y, residuals, weights), LOOResiduals: mat.NewDense(sys.n, sys.m, nil)}
	quadratic := slices.Clone(norm2)
	for i, s := range sys.s {
		if leverage[i] > 1-leverageRounding {
			return nil, undetermined(i)
		}
		p.DOF += leverage[i]
		for c, e := range residuals.RawRowView(i) {
			p.LOOResiduals.Set(i, c, e/(1-leverage[i]))
			quadratic[c] += s * s * e * e / ridge
		}
		if s > 0 {
			logDet -= 2 * math.Log(s)
		}
	}
	p.LOO = measure(sys.y, p.LOOResiduals, weights)
	n := float64(sys.active)
	p.GCV = p.Train.MSE() / math.Pow(1-p.DOF/n, 2)
	if ridge > 0 {
		logDet += (n - float64(dim)) * math.Log(ridge)
		if sys.intercept {
			logDet += math.Log(sys.total / ridge)
		}
		p.Evidence, p.ProfiledEvidence = sys.evidence(quadratic, logDet)
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
