package krr

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// sectioned is a kernel whose features are sections of another kernel k at a few points C,
// φ(x) = L⁻¹k(C, x) with LLᵀ = K_CC.
type sectioned[T any] interface {
	kernel.Mapped[T]
	Factor() *linalg.Cholesky
	// Sections returns the matrix of the k(xᵢ, cⱼ).
	Sections(xs data.Set[T], o compute.Options) *gram.Tall
}

// refineTo is the relative residual to which a solution is refined.
const refineTo = 1e-12

// sections is the primal problem of such a kernel. With Z = K_XC less its weighted mean z̄,
//
//	H w = L⁻¹ZᵀW(y − ȳ),  H = L⁻¹ZᵀWZL⁻ᵀ + R·I.
//
// L⁻¹ is applied to the sum ZᵀWZ and not to every row, which takes half of the flops, and
// amplifies its rounding by up to the condition of K_CC. The factor of this H therefore
// solves by refinement, w ← w + H⁻¹(b − Hw): a step is one pass over the rows, which applies
// L⁻¹ to their sum alone, gives their residuals y − f(x) − b, and certifies w. Where rows are
// very many the factor is that of a sample of them, and H⁻¹ stands for conjugate gradients:
// see [sections.sampled].
type sections struct {
	*job
	k    *gram.Tall                   // K_XC
	of   func(drawn []int) *gram.Tall // rows of it
	l    *linalg.Cholesky             // of K_CC
	ybar []float64
	mean *mat.VecDense    // z̄
	h    *linalg.Cholesky // of H, or of what a sample shows of it
	b    *mat.Dense       // L⁻¹ZᵀW(y − ȳ)
	left *mat.Dense       // y − f(x) − b of the rows

	sample int // rows of Ĥ; 0: all are summed
}

// sectionsOf binds the rows, and chooses the way: what o says of a sample, or the times of both.
func sectionsOf[T any](k sectioned[T], xs data.Set[T], targets int, o Options) *sections {
	how := o.Compute
	how.Precision = compute.Double
	s := &sections{k: k.Sections(xs, how), l: k.Factor(), sample: max(o.sample, 0),
		of: func(drawn []int) *gram.Tall { return k.Sections(data.Subset(xs, drawn), how) }}
	if o.sample == 0 {
		s.sample = s.times(targets).size(s.l.Condition())
	}
	return s
}

// times are those of both ways.
func (s *sections) times(targets int) sampling {
	n, m := s.k.Dims()
	return sampling{n, m, targets, s.k.Cost()}
}

// stable reports whether rounding of ZᵀWZ, which is u‖ZᵀWZ‖/√m for m random signs and which
// L⁻¹ amplifies by 1/λ_min(K_CC), is small beside the ridge, so that refinement converges;
// ‖ZᵀWZ‖ is (N/m)‖K_CC‖² where the landmarks are like the rows.
func stable(l *linalg.Cholesky, total, ridge float64) bool {
	m := float64(l.Dim())
	return ridge > 0 && 0x1p-52*total/m*l.Norm()*l.Condition()/math.Sqrt(m) <= ridge/4
}

// sectionsTo is the residual above which a solution by moments is not taken.
const sectionsTo = 1e-10

// fitSections solves the problem of a kernel of sections. It returns nil where that is not
// exact enough, and the reason if that was found only by trying.
func fitSections[T any](ctx context.Context, j *job, k sectioned[T], xs data.Set[T], ybar []float64) (f model.Predictor[T], reason string, err error) {
	s := sectionsOf(k, xs, j.sys.m, *j.o)
	s.job, s.ybar = j, ybar
	if !stable(s.l, s.sys.total, s.report.Ridge) {
		return nil, "", nil
	}
	w, bias, reason, err := s.solve(ctx)
	if err != nil || reason != "" {
		return nil, reason, err
	}
	j.report.Norm2, j.report.Train = squares(w), measure(j.sys.y, s.left, j.sys.weights())
	return &model.Primal[T]{Kernel: k, W: w, Bias: bias, Like: xs.At(0)}, "", nil
}

// solve returns w and the intercepts, or the reason why this way is not exact enough.
func (s *sections) solve(ctx context.Context) (w *mat.Dense, bias []float64, reason string, err error) {
	s.left = mat.NewDense(s.sys.n, s.sys.m, nil)
	if s.report.Sample = s.sample; s.sample > 0 {
		if w, bias, reason, err = s.sampled(ctx); reason == "" || err != nil {
			return w, bias, "", err
		}
		s.report.Warn("the factor of a sample of %d rows does not lead to the solution for all: %s; that of all is made instead", s.report.Sample, reason)
		s.report.Sample, s.report.Iterations, s.report.SingleProducts = 0, 0, 0
	}
	if reason, err = s.whole(ctx); err != nil || reason != "" {
		return nil, nil, reason, err
	}
	s.watch.Lap(&s.report.Run, "moments")
	w = mat.NewDense(s.l.Dim(), s.sys.m, nil)
	bias, reason, err = s.refine(ctx, w, mat.DenseCopyOf(s.b), refineTo, 0.5, func(step, rest *mat.Dense, _ float64) error { return s.h.Solve(ctx, step, rest) })
	return w, bias, reason, err
}

// refine repeats w ← w + step until rest, which is b − Hw, is as small as wanted, or more than a
// share of it is left of the last. correct makes a step for a rest and its share of b.
func (s *sections) refine(ctx context.Context, w, rest *mat.Dense, to, share float64, correct func(step, rest *mat.Dense, share float64) error) (bias []float64, reason string, err error) {
	r, step := s.report, new(mat.Dense)
	for last := largestShare(rest, s.b); ; last = r.Residual {
		if err := correct(step, rest, last); err != nil {
			return nil, "", err
		}
		w.Add(w, step)
		if bias, err = s.rest(ctx, rest, w); err != nil {
			return nil, "", err
		}
		r.Iterations++
		if r.Residual = largestShare(rest, s.b); r.Residual <= to || !(r.Residual <= share*last) {
			break
		}
	}
	s.watch.Lap(&r.Run, "solve")
	if !(r.Residual <= sectionsTo) {
		return nil, fmt.Sprintf("after %d steps of refinement the residual is %.1e, not %g", r.Iterations, r.Residual, sectionsTo), nil
	}
	r.Refined, r.Condition = r.Iterations > 1, s.h.Condition()
	return bias, "", s.judgeCondition()
}

// whole makes b, z̄ and the factor of H from the moments of all rows.
func (s *sections) whole(ctx context.Context) (reason string, err error) {
	second, first, err := s.k.Moments(ctx, s.sys.weights(), s.targets())
	if err != nil {
		return "", err
	}
	if err := s.sides(ctx, first); err != nil {
		return "", err
	}
	second.SymRankOne(second, -s.sys.total, s.mean)
	return s.factor(ctx, second)
}

// targets are y − ȳ, and 1 where there is an intercept.
func (s *sections) targets() *mat.Dense {
	sys := s.sys
	out := mat.NewDense(sys.n, sys.columns(), nil)
	for i := range sys.n {
		row := out.RawRowView(i)
		for c, v := range sys.y.RawRowView(i) {
			row[c] = v - s.ybar[c]
		}
		if sys.intercept {
			row[sys.m] = 1
		}
	}
	return out
}

// sides sets b and z̄ from K_XCᵀW times the targets.
func (s *sections) sides(ctx context.Context, first *mat.Dense) error {
	m := s.l.Dim()
	s.b, s.mean = mat.DenseCopyOf(first.Slice(0, m, 0, s.sys.m)), mat.NewVecDense(m, nil)
	if s.sys.intercept {
		s.mean.ScaleVec(1/s.sys.total, first.ColView(s.sys.m))
	}
	return s.whiten(ctx, s.b)
}

// factor makes that of H from ZᵀWZ, or the reason why it has none.
func (s *sections) factor(ctx context.Context, second *mat.SymDense) (reason string, err error) {
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
	s.h, err = linalg.Factor(ctx, second, s.report.Ridge, linalgOptions(s.o.Compute))
	var indefinite *linalg.NotPositiveDefinite
	if errors.As(err, &indefinite) {
		return fmt.Sprintf("the factorization broke down at feature %d, whose pivot is %.3g", indefinite.Pivot, indefinite.Value), nil
	}
	return "", err
}

// rest stores b − Hw, keeps the residuals of the rows, and returns the intercepts ȳ − z̄ᵀβ.
func (s *sections) rest(ctx context.Context, dst, w *mat.Dense) (bias []float64, err error) {
	beta, bias, err := s.expand(ctx, w)
	if err != nil {
		return nil, err
	}
	for c, shift := range bias {
		bias[c] = s.ybar[c] - shift
	}
	if err := s.gather(ctx, s.k, dst, beta, func(row int, u, g []float64) {
		weight, left := s.sys.s[row]*s.sys.s[row], s.left.RawRowView(row)
		for c, v := range s.sys.y.RawRowView(row) {
			left[c] = v - bias[c] - u[c]
			g[c] = weight * left[c]
		}
	}); err != nil {
		return nil, err
	}
	addScaled(dst, -s.report.Ridge, w)
	return bias, nil
}

// expand returns β = L⁻ᵀw and z̄ᵀβ.
func (s *sections) expand(ctx context.Context, w *mat.Dense) (beta *mat.Dense, shift []float64, err error) {
	rows := mat.DenseCopyOf(w.T())
	if err := s.l.Unwhiten(ctx, rows); err != nil {
		return nil, nil, err
	}
	beta, shift = mat.DenseCopyOf(rows.T()), make([]float64, s.sys.m)
	for c := range shift {
		shift[c] = mat.Dot(s.mean, beta.ColView(c))
	}
	return beta, shift, nil
}

// gather stores L⁻¹KᵀG in dst, where each makes a row of G from that of U = Kβ: one pass over k.
func (s *sections) gather(ctx context.Context, k *gram.Tall, dst, beta *mat.Dense, each func(row int, u, g []float64)) error {
	if err := k.Fold(ctx, dst, beta, func(_, row int, u, g blas64.General) {
		for i := range g.Rows {
			each(row+i, u.Data[i*u.Stride:][:u.Cols], g.Data[i*g.Stride:][:g.Cols])
		}
	}); err != nil {
		return err
	}
	return s.whiten(ctx, dst)
}

// addScaled adds a·x to dst.
func addScaled(dst *mat.Dense, a float64, x *mat.Dense) {
	dst.Apply(func(i, j int, v float64) float64 { return v + a*x.At(i, j) }, dst)
}

// whiten replaces x by L⁻¹x.
func (s *sections) whiten(ctx context.Context, x *mat.Dense) error {
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
