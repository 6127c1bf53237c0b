package methods

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

// readProcess reads the report of a process, which is another on landmarks.
func readProcess(text json.RawMessage, outputs int) (learner.Report, error) {
	var which struct {
		Landmarks int `json:"landmarks"`
	}
	if err := json.Unmarshal(text, &which); err != nil {
		return nil, err
	}
	if which.Landmarks == 0 {
		return learner.PlainReport[gp.Report](text, outputs)
	}
	r := new(sparsegp.Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	for _, list := range [][]float64{r.LogEvidence, r.Fit, r.Constant, r.RMSE} {
		if len(list) != outputs {
			return nil, fmt.Errorf("it does not have the scores of %d outputs", outputs)
		}
	}
	if r.Within != nil && len(r.Within) != outputs {
		return nil, fmt.Errorf("it bounds the evidence of %d outputs, and there are %d", len(r.Within), outputs)
	}
	return r, nil
}

// onLandmarks fits the process through the landmarks of the problem.
func (o GP) onLandmarks(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if err := o.CheckApproximated(false); err != nil {
		return nil, err
	}
	y, err := p.Numbers()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	f, report, state, left, err := fitSparse(ctx, p.Points, y, o)
	if err != nil {
		return nil, err
	}
	l := &learner.Fitted{Function: f, Report: report, Decision: outcome.ForTargets(p.Prep), States: []learner.State{&sparseProcess{state, rowNoise{column: o.NoiseColumn}}}}
	if left != nil {
		l.Landmarks = new(task.LandmarkMap)
		*l.Landmarks = *p.LandmarkMap
		l.Landmarks.TraceError, l.Landmarks.Errors = report.TraceLeft, *left
	}
	return l, nil
}

// inFeatures finds the mean of a process on landmarks in their features, which is ridge
// regression at the ridge σ² in all approximations with the noise of the exact process: what a
// search by the error of rows left out needs.
func (o GP) inFeatures(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if o.Sparse == sparsegp.FITC || o.RowNoise != nil {
		return nil, fmt.Errorf("learner: rows with a noise of their own, those of %s among them, are not searched on landmarks by the error of rows left out: let the evidence find the kernel and the noise (GP.Optimize, --optimize)", sparsegp.FITC)
	}
	return KRR{Options: krr.Options{Ridge: o.Noise, NoIntercept: o.Mean == gp.Zero, Compute: o.Compute}}.Fit(ctx, p)
}

// sparseOn fits a process on the landmarks of a low-rank kernel, after a search for the largest
// bound if that is asked for; left is what the landmarks leave of the kernel that was found.
func sparseOn[T any](ctx context.Context, l task.TypedPoints[T], y *mat.Dense, o GP) (found task.Function, report *sparsegp.Report, state sparsegp.State, left *nystrom.Errors, err error) {
	low, ok := l.Kernel.(*nystrom.Kernel[T])
	if !ok {
		return found, nil, state, nil, fmt.Errorf("learner: the kernel %s has no landmarks", l.Kernel)
	}
	at, _ := low.Landmarks()
	k, with := low.Of(), o.sparse()
	var tuned *gp.TuneReport
	if o.Optimize {
		if k, with.Noise, tuned, err = sparsegp.Tune(ctx, gp.EnsureAmplitude(k, task.Variance(mat.Col(nil, 0, y))), l.Set, at, y, with, o.search()); err != nil {
			return found, nil, state, nil, err
		}
	}
	f, report, err := sparsegp.Fit(ctx, k, l.Set, at, y, with)
	if err != nil {
		return found, nil, state, nil, err
	}
	if tuned != nil {
		searched(&report.Run, tuned)
		report.Tuned = tuned
		if left, err = landmarkErrors(ctx, k, l.Set, at, o); err != nil {
			return found, nil, state, nil, err
		}
	}
	return task.NewFunction(l.Encoding, k, f.Expansion), report, f.Posterior.State(), left, nil
}

// fitSparse is [sparseOn] for points of any type.
func fitSparse(ctx context.Context, rows task.Points, y *mat.Dense, o GP) (f task.Function, report *sparsegp.Report, state sparsegp.State, left *nystrom.Errors, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { f, report, state, left, err = sparseOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { f, report, state, left, err = sparseOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { f, report, state, left, err = sparseOn(ctx, l, y, o) },
	})
	return f, report, state, left, err
}

// landmarkErrors measures what landmarks leave of a kernel.
func landmarkErrors[T any](ctx context.Context, k kernel.Kernel[T], xs, at data.Set[T], o GP) (*nystrom.Errors, error) {
	low, err := nystrom.New(ctx, k, at, compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, err
	}
	return low.Errors(ctx, xs, o.Seed, o.Compute)
}

// sparse returns the options of the process on landmarks.
func (o GP) sparse() sparsegp.Options {
	return sparsegp.Options{Approximation: o.Sparse, Noise: o.Noise, RowNoise: o.RowNoise, Mean: o.Mean, Weights: o.Weights, Jitter: o.Jitter, Compute: o.Compute}
}

// CheckApproximated refuses what landmarks and features do not have.
func (o GP) CheckApproximated(mapped bool) error {
	switch {
	case mapped:
		return errors.New("learner: a Gaussian process on features would be certain far from its rows, where they are as certain as near: take landmarks (--landmarks), or fit krr for the mean")
	case o.Solver == gp.CG:
		return fmt.Errorf("learner: landmarks make a system of their number, which is factored: leave the solver %q, or the landmarks, out", gp.CG)
	case o.Updatable:
		return errors.New("learner: an updatable model keeps all training rows, and one on landmarks none of them: leave one of the two out")
	}
	return nil
}

// WhyNotStreamed refuses the exact process, which has a matrix of all rows.
func (o GP) WhyNotStreamed(p *task.Task) string {
	switch {
	case p.LandmarkMap == nil:
		return "without landmarks (--landmarks) has the Gram matrix of all rows, and needs all rows in memory"
	case o.NoiseColumn != "":
		return fmt.Sprintf("reads the noise of every row in column %s, and needs all rows in memory", o.NoiseColumn)
	}
	return ""
}

// rowNumbers are those that a fit on landmarks holds for each row with p targets: these and a one,
// less their means and as residuals; k(x, x), what the landmarks leave of it, and Λ.
func rowNumbers(p int) int64 { return 2*int64(p+1) + 3 }

// Mappings is how often the features of a row are computed: once where they are held.
func (o GP) Mappings(p *task.Task) int {
	if p.LandmarkMap != nil && compute.FitsInMemory(gram.TallBytes(p.LandmarkMap.Rows, p.LandmarkMap.Landmarks, compute.Double), p.MayHold(o.Compute.MaxMemory)) {
		return 1
	}
	return 2
}

// thinMoments is how much slower than products of square matrices the moments of blocks of rows
// are, with the features that they are of.
const thinMoments = 4

// planOnLandmarks predicts what there is to do beside the features of the rows: nm² flops of
// moments; and a search before, whose evaluations compute the features, too, and nm²·3 flops and
// nm gradients of the kernel.
func (o GP) planOnLandmarks(ctx context.Context, p *task.Task) (compute.Plan, error) {
	if err := o.CheckApproximated(false); err != nil {
		return compute.Plan{}, err
	}
	exact := *p
	exact.Points = p.Points.Original()
	machine, err := exact.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	_, _, targets := p.Dims()
	n, m := p.LandmarkMap.Rows, p.LandmarkMap.Landmarks
	maps := o.Mappings(p)
	held := 2*8*int64(min(n, 1024))*int64(m) + 8*int64(n)*rowNumbers(targets)
	fresh := int64(0) // the features of all rows, where they are held
	if maps == 1 {
		fresh = gram.TallBytes(n, m, compute.Double)
		held += fresh
	}
	square, work := float64(m)*float64(m), float64(n)*float64(m)
	values := 0.0
	if machine.PairRate > 0 {
		values = work / machine.PairRate
	}
	once := compute.Cost{Stage: "moments", Memory: held + 32*int64(m)*int64(m), Flops: work*float64(m) + square*float64(m)}
	once.Seconds = thinMoments*once.Flops/machine.GemmRate + float64(maps)*values + machine.FreshSeconds(float64(fresh))
	stages := []compute.Cost{once}
	if o.Optimize {
		count := float64(gp.PlannedEvaluations * (1 + max(0, o.Restarts)))
		search := compute.Cost{Stage: "search", Memory: once.Memory + 64*int64(m)*int64(m), Flops: count * (once.Flops + float64(3+maps)*work*float64(m))}
		search.Seconds = search.Flops/machine.GemmRate + count*float64(maps+4)*values
		stages = []compute.Cost{search, once}
	}
	plan := compute.NewPlan("landmarks", machine, stages...)
	if o.Optimize {
		plan = plan.AsRough(fmt.Sprintf("the search is planned with %d evaluations of the bound per start; it may take fewer or more", gp.PlannedEvaluations))
	}
	return p.PlanStreaming(plan), nil
}
