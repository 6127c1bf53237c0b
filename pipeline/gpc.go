package pipeline

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/gp"
	"mercer/gram"
	"mercer/model"
)

// GPC is classification of two labels by a Gaussian process. Its options take the row
// weights from the problem.
type GPC struct {
	gp.ClassOptions
	// Optimize moves the parameters of the kernel to where the evidence is largest
	// before the fit. A kernel without a factor of its own is given one.
	Optimize bool
	// Restarts and Seed are those of [gp.TuneOptions].
	Restarts int
	Seed     uint64
}

var _ = register(plainReport[gp.ClassReport], GPC{}.Name())

// Name returns "gpc".
func (GPC) Name() string { return "gpc" }

func (o GPC) compute() gram.Options { return o.Compute }

func (o GPC) fit(ctx context.Context, p *Problem) (*learned, error) {
	t, y, err := p.classes()
	if err != nil {
		return nil, err
	}
	if len(t.Labels) != 2 {
		return nil, fmt.Errorf("pipeline: target %s has %d labels, and this approximation is for two: use klr, or fit each label against the others", t.Name, len(t.Labels))
	}
	if err := p.covariance(ctx, o.Compute); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	f, report, latent, err := p.points.latent(ctx, y, o)
	if err != nil {
		return nil, err
	}
	d := largest(t)
	d.Link = Averaged
	return &learned{f: f, report: report, decision: d, weighted: true, latent: latent}, nil
}

// latentFactor is the factor of a kernel without one at the start of a search: log-odds
// with a standard deviation of 2.
const latentFactor = 4

// latent fits the latent function, after a search for the largest evidence if that is
// asked for.
func (l learning[T]) latent(ctx context.Context, y []int, o GPC) (function, *gp.ClassReport, *gp.Conditioned, error) {
	var tuned *gp.TuneReport
	k := l.kernel
	if o.Optimize {
		var err error
		search := gp.TuneOptions{Options: gp.Options{Weights: o.Weights, Compute: o.Compute}, Restarts: o.Restarts, Seed: o.Seed}
		if k, tuned, err = gp.TuneClasses(ctx, amplified(k, latentFactor), l.points, y, search); err != nil {
			return nil, nil, nil, err
		}
	}
	f, report, err := gp.FitClasses(ctx, k, l.points, y, o.ClassOptions)
	if err != nil {
		return nil, nil, nil, err
	}
	if tuned != nil {
		searched(&report.Run, tuned)
		report.Tuned = tuned
	}
	return newFitted(l.space, k, f.Expansion), report, f.Latent.Conditioned, nil
}

// searched adds the run of a search to that of the fit after it.
func searched(r *model.Run, tuned *gp.TuneReport) {
	r.Stages = append(tuned.Stages, r.Stages...)
	r.Seconds += tuned.Seconds
	r.Warnings = append(tuned.Warnings, r.Warnings...)
	tuned.Run = model.Run{}
}

// newtonSteps is how many factorizations a mode is planned to take.
const newtonSteps = 12

func (o GPC) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	return planEvidence(ctx, p, o.Name(), o.Compute, newtonSteps, o.Optimize, o.Restarts)
}

// moderation is the covariance of a latent function, factored again when it is first
// needed.
type moderation struct {
	sync.Mutex
	covariance *gp.Conditioned
}

// moderate adds the variances of the latent function to a prediction whose link averages
// over it: O(n³) the first time, and O(n²) for every row.
func (m *Model) moderate(ctx context.Context, p *Prediction, o gram.Options) error {
	if m.Decision.Link != Averaged {
		return nil
	}
	m.latent.Lock()
	defer m.latent.Unlock()
	if m.latent.covariance == nil {
		train, ok := m.f.train()
		if !ok {
			return errPrimal
		}
		var err error
		if m.latent.covariance, err = gp.ConditionClasses(ctx, gram.Of(train, o), m.f.coef(), gp.ClassOptions{Weights: m.Weights, Compute: o}); err != nil {
			return err
		}
	}
	var err error
	p.variances, err = m.variances(ctx, m.latent.covariance, p, o)
	return err
}

// averaged returns the probabilities of both classes, averaged over the latent function.
func (p *Prediction) averaged() *mat.Dense {
	if len(p.variances) == 0 {
		return nil
	}
	out := mat.NewDense(len(p.variances), 2, nil)
	for i, v := range p.variances {
		f := p.Values.At(i, 0)
		out.SetRow(i, []float64{gp.Probability(-f, v), gp.Probability(f, v)})
	}
	return out
}
