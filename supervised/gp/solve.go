package gp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Posterior is a process given rows and their targets: f(x) = Mean + Σᵢ Coef[i] k(x, xᵢ) in
// the mean, or Mean + ⟨Coef, φ(x)⟩ in features, with the covariance of what is embedded.
type Posterior struct {
	PosteriorCovariance
	Coef *mat.Dense // α, n×1, exactly zero in rows of weight zero; in features w, D×1
	Mean float64    // m

	system system
	rows   bool // the coordinates are those of the rows
}

// illConditioned is the condition number beyond which a report warns.
const illConditioned = 1e12

// Solve conditions a process on the targets y of the rows of a space: by their Gram matrix K, or in
// D features with K = ΦΦᵀ.
//
// Cost: n³/3 multiplications and 8n² bytes, 4n² with [Packed]; nD² in features. Errors: every
// problem of the options; a kernel value that is not finite; and a matrix K + Σ that is not
// numerically positive definite, which is never repaired. Results have the same bits for any number
// of workers. A space that solves by [CG] stores no matrix: see [ByCG].
func Solve(ctx context.Context, s space.Space, y []float64, o Options) (*Posterior, *Report, error) {
	n, _ := s.Dims()
	if y == nil {
		y = []float64{}
	}
	k, iterative := operatorOf(s, &o)
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	if iterative {
		return o.solveByProducts(ctx, k, y)
	}
	s = direct(s)
	r, watch := &Report{}, model.NewStopwatch()
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		r.Run = *s.Ran()
	}
	f, err := o.regress(ctx, s, y)
	if err != nil {
		return nil, nil, err
	}
	q := f.Quality
	if r.Solver, r.Residual = o.Solver, q.Residual; len(q.Stages) == 0 {
		watch.Lap(&r.Run, "solve")
	} else {
		q.Run.Before(r.Run)
		r.Run = q.Run
	}
	if err := f.system.checkSingular(q.Condition); err != nil {
		return nil, nil, err
	}
	if err := f.report(ctx, r, y, &o); err != nil {
		return nil, nil, err
	}
	if r.Condition = q.Condition; f.system.exact {
		r.Condition = 0 // that of rows on scales of their own says nothing
	}
	if r.Condition > illConditioned {
		r.Warn("the system is ill-conditioned (condition %.1e): coefficients carry about %d digits; more noise or a narrower kernel helps", r.Condition, max(0, int(-math.Log10(r.Condition*0x1p-52))))
	}
	return f.posterior(), r, nil
}

// regression is the posterior mean as a weighted ridge regression.
type regression struct {
	*space.Regression
	space  space.Space
	system system
	factor space.Posterior
}

// regress solves for the targets.
func (o *Options) regress(ctx context.Context, s space.Space, y []float64) (*regression, error) {
	a := o.system(len(y))
	b, centre := centred(y, func(i int) bool { return a.v[i] > 0 }, a.constant)
	targets := space.Targets{Columns: 1, Row: func(dst []float64, i int) error {
		dst[0] = b.At(i, 0)
		return nil
	}}
	g, err := space.Regress(ctx, s, space.Ridge{Weights: a.v, R: a.ridge, Constant: a.constant}, targets, o.Compute)
	if err != nil {
		return nil, o.notDefinite(err)
	}
	g.Bias[0] += centre
	f, err := posterior(g.Factor)
	return &regression{Regression: g, space: s, system: a, factor: f}, err
}

// posterior is what was found.
func (f *regression) posterior() *Posterior {
	_, rows := f.space.(space.Spanned)
	return &Posterior{PosteriorCovariance: f.factor, Coef: f.Theta, Mean: f.Bias[0], system: f.system, rows: rows}
}

// evidence returns the log evidence in its parts, and the residuals of the rows.
func (f *regression) evidence(ctx context.Context, y []float64, o *Options) (evidence, []float64, error) {
	residuals := make([]float64, 0, len(y))
	err := f.Residuals(ctx, o.Compute, func(_, _ int, e *mat.Dense) error {
		residuals = append(residuals, mat.Col(nil, 0, e)...)
		return nil
	})
	if err != nil {
		return evidence{}, nil, err
	}
	constant := 0.0
	if f.system.constant {
		if constant, err = constantVariance(ctx, f.space, f.factor); err != nil {
			return evidence{}, nil, err
		}
	}
	form := 0.0 // (y − m)ᵀA⁻¹(y − m)
	if s, ok := f.space.(space.Spanned); ok {
		for i, alpha := range s.Coefficients(f.Theta).RawMatrix().Data {
			form += (y[i] - f.Bias[0]) * alpha
		}
	} else { // the least value of a sum of squares
		for i, e := range residuals {
			form += f.system.v[i] / f.system.ridge * e * e
		}
		form += mat.Dot(f.Theta.ColView(0), f.Theta.ColView(0))
	}
	return o.evidence(len(y), form, f.system.logDet(f.Factor.LogDet(), constant)), residuals, nil
}

// report fills in what the solution has to say.
func (f *regression) report(ctx context.Context, r *Report, y []float64, o *Options) error {
	e, residuals, err := f.evidence(ctx, y, o)
	if err == nil {
		o.report(r, y, f.Bias[0], e, residuals)
	}
	return err
}

// report fills in what every solver reports.
func (o *Options) report(r *Report, y []float64, mean float64, e evidence, residuals []float64) {
	r.N, r.Noise, r.RowNoise, r.Mean, r.Constant = len(y), o.Noise, o.RowNoise != nil, Constant, mean
	if o.Mean == Zero {
		r.Mean = Zero
	}
	r.LogEvidence, r.Fit, r.Complexity, r.Active = e.total(), e.fit, e.complexity, e.rows
	r.RMSE = o.rmse(residuals)
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

// rmse is that of the mean at the training rows.
func (o *Options) rmse(residuals []float64) float64 {
	sum, total := 0.0, 0.0
	for i, d := range residuals {
		if w := o.weight(i); w > 0 {
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

// evidence evaluates R&W (2.30) for n rows, of which (y − m)ᵀA⁻¹(y − m) and ln|A| are known. A row
// of weight w and noise s/w has the likelihood N(y; f, s/w) = N(y; f, s)ʷ ·
// (2πs)^(w/2)/(2πs/w)^(½); the second factor is taken out, so that what remains is that of w rows.
func (o *Options) evidence(n int, form, logDet float64) evidence {
	e := evidence{fit: -form / 2, complexity: -logDet / 2}
	for i := range n {
		w := o.weight(i)
		if w == 0 {
			continue
		}
		e.rows++
		if w != 1 {
			s := 2 * math.Pi * o.noise(i)
			e.weighting += (math.Log(s/w) - w*math.Log(s)) / 2
		}
	}
	return e
}

// Lower returns the factor of A, for an [Updatable]: a copy of n²/2 numbers. There is none,
// nil, where the solver was [CG] or the space one of features.
func (p *Posterior) Lower() *linalg.UpdatableFactor {
	f, ok := p.PosteriorCovariance.(interface {
		Lower() *linalg.UpdatableFactor
	})
	if !ok || !p.rows {
		return nil
	}
	return p.system.lower(f.Lower(), false)
}
