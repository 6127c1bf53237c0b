package krr

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// Criterion is a number to minimise over λ and the parameters of a kernel.
type Criterion string

const (
	// LOO is the exact leave-one-out mean squared error, averaged over the targets.
	LOO Criterion = "loo"
	// GCV is generalised cross-validation, [Point.GCV].
	GCV Criterion = "gcv"
	// Evidence is the negative of [Point.ProfiledEvidence].
	Evidence Criterion = "evidence"
)

// Criteria are all of them.
var Criteria = []Criterion{LOO, GCV, Evidence}

// Of returns the value of the criterion at p; smaller is better.
func (c Criterion) Of(p *Point) float64 {
	switch c {
	case LOO:
		return p.LOO.MSE()
	case GCV:
		return p.GCV
	case Evidence:
		return -p.ProfiledEvidence
	}
	return math.NaN()
}

// Check returns an error unless c is one of [Criteria].
func (c Criterion) Check() error {
	if !slices.Contains(Criteria, c) {
		return fmt.Errorf("krr: criterion %q is not known; one of %q is", c, Criteria)
	}
	return nil
}

// Sensitivity is the derivative of a criterion: its first-order change is
// Σᵢⱼ DK[i,j]·dKᵢⱼ + DRidge·dR.
type Sensitivity struct {
	Point  *Point
	Value  float64
	DK     *mat.SymDense // ∂value/∂K; with kernel.Contract it gives ∂value/∂θ
	DRidge float64       // ∂value/∂R, R = Nλ
}

// FewLambdas is the number of λ up to which a factorization for each of them ([PointAt]) takes less
// time than the decomposition of a [Path], which serves all: that takes about fifteen times as many
// multiplications, half of them with a vector.
const FewLambdas = 6

// PointAt is [Path.AtRidge] by one Cholesky factorization instead of a decomposition:
// 2n³/3 multiplications, all of them in matrix products, against about 10n³. It
// overwrites k, of which only the upper triangle is read.
func PointAt(ctx context.Context, k *mat.SymDense, y *mat.Dense, ridge float64, o PathOptions) (*Point, error) {
	e, err := newEvaluation(ctx, k, y, ridge, o)
	if err != nil {
		return nil, err
	}
	diag := make([]float64, e.sys.n)
	if err := e.factor.InverseDiag(ctx, diag); err != nil {
		return nil, err
	}
	return e.point(ridge, diag)
}

// evaluation is a factored system and its solution.
type evaluation struct {
	sys     *system
	factor  *linalg.Cholesky
	x       *mat.Dense // M⁻¹[s s∘y]
	outside func(*mat.Dense) (*mat.Dense, error)
}

func newEvaluation(ctx context.Context, k *mat.SymDense, y *mat.Dense, ridge float64, o PathOptions) (*evaluation, error) {
	whole := Options{Ridge: ridge, NoIntercept: o.NoIntercept, Weights: o.Weights}
	if err := whole.Check(k.SymmetricDim(), y); err != nil {
		return nil, err
	}
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	e := &evaluation{sys: sys, x: new(mat.Dense), outside: sys.outsideRows(k)}
	sys.scale(k)
	var err error
	if e.factor, err = linalg.FactorDiag(ctx, k, sys.shift(ridge), linalgOptions(o.Compute)); err != nil {
		j := job{report: &Report{Ridge: ridge, Lambda: ridge / sys.total}}
		return nil, j.notDefinite(err)
	}
	return e, e.factor.Solve(ctx, e.x, sys.rhs())
}

func (e *evaluation) point(ridge float64, inverseDiag []float64) (*Point, error) {
	return e.sys.point(ridge, e.x, inverseDiag, e.factor.LogDet(), e.outside)
}

// outsideRows copies the rows of K that have weight zero before K is scaled, and
// returns the function that multiplies them with α.
func (sys *system) outsideRows(k *mat.SymDense) func(*mat.Dense) (*mat.Dense, error) {
	rows := map[int][]float64{}
	for i, s := range sys.s {
		if s == 0 {
			rows[i] = mat.Row(nil, i, k)
		}
	}
	return func(coef *mat.Dense) (*mat.Dense, error) {
		f := mat.NewDense(sys.n, sys.m, nil)
		for i, row := range rows {
			for c := range sys.m {
				f.Set(i, c, mat.Dot(mat.NewVecDense(sys.n, row), coef.ColView(c)))
			}
		}
		return f, nil
	}
}

// Gradient returns a criterion at the ridge R and its derivative in every element of
// K and in R. It overwrites k, of which only the upper triangle is read; 2n³
// multiplications and 2·8n² bytes more.
//
// In the coordinates of the package comment, with C = M⁻¹ − M⁻¹ssᵀM⁻¹/(sᵀM⁻¹s):
// dC = −C·dM·C and dβ = −C·dM·β, so a criterion that depends on K through β and the
// diagonal of C has the derivative C·D·C − ½(vβᵀ + βvᵀ), v = C·q, with a diagonal D
// and a vector q; dM = diag(s)·dK·diag(s) + dR·I.
func Gradient(ctx context.Context, k *mat.SymDense, y *mat.Dense, ridge float64, c Criterion, o PathOptions) (*Sensitivity, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	e, err := newEvaluation(ctx, k, y, ridge, o)
	if err != nil {
		return nil, err
	}
	inverse, err := e.factor.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	n := e.sys.n
	diag := make([]float64, n)
	for i := range diag {
		diag[i] = inverse.At(i, i)
	}
	s := &Sensitivity{}
	if s.Point, err = e.point(ridge, diag); err != nil {
		return nil, err
	}
	s.Value = c.Of(s.Point)
	beta, full := e.bordered(inverse)
	g := mat.NewSymDense(n, nil)
	if c == Evidence {
		e.evidenceGradient(g, full, beta)
	} else if err := e.errorGradient(ctx, g, full, beta, c); err != nil {
		return nil, err
	}
	for i, w := range e.sys.s {
		if w > 0 {
			s.DRidge += g.At(i, i)
		}
	}
	e.sys.scale(g)
	s.DK = g
	return s, nil
}

// bordered returns β and C, all of its n×n elements, in the storage of M⁻¹.
func (e *evaluation) bordered(inverse *mat.SymDense) (beta *mat.Dense, c blas64.General) {
	beta, _, u, su := e.sys.border(e.x)
	raw := inverse.RawSymmetric()
	if e.sys.intercept {
		blas64.Syr(-1/su, blas64.Vector{N: len(u), Inc: 1, Data: u}, raw)
	}
	c = blas64.General{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}
	for i := range c.Rows {
		for j := range i {
			c.Data[i*c.Stride+j] = c.Data[j*c.Stride+i]
		}
	}
	return beta, c
}

// evidenceGradient stores (m/2)·C − ½Σ (ν/yᵀCy)·ββᵀ in g.
func (e *evaluation) evidenceGradient(g *mat.SymDense, c blas64.General, beta *mat.Dense) {
	sys, raw := e.sys, g.RawSymmetric()
	for i := range sys.n {
		for j := i; j < sys.n; j++ {
			raw.Data[i*raw.Stride+j] = float64(sys.m) / 2 * c.Data[i*c.Stride+j]
		}
	}
	nu := float64(sys.active)
	if sys.intercept {
		nu--
	}
	for t, q := range sys.quadratic(beta) {
		blas64.Syr(-nu/q/2, beta.ColView(t).(*mat.VecDense).RawVector(), raw)
	}
}

// errorGradient stores C·D·C − ½Σ(vβᵀ + βvᵀ) in g.
//
// LOO is (1/Nm) Σ (β/cᵢ)², cᵢ = Cᵢᵢ: q = 2β/(Nm·cᵢ²), Dᵢ = Σ 2β²/(Nm·cᵢ³).
// GCV is (n²/Nm) Σβ²/T², T = tr C:   q = 2n²β/(Nm·T²), Dᵢ = 2n²Σβ²/(Nm·T³).
func (e *evaluation) errorGradient(ctx context.Context, g *mat.SymDense, c blas64.General, beta *mat.Dense, of Criterion) error {
	sys := e.sys
	d, q := make([]float64, sys.n), mat.NewDense(sys.n, sys.m, nil)
	trace, squares := 0.0, 0.0
	for i, s := range sys.s {
		if s == 0 {
			continue
		}
		trace += c.Data[i*c.Stride+i]
		for _, b := range beta.RawRowView(i) {
			squares += b * b
		}
	}
	scale := 2 / (sys.total * float64(sys.m))
	for i, s := range sys.s {
		if s == 0 {
			continue
		}
		f, ci := scale, c.Data[i*c.Stride+i]
		if of == GCV {
			f, ci = scale*float64(sys.active)*float64(sys.active), trace
			d[i] = f * squares / (ci * ci * ci)
		}
		for t, b := range beta.RawRowView(i) {
			q.Set(i, t, f*b/(ci*ci))
			if of == LOO {
				d[i] += f * b * b / (ci * ci * ci)
			}
		}
	}
	if err := sandwich(ctx, g.RawSymmetric(), c, d); err != nil {
		return err
	}
	v := mat.NewDense(sys.n, sys.m, nil)
	level3.Implementation{}.Gemm(blas.NoTrans, blas.NoTrans, 1, c, q.RawMatrix(), 0, v.RawMatrix())
	for t := range sys.m {
		blas64.Syr2(-0.5, v.ColView(t).(*mat.VecDense).RawVector(), beta.ColView(t).(*mat.VecDense).RawVector(), g.RawSymmetric())
	}
	return nil
}

// sandwichRows is the number of rows of a product computed at a time by [sandwich].
const sandwichRows = 128

// sandwich stores the upper triangle of C·diag(d)·C in g: n³ multiplications and
// additions, in matrix products of rows of blocks.
func sandwich(ctx context.Context, g blas64.Symmetric, c blas64.General, d []float64) error {
	n := g.N
	scaled := blas64.General{Cols: n, Stride: n, Data: make([]float64, min(sandwichRows, n)*n)}
	for from := 0; from < n; from += sandwichRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		scaled.Rows = min(sandwichRows, n-from)
		for i := range scaled.Rows {
			row := c.Data[(from+i)*c.Stride : (from+i)*c.Stride+n]
			for j, v := range row {
				scaled.Data[i*n+j] = v * d[j]
			}
		}
		right := blas64.General{Rows: n, Cols: n - from, Stride: c.Stride, Data: c.Data[from:]}
		out := blas64.General{Rows: scaled.Rows, Cols: n - from, Stride: g.Stride, Data: g.Data[from*g.Stride+from:]}
		level3.Implementation{}.Gemm(blas.NoTrans, blas.NoTrans, 1, scaled, right, 0, out)
	}
	return nil
}
