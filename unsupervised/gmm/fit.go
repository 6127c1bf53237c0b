package gmm

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/pass"
	"example.org/mercer/unsupervised/kmeans"
)

// Options say how to search. The zero value is ready.
type Options struct {
	// Restarts is the number of starts, each from k-means, of which the result of largest
	// likelihood is kept; 0 means 5.
	Restarts int
	// MaxIterations bounds the iterations of a start; 0 means 500.
	MaxIterations int
	// Tolerance ends the iteration when the log-likelihood per unit of weight rises by less; 0
	// means 1e-6.
	Tolerance float64
	// Floor bounds the variances in all directions from below; 0 means 1e-6 times the
	// mean variance of the columns.
	Floor float64
	// Seed chooses the random starts.
	Seed uint64
	// Start, if not nil, is the mixture to begin with, and the only start.
	Start *Mixture
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones.
	Weights []float64
	// Compute says how to compute: workers and progress.
	Compute compute.Options
}

// Report says how a fit went.
type Report struct {
	N     int   `json:"n"`
	K     int   `json:"k"`
	Shape Shape `json:"shape"`
	// LogLikelihood is Σ wᵢ ln p(xᵢ) of the returned mixture, LogLikelihoods those of all
	// starts, Trace those before each iteration of the best start.
	LogLikelihood  float64   `json:"log_likelihood"`
	LogLikelihoods []float64 `json:"log_likelihoods"`
	Trace          []float64 `json:"trace"`
	Iterations     int       `json:"iterations"`
	Converged      bool      `json:"converged"`
	// Parameters p are free. With N = Σ wᵢ, BIC = −2 ln L + p ln N, AIC = −2 ln L + 2p and
	// ICL = BIC − 2 Σ wᵢq_ij ln q_ij (Biernacki, Celeux and Govaert 2000); smaller is better.
	Parameters int     `json:"parameters"`
	BIC        float64 `json:"bic"`
	AIC        float64 `json:"aic"`
	ICL        float64 `json:"icl"`
	// Floor is the least variance that was allowed, Floored the number of covariances at
	// it in the end, Lost that of components without any mass.
	Floor   float64 `json:"floor"`
	Floored int     `json:"floored"`
	Lost    int     `json:"lost"`
	// Candidates are the mixtures that were compared with this one and it itself.
	Candidates []Candidate `json:"candidates,omitempty"`

	model.Run
}

// startPasses are about those of k-means, in which a start begins, beside two for each centre.
const startPasses = 20

// Passes is about how often a fit goes over rows in a file, for which starts go side by side.
func (r *Report) Passes() int { return r.Iterations + 2*r.K + startPasses }

// Grows is false: EM ends where the likelihood of a row hardly rises.
func (*Report) Grows() bool { return false }

// fit is what all starts share.
type fit struct {
	x            data.Rows
	w            []float64
	total        float64
	compute      compute.Options
	floor        float64
	meanVariance float64        // mean variance of the columns
	told         *compute.Meter // of the iterations that all starts may make
}

// Fit finds a mixture of k Gaussians of the given shape that makes the rows of x likely.
// An iteration takes about 2nkd² flops for full covariances (5nkd² where they are too
// narrow for products, see docs/methods/gmm.md; 6nkd for variances); beside x there are
// O(workers·256·kd + 16kd²) numbers. Errors: k > n, fewer than two
// rows, rows that are not finite or all equal, wrong options, a start that is not a
// density, the end of ctx.
func Fit(ctx context.Context, x data.Rows, k int, shape Shape, o Options) (*Mixture, *Report, error) {
	if err := o.validate(x, k, shape); err != nil {
		return nil, nil, err
	}
	f, err := newFit(ctx, x, o)
	if err != nil {
		return nil, nil, err
	}
	if f.meanVariance == 0 {
		return nil, nil, fmt.Errorf("gmm: all %d rows (of positive weight) are equal: they have no covariance", x.Len())
	}
	r, watch := &Report{N: x.Len(), K: k, Shape: shape, Floor: f.floor}, model.NewStopwatch()
	starts := o.starts()
	all := make([]*emRun, starts)
	limit := cmp.Or(o.MaxIterations, mostIterations)
	f.told = o.Compute.Meter("em", int64(starts)*int64(limit))
	defer f.told.End(ctx)
	err = pass.Together(x, starts, pass.MaxConcurrent(startBytes(x.Len()), o.Compute.MaxMemory), func(s int, x data.Rows) error {
		g, part := *f, o
		part.Compute = o.Compute.Within(fmt.Sprintf("%d %s, start %d", k, shape, s))
		g.x, g.compute = x, part.Compute
		m, err := g.start(ctx, k, shape, uint64(s), part)
		if err != nil {
			return err
		}
		if all[s], err = g.iterate(ctx, m, part); err == nil {
			f.told.Add(int64(limit - all[s].iterations))
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	best := all[0]
	for _, a := range all {
		r.LogLikelihoods = append(r.LogLikelihoods, a.likelihood)
		if a.likelihood > best.likelihood {
			best = a
		}
	}
	watch.Lap(&r.Run, "iterate")
	best.fill(r, f.total)
	return best.mixture, r, nil
}

func (o *Options) starts() int {
	switch {
	case o.Start != nil:
		return 1
	case o.Restarts == 0:
		return 5
	}
	return o.Restarts
}

// startBytes is what a start has of n rows while it is one of k-means: norms, squared distances,
// bounds, and labels twice.
func startBytes(n int) int64 { return int64(n) * (8 + 8 + 8 + 4 + 8) }

// PassBytes returns what [Fit] holds of n rows that are read in passes: weights, and the state of
// the starts that go side by side.
func PassBytes(n int, o Options) int64 {
	each := startBytes(n)
	return 8*int64(n) + each*int64(min(o.starts(), pass.MaxConcurrent(each, o.Compute.MaxMemory)))
}

func (o *Options) validate(x data.Rows, k int, shape Shape) error {
	c := model.NewChecks("gmm")
	n := x.Len()
	if !shape.known() {
		c.Add("the shape %q is not known; one of %q is", shape, Shapes)
	}
	switch {
	case n < 2:
		c.Add("%d rows: a mixture needs at least two rows", n)
	case k < 1 || k > n:
		c.Add("%d components for %d rows: there must be at least one, and no more than rows", k, n)
	case x.Dim() == 0:
		c.Add("the rows have no columns")
	}
	if o.Restarts < 0 || o.MaxIterations < 0 {
		c.Add("restarts = %d and iterations = %d: neither may be negative", o.Restarts, o.MaxIterations)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1) || !(o.Floor >= 0) || math.IsInf(o.Floor, 1) {
		c.Add("the tolerance %v and the floor %v must be finite numbers ≥ 0", o.Tolerance, o.Floor)
	}
	if positive := c.Weights(n, o.Weights); 0 < positive && positive < k && k <= n {
		c.Add("%d components for %d rows of positive weight: there cannot be more components than such rows", k, positive)
	}
	if err := c.Err(); err != nil {
		return err
	}
	if s := o.Start; s != nil {
		if err := s.Check(); err != nil {
			return err
		}
		if s.Shape != shape || s.Means.Len() != k || s.Means.Dim() != x.Dim() {
			return fmt.Errorf("gmm: the start has %d %s components of %d columns; %d %s ones of %d are wanted", s.Means.Len(), s.Shape, s.Means.Dim(), k, shape, x.Dim())
		}
	}
	return nil
}

func newFit(ctx context.Context, x data.Rows, o Options) (*fit, error) {
	f := &fit{x: x, w: o.Weights, compute: o.Compute, floor: o.Floor}
	if f.w == nil {
		f.w = make([]float64, x.Len())
		floats.AddConst(1, f.w)
	}
	f.total = floats.Sum(f.w)
	share := func(p []float64, i int) { p[0] = f.w[i] / f.total }
	mean, err := pass.Reduce(ctx, x, pass.Sums{Work: pass.WeightedSum{}, In: share}, o.Compute)
	if err != nil {
		return nil, err
	}
	if sum := floats.Sum(mean); math.IsNaN(sum) || math.IsInf(sum, 0) {
		if err := pass.CheckFinite(x); err != nil {
			return nil, fmt.Errorf("gmm: %w", err)
		}
	}
	size := floats.Dot(mean, mean) / float64(x.Dim())
	squares, err := pass.Reduce(ctx, x, pass.Sums{Work: scatter{mean}, In: share}, o.Compute)
	if err != nil {
		return nil, err
	}
	f.meanVariance = squares[0] / float64(x.Dim())
	if f.meanVariance <= size*0x1p-96 { // equal rows, but for the rounding of their mean
		f.meanVariance = 0
	}
	if f.floor == 0 {
		f.floor = 1e-6 * f.meanVariance
	}
	return f, nil
}

// start is the given mixture, or the M-step on the clusters of one run of k-means.
func (f *fit) start(ctx context.Context, k int, shape Shape, number uint64, o Options) (*Mixture, error) {
	if o.Start != nil {
		return o.Start, nil
	}
	clusters, _, err := kmeans.FitVectors(ctx, f.x, k, kmeans.Options{Restarts: 1, Seed: o.Seed + number, Weights: f.w, Compute: o.Compute})
	if err != nil {
		return nil, fmt.Errorf("gmm: looking for a start: %w", err)
	}
	m := &Mixture{Shape: shape, Weights: make([]float64, k), Means: clusters.Centres}
	for j := range m.Weights {
		m.Weights[j] = 1 / float64(k)
	}
	f.spherical(m)
	w, err := newWhitening(m)
	if err != nil {
		return nil, err
	}
	s, err := f.expectation(ctx, w, clusters.Labels, squares)
	if err != nil {
		return nil, err
	}
	next, _, _ := w.maximise(s, f.floor)
	return next, nil
}

// spherical gives all components the mean variance of the columns.
func (f *fit) spherical(m *Mixture) {
	k, d := m.Means.Len(), m.Means.Dim()
	count := map[Shape]int{Full: k, Tied: 1}[m.Shape]
	for range count {
		c := mat.NewSymDense(d, nil)
		for a := range d {
			c.SetSym(a, a, f.meanVariance)
		}
		m.Covariances = append(m.Covariances, c)
	}
	if !m.Shape.matrices() {
		m.Variances = data.MakeVectors(k, map[Shape]int{Diagonal: d, Spherical: 1}[m.Shape])
		floats.AddConst(f.meanVariance, m.Variances.Raw())
	}
}

// mostIterations is the limit of a run where none is given.
const mostIterations = 500

// emRun is one run of EM.
type emRun struct {
	mixture             *Mixture
	likelihood, entropy float64
	trace               []float64
	iterations          int
	converged           bool
	floored, lost       int
}

// iterate iterates until the likelihood hardly rises. As in scikit-learn, the iteration
// that finds so has made its M-step.
func (f *fit) iterate(ctx context.Context, m *Mixture, o Options) (*emRun, error) {
	limit, tolerance := cmp.Or(o.MaxIterations, mostIterations), o.Tolerance
	if tolerance == 0 {
		tolerance = 1e-6
	}
	a := &emRun{mixture: m}
	w, err := newWhitening(m)
	for err == nil {
		last, by := a.converged || a.iterations == limit, densitiesOnly
		if !last {
			by = w.summation()
		}
		s, err := f.expectation(ctx, w, nil, by)
		if err != nil {
			return nil, err
		}
		a.likelihood, a.entropy = s.likelihood, s.entropy
		if last {
			return a, nil
		}
		a.trace = append(a.trace, s.likelihood)
		if t := len(a.trace); t > 1 && math.Abs(a.trace[t-1]-a.trace[t-2]) < tolerance*f.total {
			a.converged = true
		}
		if w, err = f.maximise(ctx, a, w, s, by); err != nil {
			return nil, err
		}
		a.iterations++
		f.told.Add(1)
	}
	return nil, err
}

// maximise makes the M-step. Where products of columns turn out to have lost digits, the
// moments are added up once more, as squares.
func (f *fit) maximise(ctx context.Context, a *emRun, w *whitening, s *moments, by summation) (*whitening, error) {
	if by == products && s.finite() {
		a.mixture, a.floored, a.lost = w.maximise(s, f.floor)
		if next, err := newWhitening(a.mixture); err == nil && next.cancellation(w.centre) <= maxCancellation {
			return next, nil
		}
	}
	if by == products {
		var err error
		if s, err = f.expectation(ctx, w, nil, squares); err != nil {
			return nil, err
		}
	}
	a.mixture, a.floored, a.lost = w.maximise(s, f.floor)
	return newWhitening(a.mixture)
}

// fill fills the report.
func (a *emRun) fill(r *Report, total float64) {
	r.LogLikelihood, r.Trace, r.Iterations, r.Converged = a.likelihood, a.trace, a.iterations, a.converged
	r.Floored, r.Lost = a.floored, a.lost
	r.Parameters = r.Shape.Parameters(r.K, a.mixture.Means.Dim())
	r.AIC = -2*a.likelihood + 2*float64(r.Parameters)
	r.BIC = -2*a.likelihood + float64(r.Parameters)*math.Log(total)
	r.ICL = r.BIC + 2*a.entropy
	if a.floored > 0 {
		r.Warn("%d covariances have variances at the floor %.3g: components have collapsed onto few or dependent rows; take fewer components, a simpler shape or a larger floor", a.floored, r.Floor)
	}
	if a.lost > 0 {
		r.Warn("%d components have lost all rows: take fewer components", a.lost)
	}
	if !a.converged {
		r.Warn("the likelihood still rose after %d iterations: allow more of them", a.iterations)
	}
}
