package gp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/model"
)

// Posterior is a process given rows and their targets: f(x) = Mean + Σᵢ Coef[i] k(x, xᵢ) in
// the mean, with the covariance of what is embedded.
type Posterior struct {
	Given
	Coef *mat.Dense // α, n×1; exactly zero in rows of weight zero
	Mean float64    // m
}

// illConditioned is the condition number beyond which a report warns.
const illConditioned = 1e12

// refineAbove is the relative residual above which one step of iterative refinement is
// made.
const refineAbove = 1e-12

// Solve conditions a process with the Gram matrix k = K (n×n) on the targets y.
//
// Cost: n³/3 multiplications and 8n² bytes. A [gram.FromMatrix] operator is copied, never
// written. Errors: every problem of the options; a kernel value that is not finite; and a
// matrix K + Σ that is not numerically positive definite, which is never repaired. Results have the
// same bits for any number of workers. The solver [CG] stores no matrix: see [Iterated].
func Solve(ctx context.Context, k gram.Operator, y []float64, o Options) (*Posterior, *Report, error) {
	n, err := square(k)
	if err != nil {
		return nil, nil, err
	}
	if y == nil {
		y = []float64{}
	}
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	if o.Solver == CG {
		return o.solveByProducts(ctx, k, y)
	}
	r, watch := &Report{}, model.NewStopwatch()
	a, err := gram.CopyDense(ctx, k, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "gram")
	c, err := o.condition(ctx, a, o.Compute.Factoring())
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "factor")
	if err := c.judge(&o); err != nil {
		return nil, nil, err
	}
	p, err := c.given(ctx, y)
	if err != nil {
		return nil, nil, err
	}
	multiply := func(dst, x *mat.Dense) error {
		column := func(v *mat.Dense) blas64.Vector { return blas64.Vector{N: n, Inc: 1, Data: v.RawMatrix().Data} }
		blas64.Symv(1, a.RawSymmetric(), column(x), 0, column(dst))
		return nil
	}
	if err := c.certify(ctx, p, r, multiply, y, &o); err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "solve")
	return p, r, nil
}

// given solves for the targets.
func (c *Conditioned) given(ctx context.Context, y []float64) (*Posterior, error) {
	p := &Posterior{Given: c}
	p.Coef, p.Mean = centred(y, c.on, c.u != nil)
	if err := c.factor.Solve(ctx, p.Coef, p.Coef); err != nil || c.u == nil {
		return p, err
	}
	p.settle(c.u, c.su)
	return p, nil
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

// settle turns A⁻¹(y − centre), with the centre in Mean, into α and the constant of generalised
// least squares, given u = A⁻¹1 and 1ᵀu.
func (p *Posterior) settle(u *mat.Dense, su float64) {
	m := mat.Sum(p.Coef) / su
	for i := range p.Coef.RawMatrix().Rows {
		p.Coef.Set(i, 0, p.Coef.At(i, 0)-m*u.At(i, 0))
	}
	p.Mean += m
}

// certify computes the residual from scratch, after a step of iterative refinement where it
// needs one, and reports. multiply is the product with K, in which rows that are not active
// may have elements.
func (c *Conditioned) certify(ctx context.Context, p *Posterior, r *Report, multiply func(dst, x *mat.Dense) error, y []float64, o *Options) error {
	rest := mat.NewDense(len(y), 1, nil)
	measure := func() error {
		err := multiply(rest, p.Coef)
		if err == nil {
			r.Residual = p.residual(rest, y, o)
		}
		return err
	}
	if err := measure(); err != nil {
		return err
	}
	if r.Residual > refineAbove && !math.IsInf(r.Residual, 0) {
		step := new(mat.Dense)
		if err := c.factor.Solve(ctx, step, rest); err != nil {
			return err
		}
		p.Coef.Add(p.Coef, step)
		if err := measure(); err != nil {
			return err
		}
	}
	r.Solver = Cholesky
	p.report(r, y, o, c.factor.LogDet())
	if r.Condition = c.factor.Condition(); r.Condition > illConditioned {
		r.Warn("the system is ill-conditioned (condition %.1e): coefficients carry about %d digits; more noise or a narrower kernel helps", r.Condition, max(0, int(-math.Log10(r.Condition*0x1p-52))))
	}
	return nil
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

// report fills in what every solver reports.
func (p *Posterior) report(r *Report, y []float64, o *Options, logDet float64) {
	r.N, r.Noise, r.RowNoise, r.Mean, r.Constant = len(y), o.Noise, o.RowNoise != nil, Constant, p.Mean
	if o.Mean == Zero {
		r.Mean = Zero
	}
	e := p.evidence(y, o, logDet)
	r.LogEvidence, r.Fit, r.Complexity, r.Active = e.total(), e.fit, e.complexity, e.rows
	r.RMSE = p.rmse(o)
	if v, constant := o.constantTarget(y); constant && o.Mean != Zero {
		r.Warn("all targets are %v: they say nothing of the noise, and intervals are only as wide as the noise that was given (%v) and the kernel make them", v, o.Noise)
	}
}

// constantTarget reports whether two rows at least are active and all of them have the
// same target.
func (o *Options) constantTarget(y []float64) (target float64, is bool) {
	rows := 0
	for i, v := range y {
		if !o.on(i) {
			continue
		}
		if rows++; rows > 1 && v != target {
			return 0, false
		}
		target = v
	}
	return target, rows > 1
}

// rmse is that of the mean at the training rows, where y − f = Σα.
func (p *Posterior) rmse(o *Options) float64 {
	sum, total := 0.0, 0.0
	for i, alpha := range p.Coef.RawMatrix().Data {
		if o.on(i) {
			w := o.weight(i)
			d := o.noise(i) / w * alpha
			sum, total = sum+w*d*d, total+w
		}
	}
	return math.Sqrt(sum / total)
}

// evidence is the logarithm of p(y) in its parts.
type evidence struct {
	fit, complexity float64
	weighting       float64 // what makes a weight the number of times a row is there
	rows            int
}

func (e evidence) total() float64 {
	return e.fit + e.complexity - float64(e.rows)/2*math.Log(2*math.Pi) + e.weighting
}

// evidence evaluates R&W (2.30) at the solution. A row of weight w and noise s/w has the
// likelihood N(y; f, s/w) = N(y; f, s)ʷ · (2πs)^(w/2)/(2πs/w)^(½); the second factor is taken
// out, so that what remains is that of w rows.
func (p *Posterior) evidence(y []float64, o *Options, logDet float64) evidence {
	e := evidence{complexity: -logDet / 2}
	for i, alpha := range p.Coef.RawMatrix().Data {
		if !o.on(i) {
			continue
		}
		e.rows++
		e.fit -= (y[i] - p.Mean) * alpha / 2
		if w := o.weight(i); w != 1 {
			s := 2 * math.Pi * o.noise(i)
			e.weighting += (math.Log(s/w) - w*math.Log(s)) / 2
		}
	}
	return e
}
