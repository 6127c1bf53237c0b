package distance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// RFM is recursive feature machines. Its options take the row weights from the problem, and draw
// the rows that judge.
type RFM struct {
	rfm.Options
	// Lambda is λ = R/N, where R is not given.
	Lambda float64
	// Validation is the share of the rows that judge the rounds; 0: leave-one-out errors of all.
	Validation float64
	// Last keeps the last round, and nobody judges.
	Last bool
	// Precision is that of the factors of rounds that rows judge; predictions are made in double.
	Precision compute.Precision
	Seed      uint64
	// Leaves is the number of rows from which on a tree divides them, and of a leaf at most; 0:
	// nothing divides them.
	Leaves int
}

// Name returns "rfm".
func (RFM) Name() string { return "rfm" }

// ComputeOptions are those of the fit.
func (o RFM) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o RFM) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// on puts the row weights of a problem in the options, and draws the rows that judge.
func (o RFM) on(p *task.Task) rfm.Options {
	n := p.Points.Size()
	o.Weights, o.Compute.Precision = p.Rows.W, o.Precision
	if o.Ridge == 0 {
		total := 0.0
		for i := range n {
			total += model.Weight(o.Weights, i)
		}
		o.Ridge = o.Lambda * total
	}
	if o.Last {
		o.Judges = []int{}
		return o.Options
	}
	if count := int(math.Round(o.Validation * float64(n))); count > 0 {
		o.Judges = rand.New(rand.NewPCG(o.Seed, 0x72666d)).Perm(n)[:count]
		slices.Sort(o.Judges)
	}
	return o.Options
}

// errNoDistance is why a kernel on other points is refused.
var errNoDistance = errors.New("learner: rfm learns the distance of vectors, and the kernel compares other points: take a kernel on columns of numbers, or fit krr")

// points returns the vectors and the gradient of their kernel.
func (RFM) points(p *task.Task) (task.TypedPoints[[]float64], gradients.Slope, error) {
	l, ok := task.VectorPoints(p.Points)
	if !ok {
		return l, nil, errNoDistance
	}
	if _, ok := l.Kernel.(vec.Columns); ok {
		return l, nil, fmt.Errorf("learner: the kernel %s chooses columns, which rfm weighs itself: leave the others out of the table (--drop)", l.Kernel)
	}
	slope, err := Slope(l.Kernel)
	if err != nil {
		return l, nil, fmt.Errorf("learner: rfm learns a distance from gradients: %w", err)
	}
	if p.Indefinite != "" {
		return l, nil, errors.New("learner: rfm changes the kernel from round to round, and a treatment of its matrix (--psd) is for one: leave it out")
	}
	return l, slope, nil
}

// Fit learns from a task. The function is one of the rows themselves, under the metric that was
// found.
func (o RFM) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	f, _, _, err := o.FitJudged(ctx, p)
	return f, err
}

// Judging reports whether rows are left out to judge the rounds.
func (o RFM) Judging() bool { return o.Validation > 0 && !o.Last }

// FitJudged is [RFM.Fit], with the rows that judged and the values there of the function that had
// not learned from them; nil: nobody judged, or all rows did by leave-one-out errors. The values
// have chosen among a few rounds, and are a little too good for that.
func (o RFM) FitJudged(ctx context.Context, p *task.Task) (*learner.Fitted, []int, *mat.Dense, error) {
	l, slope, err := o.points(p)
	if err != nil {
		return nil, nil, nil, err
	}
	y, err := p.Targets()
	if err != nil {
		return nil, nil, nil, err
	}
	how := o.on(p)
	if o.Leaves > 0 && l.Set.Len() > o.Leaves {
		f, judged, err := o.fitTree(ctx, p, l, slope, y, how)
		return f, how.Judges, judged, err
	}
	m, report, err := rfm.Fit(ctx, l.Kernel, slope, l.Set, y, how)
	if err != nil {
		return nil, nil, nil, err
	}
	k := l.Kernel
	if m.Metric != nil {
		if k, err = Under(m.Metric, k); err != nil {
			return nil, nil, nil, err
		}
	}
	report.Columns, _ = p.Prep.Features()
	f := &model.Expansion[[]float64]{Kernel: k, Points: l.Set, Coef: m.Coef, Bias: m.Bias}
	return &learner.Fitted{Function: task.NewFunction(l.Encoding, k, f), Decision: outcome.ForTargets(p.Prep), Report: report}, how.Judges, m.Judged, nil
}

// Solve refuses a Gram matrix, in which there is no distance to change.
func (RFM) Solve(context.Context, gram.Operator, *task.Task) (*learner.Solution, error) {
	return nil, errors.New("learner: rfm learns the distance of its kernel, and cannot learn from a Gram matrix alone: fit krr for that")
}

// CheckApproximated refuses landmarks and features, which stand for one kernel.
func (RFM) CheckApproximated(bool) error {
	return errors.New("learner: rfm changes its kernel from round to round, and landmarks or features stand for one: leave them out, or fit falkon with --descent")
}

// FoldOnPoints learns from some rows at all values of the parameters, and evaluates on others.
func (o RFM) FoldOnPoints(ctx context.Context, p *task.Task, points task.Points, rows tune.Split, values [][]float64) ([]*tune.Outcome, []error, error) {
	outcomes, failed := make([]*tune.Outcome, len(values)), make([]error, len(values))
	whole, ok := task.VectorPoints(points)
	if !ok {
		return nil, nil, errNoDistance
	}
	whole.Encoding = task.VectorEncoding
	part := p.Part(rows.Train)
	seen := whole
	seen.Set = data.Subset(whole.Set, rows.Train)
	part.Points = seen.Any()
	for i, v := range values {
		var f *learner.Fitted
		if f, failed[i] = o.With(v).Fit(ctx, part); failed[i] == nil {
			found, _ := task.VectorEncoding.FunctionOf(f.Function)
			var outputs *mat.Dense
			outputs, failed[i] = found.Predictor.Predict(ctx, data.Subset(whole.Set, rows.Test), compute.Options{Workers: o.Compute.Workers})
			outcomes[i] = &tune.Outcome{Outputs: outputs, Tag: f.Decision.HeldOut()}
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	return outcomes, failed, nil
}

// Axes are λ in decades, and the power of the outer product.
func (RFM) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -7, 0, 1).SimplerAt(tune.Above), {Name: "power", Values: []float64{0.5, 1}}}
}

// With returns the method with values of them.
func (o RFM) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge, o.Power = values[0], 0, values[1]
	return o
}

// Plan predicts all rounds: ridge regressions, and gradients whose speed is that on a few rows.
func (o RFM) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	l, slope, err := o.points(p)
	if err != nil {
		return compute.Plan{}, err
	}
	m, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	n, d, outputs := p.Dims()
	some, _ := task.VectorPoints(p.EvenSample(timedGradients).Points)
	f := &model.Expansion[[]float64]{Kernel: l.Kernel, Points: some.Set, Coef: mat.NewDense(some.Set.Len(), outputs, nil)}
	watch := compute.StartStopwatch()
	if _, err := mahalanobis.Outer(ctx, f, slope, some.Set, nil, o.Compute.WorkerCount()); err != nil {
		return compute.Plan{}, err
	}
	judges := len(o.on(p).Judges)
	work := rfm.Work{
		Regression: krr.Work{Rows: n, Columns: d, Targets: outputs, LOO: judges == 0 && !o.Last, Solver: learner.DualSolver(p, krr.Auto), Precision: o.Precision},
		Shape:      o.Shape, Rounds: o.Rounds, Judges: judges,
		GradientRate: float64(some.Set.Len()*some.Set.Len()) / watch.Seconds(),
	}
	if o.Leaves > 0 && n > o.Leaves {
		return rfm.PlanTree(work, o.Leaves, m, o.Compute.MaxMemory), nil
	}
	return rfm.Plan(work, m, o.Compute.MaxMemory), nil
}

// timedGradients is the number of rows at which, and from which, gradients are timed.
const timedGradients = 600

// ReadRFM reads the report of a fit, and makes sure that what is printed of it is there.
func ReadRFM(text json.RawMessage, outputs int) (learner.Report, error) {
	found, err := learner.PlainReport[rfm.Report](text, outputs)
	if err != nil {
		return nil, err
	}
	if r := found.(*rfm.Report); r.Train == nil || len(r.Train.RMSE) != outputs || r.Train.Accuracy != nil && len(r.Train.Accuracy) != outputs {
		return nil, fmt.Errorf("it does not have the scores of %d outputs", outputs)
	}
	return found, nil
}
