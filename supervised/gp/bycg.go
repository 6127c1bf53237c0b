package gp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// ByCG is [PosteriorCovariance] by products with K, which is never factored and need not be stored:
// preconditioned conjugate gradients with P = LLᵀ + Σ, L a randomly pivoted Cholesky factor of
// K of rank at most 100 + 4√n ([gram.Preconditioner]), which is kept: 8n·rank bytes. Rows of weight
// zero become rows of the identity. Every row needs noise.
//
// What it returns is certified. With v ≈ A⁻¹k* and the residual r = k* − Av,
//
//	k*ᵀA⁻¹k* = k*ᵀv + rᵀv + rᵀA⁻¹r,   0 ≤ rᵀA⁻¹r ≤ rᵀP⁻¹r,
//
// because A − P is positive semidefinite: the error of a variance is the square of that of
// the solution, and known.
type ByCG struct {
	a         gram.Shifted
	pairs     kernel.Pairs         // single elements of K; nil: none
	pre       *gram.Preconditioner // nil: none
	least     float64              // of the diagonal of A − K, and thus of the eigenvalues of A
	n         int
	u         *mat.Dense // A⁻¹1; nil: the mean is known
	su        float64    // 1ᵀA⁻¹1
	tolerance float64
	compute   compute.Options
}

// residualTolerance is the default of [Options.Tolerance].
const residualTolerance = 1e-10

// iterate makes the operator of A and its preconditioner, on given pivots unless these are
// nil. It says where the elements of K are.
func (o *Options) iterate(ctx context.Context, k gram.Operator, pivots []int) (it *ByCG, storage string, err error) {
	n, _ := k.Dims()
	it = &ByCG{n: n, tolerance: cmp.Or(o.Tolerance, residualTolerance), compute: o.Compute, least: math.Inf(1)}
	it.compute.Precision = compute.Double
	it.a = gram.Shifted{K: gram.Checkpointed(k, o.Compute), Shift: make([]float64, n)}
	if slices.Contains(o.Weights, 0) {
		it.a.Scale = make([]float64, n)
	}
	for i := range n {
		if it.a.Shift[i] = 1; o.on(i) {
			it.a.Shift[i] = o.noise(i) / o.weight(i)
			if it.a.Scale != nil {
				it.a.Scale[i] = 1
			}
		}
		it.least = min(it.least, it.a.Shift[i])
	}
	pairs, ok := k.(interface{ Pairs() kernel.Pairs })
	if !ok {
		return it, "products", nil
	}
	it.pairs, storage = pairs.Pairs(), "matrix"
	if _, stream := k.(*gram.Stream); stream {
		repeated, where, err := gram.CachedOperator(ctx, it.pairs, besideBytes(n, o.Probes), it.compute)
		if err != nil {
			return nil, "", err
		}
		it.a.K, storage = gram.Checkpointed(repeated, o.Compute), where
	}
	if pivots != nil {
		it.pre, err = it.a.PreconditionOn(ctx, it.pairs, pivots, it.compute)
	} else {
		it.pre, err = it.a.Precondition(ctx, it.pairs, gram.PreconditionerRank(n), it.compute)
	}
	return it, storage, err
}

// besideBytes is what is held beside K: the preconditioner, and ten vectors for every
// right-hand side.
func besideBytes(n, probes int) int64 {
	columns := max(cmp.Or(probes, defaultProbes), variancePoints(n))
	return 8 * int64(n) * int64(gram.PreconditionerRank(n)+10*columns)
}

// defaultProbes and probeSeed are those of the evidence. A fixed seed makes it a function
// of the kernel and the noise.
const (
	defaultProbes = 16
	probeSeed     = 1
)

// on reports whether row i has a positive weight.
func (it *ByCG) on(i int) bool { return it.a.Scale == nil || it.a.Scale[i] != 0 }

// preconditioner returns P⁻¹, nil for the identity.
func (it *ByCG) preconditioner() linalg.Operator {
	if it.pre == nil {
		return nil
	}
	return it.pre
}

// solve returns A⁻¹b to a relative residual.
func (it *ByCG) solve(ctx context.Context, b *mat.Dense, tolerance float64) (*mat.Dense, linalg.CGReport, error) {
	x, done, err := linalg.CG(ctx, it.a, b, linalg.CGOptions{Tolerance: tolerance, Preconditioner: it.preconditioner(), Progress: it.compute.Progress, Workers: it.compute.Workers})
	return x, done, it.explain(err)
}

// explain says what to do where the iteration ended too early.
func (it *ByCG) explain(err error) error {
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	var singular *linalg.NotPositiveDefinite
	switch {
	case errors.As(err, &slow):
		return fmt.Errorf("gp: solver cg did not reach its tolerance: more noise or a larger tolerance makes it converge, solver %q needs neither: %w", Cholesky, err)
	case errors.As(err, &indefinite), errors.As(err, &singular):
		return fmt.Errorf("gp: K + Σ is not positive definite: the kernel is not on these rows, or the noise is below the rounding of its values; give a larger noise: %w", err)
	}
	return err
}

// ones returns a column with ones in active rows.
func (it *ByCG) ones() *mat.Dense {
	b := mat.NewDense(it.n, 1, nil)
	for i := range it.n {
		if it.on(i) {
			b.Set(i, 0, 1)
		}
	}
	return b
}

// constant solves for A⁻¹1.
func (it *ByCG) constant(ctx context.Context) error {
	u, _, err := it.solve(ctx, it.ones(), it.tolerance)
	if err != nil {
		return err
	}
	it.u, it.su = u, mat.Sum(u)
	return nil
}

// solveByProducts is [Solve] by [CG]. Targets and ones share every product.
func (o *Options) solveByProducts(ctx context.Context, k gram.Operator, y []float64) (*Posterior, *Report, error) {
	r, watch := &Report{Solver: CG, CG: &CGReport{}}, model.NewStopwatch()
	it, storage, err := o.iterate(ctx, k, nil)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "preconditioner")
	p, done, err := it.given(ctx, y, o.Mean != Zero)
	if err != nil {
		return nil, nil, err
	}
	rest := mat.NewDense(it.n, 1, nil)
	if err := (gram.Shifted{K: it.a.K, Scale: it.a.Scale}).Mul(ctx, rest, p.Coef); err != nil {
		return nil, nil, err
	}
	r.Residual = p.residual(rest, y, o)
	watch.Lap(&r.Run, "conjugate gradients")
	l, err := it.logDet(ctx, o.Probes)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "log determinant")
	form, residuals := p.fitted(y, o)
	o.report(r, y, p.Mean, o.evidence(len(y), form, l.Value), residuals)
	correction := mat.Dot(rest.ColView(0), p.Coef.ColView(0)) / 2 // yᵀA⁻¹y = yᵀα + rᵀα + rᵀA⁻¹r
	r.Fit, r.LogEvidence = r.Fit-correction, r.LogEvidence-correction
	it.report(r, storage, done, l)
	return p, r, nil
}

// given solves for the targets and, with a constant mean, for A⁻¹1, which stays.
func (it *ByCG) given(ctx context.Context, y []float64, constant bool) (*Posterior, linalg.CGReport, error) {
	p := &Posterior{PosteriorCovariance: it}
	p.Coef, p.Mean = centred(y, it.on, constant)
	if !constant {
		x, done, err := it.solve(ctx, p.Coef, it.tolerance)
		p.Coef = x
		return p, done, err
	}
	both := new(mat.Dense)
	both.Augment(p.Coef, it.ones())
	x, done, err := it.solve(ctx, both, it.tolerance)
	if err != nil {
		return nil, done, err
	}
	p.Coef = mat.DenseCopyOf(x.Slice(0, it.n, 0, 1))
	it.u = mat.DenseCopyOf(x.Slice(0, it.n, 1, 2))
	it.su = mat.Sum(it.u)
	p.addConstant(it.u, it.su)
	return p, done, nil
}

// centred returns the targets less their mean where the prior has a constant, so that a
// large common offset does not cost digits, with zeros in rows that are not on.
func centred(y []float64, on func(i int) bool, constant bool) (b *mat.Dense, centre float64) {
	count := 0.0
	for i, v := range y {
		if constant && on(i) {
			count++
			centre += (v - centre) / count
		}
	}
	b = mat.NewDense(len(y), 1, nil)
	for i, v := range y {
		if on(i) {
			b.Set(i, 0, v-centre)
		}
	}
	return b, centre
}

// addConstant turns A⁻¹(y − centre), with the centre in Mean, into α and the constant of
// generalised least squares, given u = A⁻¹1 and 1ᵀu.
func (p *Posterior) addConstant(u *mat.Dense, su float64) {
	m := mat.Sum(p.Coef) / su
	for i := range p.Coef.RawMatrix().Rows {
		p.Coef.Set(i, 0, p.Coef.At(i, 0)-m*u.At(i, 0))
	}
	p.Mean += m
}

// residual replaces Kα by y − m − Aα in active rows, and returns its relative size.
func (p *Posterior) residual(rest *mat.Dense, y []float64, o *Options) float64 {
	above, below := 0.0, 0.0
	for i, v := range y {
		if !o.on(i) {
			rest.Set(i, 0, 0)
			continue
		}
		d := (v - p.Mean) - o.noise(i)/o.weight(i)*p.Coef.At(i, 0) - rest.At(i, 0)
		rest.Set(i, 0, d)
		above += d * d
		below += (v - p.Mean) * (v - p.Mean)
	}
	if above == 0 {
		return 0
	}
	return math.Sqrt(above / below)
}

// fitted returns (y − m)ᵀα, and the residuals of the mean, y − f = Σα.
func (p *Posterior) fitted(y []float64, o *Options) (form float64, residuals []float64) {
	residuals = make([]float64, len(y))
	for i, alpha := range p.Coef.RawMatrix().Data {
		if o.on(i) {
			form += (y[i] - p.Mean) * alpha
			residuals[i] = o.noise(i) / o.weight(i) * alpha
		}
	}
	return form, residuals
}

// logDet estimates ln|A|. Rows that are not active are rows of the identity, and add
// nothing.
func (it *ByCG) logDet(ctx context.Context, probes int) (*linalg.LogDetEstimate, error) {
	o := linalg.LogDetOptions{Least: it.least, Probes: cmp.Or(probes, defaultProbes), Seed: probeSeed, Tolerance: it.squared(), Progress: it.compute.Progress, Workers: it.compute.Workers}
	if it.pre != nil {
		o.Preconditioner, o.Least = it.pre.Woodbury, 1
	}
	l, err := linalg.LogDet(ctx, it.a, it.n, o)
	return l, it.explain(err)
}

// squared is the residual of systems whose error enters by its square.
func (it *ByCG) squared() float64 { return math.Sqrt(it.tolerance) / 10 }

// report fills in what the iterations have to say.
func (it *ByCG) report(r *Report, storage string, done linalg.CGReport, l *linalg.LogDetEstimate) {
	_, probes := l.Probes.Dims()
	*r.CG = CGReport{Storage: storage, Products: done.Iterations, Probes: probes, Steps: l.CG.Iterations,
		Tolerance: it.tolerance, StandardError: l.StandardError / 2, Quadrature: l.Quadrature / 2}
	if it.pre != nil {
		least := r.LogEvidence - (l.Base+it.pre.Ceiling(it.a.Shift)-l.Value)/2
		most := r.LogEvidence + (l.Value-l.Base)/2
		r.CG.Rank, r.CG.Least, r.CG.Most = it.pre.Rank(), &least, &most
	}
}

// variancePoints is the number of points whose systems are solved together: as many as take
// 16 MiB for each of about ten blocks of vectors, and 256 at most.
func variancePoints(n int) int { return min(max(1<<21/n, 16), block) }

// VariancesAt implements [PosteriorCovariance] with the upper ends of [ByCG.Bounds].
func (it *ByCG) VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error) {
	_, high, err := it.Bounds(ctx, dst, cross)
	for i, v := range high {
		if v < 0 {
			clipped++
		}
		dst[i] = math.Max(0, v)
	}
	return clipped, err
}

// Bounds returns numbers between which the variances of f are, given the rows, for points
// with the prior variances and kernel values as in [PosteriorCovariance.Variances]. Some tens of
// products with K serve 16 to 256 points at once. With a constant mean what its uncertainty adds is
// known up to the residual of A⁻¹1.
func (it *ByCG) Bounds(ctx context.Context, prior []float64, cross *mat.Dense) (low, high []float64, err error) {
	if err := it.fits(len(prior), cross); err != nil {
		return nil, nil, err
	}
	low, high = make([]float64, len(prior)), make([]float64, len(prior))
	for from, step := 0, variancePoints(it.n); from < len(prior); from += step {
		to := min(from+step, len(prior))
		s, err := it.systems(ctx, cross.Slice(from, to, 0, it.n).(*mat.Dense))
		if err != nil {
			return nil, nil, err
		}
		slack, err := it.slack(ctx, s.r)
		if err != nil {
			return nil, nil, err
		}
		for i := range to - from {
			high[from+i] = prior[from+i] - mat.Dot(s.b.ColView(i), s.x.ColView(i)) - mat.Dot(s.r.ColView(i), s.x.ColView(i)) + s.along[i]*s.along[i]/s.su
			low[from+i] = high[from+i] - slack[i]
		}
	}
	return low, high, nil
}

// fits checks the kernel values of points.
func (it *ByCG) fits(points int, cross *mat.Dense) error {
	if rows, n := cross.Dims(); n != it.n || rows != points {
		return fmt.Errorf("gp: kernel values are %d×%d for %d points and a process given %d rows", rows, n, points, it.n)
	}
	return nil
}

// systems are solutions x of Ax = b for kernel values b of points, in columns.
type systems struct {
	b, x, r *mat.Dense // r = b − Ax
	along   []float64  // 1 − 1ᵀA⁻¹b with a constant mean; zeros without
	su      float64    // 1ᵀA⁻¹1; 1 without
}

func (it *ByCG) systems(ctx context.Context, cross *mat.Dense) (*systems, error) {
	s := &systems{b: mat.DenseCopyOf(cross.T()), su: 1}
	_, points := s.b.Dims()
	s.along = make([]float64, points)
	for i := range it.n {
		if !it.on(i) {
			clear(s.b.RawRowView(i))
		}
	}
	if it.u != nil {
		s.su = it.su
		for j := range s.along {
			s.along[j] = 1 - mat.Dot(it.u.ColView(0), s.b.ColView(j))
		}
	}
	var err error
	if s.x, _, err = it.solve(ctx, s.b, it.squared()); err != nil {
		return nil, err
	}
	s.r = mat.NewDense(it.n, points, nil)
	if err := it.a.Mul(ctx, s.r, s.x); err != nil {
		return nil, err
	}
	s.r.Sub(s.b, s.r)
	return s, nil
}

// slack returns rᵀP⁻¹r ≥ rᵀA⁻¹r for each column; without a preconditioner ‖r‖² divided by
// the least noise.
func (it *ByCG) slack(ctx context.Context, r *mat.Dense) ([]float64, error) {
	pulled := mat.DenseCopyOf(r)
	if it.pre == nil {
		pulled.Scale(1/it.least, r)
	} else if err := it.pre.Mul(ctx, pulled, r); err != nil {
		return nil, err
	}
	_, points := r.Dims()
	out := make([]float64, points)
	for j := range out {
		out[j] = mat.Dot(r.ColView(j), pulled.ColView(j))
	}
	return out, nil
}

// CovarianceAt implements [PosteriorCovariance]: BᵀA⁻¹B = BᵀX + RᵀX + RᵀA⁻¹R, of which the last
// term is left out. Diagonal elements are those of [ByCG.Variances].
func (it *ByCG) CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error {
	m := prior.SymmetricDim()
	if err := it.fits(m, cross); err != nil {
		return err
	}
	s, err := it.systems(ctx, cross)
	if err != nil {
		return err
	}
	s.r.Add(s.r, s.b)
	explained := new(mat.Dense)
	explained.Mul(s.r.T(), s.x)
	for i := range m {
		for j := i; j < m; j++ {
			prior.SetSym(i, j, prior.At(i, j)-(explained.At(i, j)+explained.At(j, i))/2+s.along[i]*s.along[j]/s.su)
		}
	}
	return nil
}
