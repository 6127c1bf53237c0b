package krr

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
	"mercer/model"
)

// sectioned is a kernel whose features are sections of another kernel k at a few points C,
// φ(x) = L⁻¹k(C, x) with LLᵀ = K_CC.
type sectioned[T any] interface {
	kernel.Mapped[T]
	Factor() *linalg.Cholesky
	// Sections returns the matrix of the k(xᵢ, cⱼ).
	Sections(xs data.Set[T], o gram.Options) *gram.Tall
}

// sections is the primal problem of such a kernel. With Z = K_XC less its weighted mean z̄,
//
//	H w = L⁻¹ZᵀW(y − ȳ),  H = L⁻¹ZᵀWZL⁻ᵀ + R·I.
//
// L⁻¹ is applied to the sum ZᵀWZ and not to every row, which takes half of the flops, and
// amplifies its rounding by up to the condition of K_CC. The factor of this H therefore
// solves by refinement, w ← w + H⁻¹(b − Hw): a step is one pass over the rows, which applies
// L⁻¹ to their sum alone, gives their residuals y − f(x) − b, and certifies w.
type sections struct {
	*job
	k    *gram.Tall       // K_XC
	l    *linalg.Cholesky // of K_CC
	ybar []float64
	mean *mat.VecDense // z̄
	h    *linalg.Cholesky
	b    *mat.Dense // L⁻¹ZᵀW(y − ȳ)
	left *mat.Dense // y − f(x) − b of the rows
}

// stable reports whether rounding of ZᵀWZ, which is u‖ZᵀWZ‖/√m for m random signs and which
// L⁻¹ amplifies by 1/λ_min(K_CC), is small beside the ridge, so that refinement converges;
// ‖ZᵀWZ‖ is (N/m)‖K_CC‖² where the landmarks are like the rows.
func (s *sections) stable() bool {
	m := float64(s.l.Dim())
	return 0x1p-52*s.sys.total/m*s.l.Norm()*s.l.Condition()/math.Sqrt(m) <= s.report.Ridge/4
}

// sectionsTo is the residual above which a solution by moments is not taken.
const sectionsTo = 1e-10

// fitSections solves the problem of a kernel of sections. It returns nil where that is not
// exact enough, and the reason if that was found only by trying.
func fitSections[T any](ctx context.Context, j *job, k sectioned[T], xs data.Set[T], ybar []float64) (f model.Predictor[T], reason string, err error) {
	s := &sections{job: j, k: k.Sections(xs, j.double()), l: k.Factor(), ybar: ybar}
	if !s.stable() {
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
	r := s.report
	if reason, err = s.factor(ctx); err != nil || reason != "" {
		return nil, nil, reason, err
	}
	s.watch.Lap(&r.Run, "moments")
	w, s.left = mat.NewDense(s.b.RawMatrix().Rows, s.sys.m, nil), mat.NewDense(s.sys.n, s.sys.m, nil)
	rest, step := mat.DenseCopyOf(s.b), new(mat.Dense)
	for last := 1.0; ; last = r.Residual {
		if err := s.h.Solve(ctx, step, rest); err != nil {
			return nil, nil, "", err
		}
		w.Add(w, step)
		if bias, err = s.rest(ctx, rest, w); err != nil {
			return nil, nil, "", err
		}
		r.Iterations++
		if r.Residual = largestShare(rest, s.b); r.Residual <= refineTo || !(r.Residual <= last/2) {
			break
		}
	}
	s.watch.Lap(&r.Run, "solve")
	if !(r.Residual <= sectionsTo) {
		return nil, nil, fmt.Sprintf("after %d steps of refinement the residual is %.1e, not %g", r.Iterations, r.Residual, sectionsTo), nil
	}
	r.Refined, r.Condition = r.Iterations > 1, s.h.Condition()
	return w, bias, "", s.judgeCondition()
}

// factor makes b, z̄ and the factor of H from the moments of the rows.
func (s *sections) factor(ctx context.Context) (reason string, err error) {
	sys := s.sys
	targets := mat.NewDense(sys.n, sys.m+1, nil)
	for i := range sys.n {
		row := targets.RawRowView(i)
		for c, v := range sys.y.RawRowView(i) {
			row[c] = v - s.ybar[c]
		}
		row[sys.m] = 1
	}
	second, first, err := s.k.Moments(ctx, sys.weights(), targets)
	if err != nil {
		return "", err
	}
	m := second.SymmetricDim()
	s.b, s.mean = mat.DenseCopyOf(first.Slice(0, m, 0, sys.m)), mat.NewVecDense(m, nil)
	if sys.intercept {
		s.mean.ScaleVec(1/sys.total, first.ColView(sys.m))
		second.SymRankOne(second, -sys.total, s.mean)
	}
	if err := s.whiten(ctx, s.b); err != nil {
		return "", err
	}
	whole := mat.DenseCopyOf(second)
	if err := s.l.Whiten(ctx, whole); err != nil {
		return "", err
	}
	if err := s.whiten(ctx, whole); err != nil {
		return "", err
	}
	for i := range m {
		for j := i; j < m; j++ {
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

// rest stores b − Hw, keeps the residuals of the rows, and returns the intercepts ȳ − z̄ᵀβ,
// β = L⁻ᵀw.
func (s *sections) rest(ctx context.Context, dst, w *mat.Dense) (bias []float64, err error) {
	sys := s.sys
	rows := mat.DenseCopyOf(w.T())
	if err := s.l.Unwhiten(ctx, rows); err != nil {
		return nil, err
	}
	beta := mat.DenseCopyOf(rows.T())
	bias = make([]float64, sys.m)
	for c := range bias {
		bias[c] = s.ybar[c] - mat.Dot(s.mean, beta.ColView(c))
	}
	err = s.k.Fold(ctx, dst, beta, func(_, row int, u, g blas64.General) {
		for i := range u.Rows {
			weight, left := sys.s[row+i]*sys.s[row+i], s.left.RawRowView(row+i)
			for c, v := range sys.y.RawRowView(row + i) {
				left[c] = v - bias[c] - u.Data[i*u.Stride+c]
				g.Data[i*g.Stride+c] = weight * left[c]
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if err := s.whiten(ctx, dst); err != nil {
		return nil, err
	}
	ridge := s.report.Ridge
	dst.Apply(func(i, c int, v float64) float64 { return v - ridge*w.At(i, c) }, dst)
	return bias, nil
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
