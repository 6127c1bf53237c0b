package space

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// onLandmarks is a kernel whose features are columns of another kernel k at landmarks C,
// φ(x) = L⁻¹k(C, x) with LLᵀ = K_CC.
type onLandmarks[T any] interface {
	kernel.Mapped[T]
	Factor() *linalg.Cholesky
	// Sections returns the matrix of the k(xᵢ, cⱼ).
	Sections(xs data.Set[T], o compute.Options) *gram.TallSkinny
	// Expand returns functions of features as expansions on the landmarks, which cost less to
	// evaluate.
	Expand(ctx context.Context, w *mat.Dense, bias []float64) (*model.Expansion[T], error)
}

// landmarks are those of a [Primal] whose features are kernel columns.
type landmarks struct {
	l      *linalg.Cholesky // of K_CC
	sample int              // see [Options.Sample]
	// columns returns K_XC, the rows that were drawn or, for nil, all.
	columns func(drawn []int) *gram.TallSkinny
	// values returns f(xᵢ) + b from an expansion on the landmarks.
	values func(ctx context.Context, w *mat.Dense, bias []float64) (*mat.Dense, error)
}

// landmarksOf binds the rows.
func landmarksOf[T any](k onLandmarks[T], xs data.Set[T], o Options) *landmarks {
	how := o.double()
	return &landmarks{l: k.Factor(), sample: o.Sample,
		columns: func(drawn []int) *gram.TallSkinny {
			if drawn == nil {
				return k.Sections(xs, how)
			}
			return k.Sections(data.Subset(xs, drawn), how)
		},
		values: func(ctx context.Context, w *mat.Dense, bias []float64) (*mat.Dense, error) {
			f, err := k.Expand(ctx, w, bias)
			if err != nil {
				return nil, err
			}
			values := mat.NewDense(xs.Len(), len(bias), nil)
			for from := 0; from < xs.Len(); from += expandedRows {
				to := min(from+expandedRows, xs.Len())
				if err := f.PredictInto(ctx, values.Slice(from, to, 0, len(bias)).(*mat.Dense), data.Run(xs, from, to), how); err != nil {
					return nil, err
				}
			}
			return values, nil
		}}
}

// expandedRows is the number of rows that an expansion is evaluated on at a time: they may be in a
// file.
const expandedRows = 4096

// landmarkEquations are the normal equations of such features. With Z = K_XC less its weighted
// mean z̄ and the weights V they are H w = L⁻¹ZᵀV(t − t̄), H = L⁻¹ZᵀVZL⁻ᵀ + R·I.
//
//  1. Sum up ZᵀVZ in one pass, apply L⁻¹ to the sum from both sides, and factor H. Where rows are
//     very many the factor is that of a sample of them, see [landmarkEquations.sampled].
//  2. Refine, w ← w + H⁻¹(b − Hw). A step is one pass over the rows, which applies L⁻¹ to their
//     sum alone, gives their residuals t − f(x) − b, and certifies w. With a sample H⁻¹ stands
//     for conjugate gradients.
//
// Why: L⁻¹ applied to the sum and not to every row takes half of the flops. It amplifies the
// rounding of the sum by up to the condition of K_CC, which the refinement makes good.
type landmarkEquations struct {
	*landmarks
	g     *Regression
	q     *Quality
	o     compute.Options
	watch *model.Stopwatch
	k     *gram.TallSkinny // K_XC
	y     *mat.Dense       // t
	v     []float64
	total float64          // Σ vᵢ
	mean  *mat.VecDense    // z̄
	h     *linalg.Cholesky // of H, or of what a sample shows of it
	b     *mat.Dense       // L⁻¹ZᵀV(t − t̄)
	left  *mat.Dense       // t − f(x) − b of the rows
}

// regress solves the normal equations on landmarks, where that is exact enough.
func (s *Primal) regress(ctx context.Context, g *Regression, o compute.Options) (done bool, err error) {
	if s.on == nil || !stable(s.on.l, floats.Sum(g.v), g.ridge.R) {
		return false, nil
	}
	n, _ := s.Dims()
	e := &landmarkEquations{landmarks: s.on, g: g, q: &g.Quality, o: o, watch: model.NewStopwatch(), v: g.v, total: floats.Sum(g.v),
		k: s.on.columns(nil), y: mat.NewDense(n, g.targets.Columns, nil), left: mat.NewDense(n, g.targets.Columns, nil)}
	e.q.Precision = compute.Double.String()
	for i := range n {
		if err := g.targets.Row(e.y.RawRowView(i), i); err != nil {
			return false, err
		}
	}
	w, bias, reason, err := e.solve(ctx)
	if err != nil {
		return false, err
	}
	if reason != "" {
		e.q.Warn("moments of the kernel values are not exact enough: %s; those of the features, which take twice the time, are used instead", reason)
		e.q.Iterations = 0
		return false, nil
	}
	g.Theta, g.Bias, g.left = w, bias, e.left
	g.origin = slices.Clone(bias)
	floats.Sub(g.origin, g.mean)
	return true, nil
}

// residuals are computed from an expansion on landmarks.
func (s *Primal) residuals(ctx context.Context, g *Regression, _ compute.Options) (*mat.Dense, error) {
	if s.on == nil {
		return nil, nil
	}
	left, err := s.on.values(ctx, g.Theta, g.Bias)
	if err != nil {
		return nil, err
	}
	row := make([]float64, g.targets.Columns)
	for i := range g.v {
		if err := g.targets.Row(row, i); err != nil {
			return nil, err
		}
		floats.SubTo(left.RawRowView(i), row, left.RawRowView(i))
	}
	return left, nil
}

// rowsToSample chooses the number of rows whose factor stands for that of all: what is asked for,
// or by the times of both ways; 0: all rows are summed.
func (s *landmarks) rowsToSample(targets int) int {
	if s.sample != 0 {
		return max(s.sample, 0)
	}
	return s.times(targets).size(s.l.Condition())
}

// times are those of both ways.
func (s *landmarks) times(targets int) sampling {
	k := s.columns(nil)
	n, m := k.Dims()
	return sampling{n, m, targets, k.Cost()}
}

// stable reports whether rounding of ZᵀVZ, which is u‖ZᵀVZ‖/√m for m random signs and which
// L⁻¹ amplifies by 1/λ_min(K_CC), is small beside the ridge, so that refinement converges;
// ‖ZᵀVZ‖ is (N/m)‖K_CC‖² where the landmarks are like the rows.
func stable(l *linalg.Cholesky, total, ridge float64) bool {
	m := float64(l.Dim())
	return ridge > 0 && 0x1p-52*total/m*l.Norm()*l.Condition()/math.Sqrt(m) <= ridge/4
}

// momentsTo is the residual above which a solution by moments of kernel values is not taken.
const momentsTo = 1e-10

// solve returns w and the constants, or the reason why this way is not exact enough.
func (s *landmarkEquations) solve(ctx context.Context) (w *mat.Dense, bias []float64, reason string, err error) {
	if s.q.Sample = s.rowsToSample(s.g.targets.Columns); s.q.Sample > 0 {
		if w, bias, reason, err = s.sampled(ctx); reason == "" || err != nil {
			return w, bias, "", err
		}
		s.q.Warn("the factor of a sample of %d rows does not lead to the solution for all: %s; that of all is made instead", s.q.Sample, reason)
		s.q.Sample, s.q.Iterations, s.q.SingleProducts = 0, 0, 0
	}
	if reason, err = s.whole(ctx); err != nil || reason != "" {
		return nil, nil, reason, err
	}
	s.watch.Lap(&s.q.Run, "moments")
	w = mat.NewDense(s.l.Dim(), s.g.targets.Columns, nil)
	bias, reason, err = s.refine(ctx, w, mat.DenseCopyOf(s.b), refineTo, 0.5, func(step, rest *mat.Dense, _ float64) error { return s.h.Solve(ctx, step, rest) })
	return w, bias, reason, err
}

// refine repeats w ← w + step until rest, which is b − Hw, is as small as wanted, or more than a
// share of it is left of the last. correct makes a step for a rest and its share of b.
func (s *landmarkEquations) refine(ctx context.Context, w, rest *mat.Dense, to, share float64, correct func(step, rest *mat.Dense, share float64) error) (bias []float64, reason string, err error) {
	q, step := s.q, new(mat.Dense)
	for last := largestShare(rest, s.b); ; last = q.Residual {
		if err := correct(step, rest, last); err != nil {
			return nil, "", err
		}
		w.Add(w, step)
		if bias, err = s.rest(ctx, rest, w); err != nil {
			return nil, "", err
		}
		q.Iterations++
		if q.Residual = largestShare(rest, s.b); q.Residual <= to || !(q.Residual <= share*last) {
			break
		}
	}
	s.watch.Lap(&q.Run, "solve")
	if !(q.Residual <= momentsTo) {
		return nil, fmt.Sprintf("after %d steps of refinement the residual is %.1e, not %g", q.Iterations, q.Residual, momentsTo), nil
	}
	q.Refined, q.Condition = q.Iterations > 1, s.h.Condition()
	return bias, "", nil
}

// whole makes b, z̄ and the factor of H from the moments of all rows.
func (s *landmarkEquations) whole(ctx context.Context) (reason string, err error) {
	second, first, err := s.k.Moments(ctx, s.g.ridge.Weights, s.targets())
	if err != nil {
		return "", err
	}
	if err := s.sides(ctx, first); err != nil {
		return "", err
	}
	second.SymRankOne(second, -s.total, s.mean)
	return s.factor(ctx, second)
}

// targets are y − ȳ, and 1 where there is an intercept.
func (s *landmarkEquations) targets() *mat.Dense {
	out := mat.NewDense(len(s.v), s.outputs(), nil)
	for i := range s.v {
		row := out.RawRowView(i)
		row[len(row)-1] = 1 // overwritten where there is no constant
		for c, v := range s.y.RawRowView(i) {
			row[c] = v - s.g.mean[c]
		}
	}
	return out
}

// outputs is the number of columns of the targets, with the constant.
func (s *landmarkEquations) outputs() int {
	if s.g.ridge.Constant {
		return s.g.targets.Columns + 1
	}
	return s.g.targets.Columns
}

// sides sets b and z̄ from K_XCᵀW times the targets.
func (s *landmarkEquations) sides(ctx context.Context, first *mat.Dense) error {
	m := s.l.Dim()
	s.b, s.mean = mat.DenseCopyOf(first.Slice(0, m, 0, s.g.targets.Columns)), mat.NewVecDense(m, nil)
	if s.g.ridge.Constant {
		s.mean.ScaleVec(1/s.total, first.ColView(s.g.targets.Columns))
	}
	return s.whiten(ctx, s.b)
}

// factor makes that of H from ZᵀWZ, or the reason why it has none.
func (s *landmarkEquations) factor(ctx context.Context, second *mat.SymDense) (reason string, err error) {
	whole := mat.DenseCopyOf(second)
	if err := s.l.Whiten(ctx, whole); err != nil {
		return "", err
	}
	if err := s.whiten(ctx, whole); err != nil {
		return "", err
	}
	for i := range second.SymmetricDim() {
		for j := i; j < second.SymmetricDim(); j++ {
			second.SetSym(i, j, whole.At(i, j))
		}
	}
	s.h, err = linalg.Factor(ctx, second, s.g.ridge.R, linalg.Options{Workers: s.o.Workers, Progress: s.o.Progress})
	var indefinite *linalg.NotPositiveDefinite
	if errors.As(err, &indefinite) {
		return fmt.Sprintf("the factorization broke down at feature %d, whose pivot is %.3g", indefinite.Pivot, indefinite.Value), nil
	}
	return "", err
}

// rest stores b − Hw, keeps the residuals of the rows, and returns the intercepts ȳ − z̄ᵀβ.
func (s *landmarkEquations) rest(ctx context.Context, dst, w *mat.Dense) (bias []float64, err error) {
	beta, bias, err := s.expand(ctx, w)
	if err != nil {
		return nil, err
	}
	for c, shift := range bias {
		bias[c] = s.g.mean[c] - shift
	}
	if err := s.gather(ctx, s.k, dst, beta, func(row int, u, g []float64) {
		weight, left := s.v[row], s.left.RawRowView(row)
		for c, v := range s.y.RawRowView(row) {
			left[c] = v - bias[c] - u[c]
			g[c] = weight * left[c]
		}
	}); err != nil {
		return nil, err
	}
	addScaled(dst, -s.g.ridge.R, w)
	return bias, nil
}

// expand returns β = L⁻ᵀw and z̄ᵀβ.
func (s *landmarkEquations) expand(ctx context.Context, w *mat.Dense) (beta *mat.Dense, shift []float64, err error) {
	rows := mat.DenseCopyOf(w.T())
	if err := s.l.Unwhiten(ctx, rows); err != nil {
		return nil, nil, err
	}
	beta, shift = mat.DenseCopyOf(rows.T()), make([]float64, s.g.targets.Columns)
	for c := range shift {
		shift[c] = mat.Dot(s.mean, beta.ColView(c))
	}
	return beta, shift, nil
}

// gather stores L⁻¹KᵀG in dst, where each makes a row of G from that of U = Kβ: one pass over k.
func (s *landmarkEquations) gather(ctx context.Context, k *gram.TallSkinny, dst, beta *mat.Dense, each func(row int, u, g []float64)) error {
	if err := k.Fold(ctx, dst, beta, func(_, row int, u, g blas64.General) {
		for i := range g.Rows {
			each(row+i, u.Data[i*u.Stride:][:u.Cols], g.Data[i*g.Stride:][:g.Cols])
		}
	}); err != nil {
		return err
	}
	return s.whiten(ctx, dst)
}

// whiten replaces x by L⁻¹x.
func (s *landmarkEquations) whiten(ctx context.Context, x *mat.Dense) error {
	rows := mat.DenseCopyOf(x.T())
	if err := s.l.Whiten(ctx, rows); err != nil {
		return err
	}
	x.Copy(rows.T())
	return nil
}

// largestShare returns the largest ‖rest‖/‖b‖ of a column; a column b = 0 counts as met.
func largestShare(rest, b *mat.Dense) float64 {
	worst := 0.0
	for c := range rest.RawMatrix().Cols {
		if size := mat.Norm(b.ColView(c), 2); size > 0 {
			worst = max(worst, mat.Norm(rest.ColView(c), 2)/size)
		}
	}
	return worst
}
