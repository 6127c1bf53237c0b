package methods

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	spaces "example.org/mercer/space"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
)

// CheckApproximated refuses what landmarks and features do not have.
func (o GPC) CheckApproximated(bool) error {
	if o.Optimize {
		return errors.New("learner: landmarks and features are made for one kernel, and a search for the largest evidence of a classifier moves it: search with the kernel itself on some of the rows, and fit what it finds on landmarks or features")
	}
	return nil
}

// errAveraged is the refusal to score a classifier on landmarks by rows left out.
var errAveraged = errors.New("learner: on rows that are left out the probabilities of gpc are averaged by the matrix of all others, which is not made on landmarks or features: search klr, whose function is the mode, or leave them out")

// fitWeights finds the latent functions in the features of the problem.
func (o GPC) fitWeights(ctx context.Context, p *task.Task, t prep.Target, y []int) (*learner.Fitted, error) {
	features, ok, err := p.Points.Features(nil)
	if err != nil || !ok {
		return nil, errors.Join(err, fmt.Errorf("learner: the kernel %s has no explicit features", p.Kernel()))
	}
	// Features of s·k are √s times those of k, and so are weights of the latter; their covariance
	// is s times that of the former.
	root := 1.0
	if o.Scale > 0 {
		root = math.Sqrt(o.Scale)
	}
	o.Weights = p.Rows.W
	s, err := spaces.NewPrimal(ctx, features.Scaled(root), o.Compute)
	if err != nil {
		return nil, err
	}
	l, r, err := gp.SolveClasses(ctx, s, y, o.ClassOptions)
	if err != nil {
		return nil, err
	}
	if err := allAmong(t, r.Classes); err != nil {
		return nil, err
	}
	l.Coef.Scale(root, l.Coef)
	w := &latentWeights{precision: l.Precision(), functions: l.Functions()}
	floats.Scale(1/root, w.precision.Rows())
	f, err := p.Points.FromWeights(ctx, l.Coef, make([]float64, l.Functions()))
	return &learner.Fitted{Function: f, Report: r, Decision: averaged(t), States: []learner.State{w}}, err
}

// assumedGradients are the conjugate gradients of all Newton steps for more than two classes.
const assumedGradients = 100

// planWeights predicts the Newton steps in features, each of which weighs their products and
// factors them, and the precision of the weights.
func (o GPC) planWeights(ctx context.Context, p *task.Task, labels int) (compute.Plan, error) {
	if err := o.CheckApproximated(true); err != nil {
		return compute.Plan{}, err
	}
	m, s, err := p.Measure(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	functions := 1
	newton := gram.PrimalCost(s.Rows, s.Features, functions, m)
	tried := o.triedSteps(ctx, p)
	steps := cmp.Or(tried, gp.PlannedSteps)
	newton.Stage = fmt.Sprintf("newton (%d steps)", steps)
	newton.Flops, newton.Seconds = float64(steps)*newton.Flops, float64(steps)*newton.Seconds
	if labels > 2 {
		functions = labels
		products := assumedGradients * 4 * float64(s.Rows) * float64(s.Features) * float64(functions)
		newton.Flops, newton.Seconds = newton.Flops+products, newton.Seconds+products/m.GemmRate
	}
	newton.Memory += 8 * int64(s.Rows) * int64(12*functions-s.Features) // values and directions; features are a stage of their own
	order := functions * s.Features
	precision := compute.FactorCost(order, m)
	work := float64(s.Rows) * float64(s.Features) * float64(s.Features) * float64(functions*(functions+1))
	precision.Stage, precision.Memory, precision.Keeps = "precision", 12*int64(order)*int64(order), 4*int64(order)*int64(order)
	precision.Flops, precision.Seconds = precision.Flops+work, precision.Seconds+work/m.GemmRate
	plan := compute.NewPlan("features", m, newton, precision)
	plan.Notes = append(plan.Notes, stepsNote(tried, gp.PlannedSteps))
	return p.PlanMappedRows(plan, o.Compute), nil
}

// inWeights reports whether the latent functions are found as weights of features: of those that
// stand for the kernel, and of its own where rows stay in their file.
func inWeights(p *task.Task) bool { return p.Approximated() || p.Streamed() }

// WhyNotStreamed refuses what has a Gram matrix.
func (o GPC) WhyNotStreamed(p *task.Task) string {
	if o.Optimize && !p.Approximated() {
		return "with a search for the largest evidence (--optimize) needs all rows in memory"
	}
	return learner.WhyNotExplicit(p, spaces.Auto)
}

// Mappings is how often the features of a row are computed: where they are held once, and once more
// for the precision.
func (o GPC) Mappings(p *task.Task) int {
	if p.MappedBytes(o.Compute) > 0 {
		return 2
	}
	return 2 + 2*gp.PlannedSteps
}

// CheckHeldOut refuses to score rows that are left out.
func (GPC) CheckHeldOut() error { return errAveraged }
