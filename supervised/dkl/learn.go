package dkl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/lbfgs"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// Options say by what a network is learned, and how long. Lambda must be positive.
type Options struct {
	// By is the criterion; "" is the evidence.
	By krr.Criterion
	// Start is where the network starts; "" is [Drawn].
	Start Start
	// Lambda is where λ of ridge regression starts; see [krr.Options].
	Lambda float64
	// NoIntercept fixes the constant at 0.
	NoIntercept bool
	// Weights are those of the rows, nil: all 1.
	Weights []float64
	// Steps is the largest number of steps; 0: 100.
	Steps int
	// Patience is how many steps in a row may not improve what is judged; 0: 20.
	Patience int
	Compute  compute.Options
}

// defaultSteps is the largest number of steps where none is given.
const defaultSteps = 100

func (o *Options) by() krr.Criterion { return cmp.Or(o.By, krr.Evidence) }

// LearnedBy reports whether a method learns the weights of a network itself, and has a method
// LearnsNetwork that says so, as falkon has for its descent.
func LearnedBy(method any) bool {
	m, ok := method.(interface{ LearnsNetwork() bool })
	return ok && m.LearnsNetwork()
}

// Report says how a network was learned.
type Report struct {
	By          krr.Criterion `json:"by"`
	Rows        int           `json:"rows"`   // that are learned from
	Judged      int           `json:"judged"` // and that judge
	Evaluations int           `json:"evaluations"`
	// Criteria and Errors have the criterion, and the mean squared error of the rows that judge, at
	// the start and after each step. Best is the step that was kept, and Lambda the λ there.
	Criteria []float64 `json:"criteria"`
	Errors   []float64 `json:"errors"`
	Best     int       `json:"best"`
	Lambda   float64   `json:"lambda"`
	// Metric says how the metric was learned that the network started from; nil: from none.
	Metric *mahalanobis.Report `json:"metric,omitempty"`

	model.Run
}

// parted is by how much the error of the rows that judge may rise above its least, while the
// criterion goes on improving, without a warning.
const parted = 0.1

// Learn moves the weights of the network of a kernel, and λ, by L-BFGS; slope is that of the
// kernel at the images. It returns the kernel with the network of the best step. An evaluation
// for n rows takes 3n³ multiplications and 4·8n² bytes, n² values of the kernel, and the passes
// of the network; the bits do not depend on the number of workers. Errors are those of the
// options, of fewer than twenty rows, of a first system that cannot be factored, and of ctx.
func Learn(ctx context.Context, k deep.Kernel, slope gradients.Slope, xs data.Set[[]float64], y *mat.Dense, o Options) (deep.Kernel, *Report, error) {
	if err := o.check(xs.Len()); err != nil {
		return k, nil, err
	}
	watch := model.NewStopwatch()
	s := newSearch(ctx, k, slope, xs, y, o)
	if o.Start == Metric {
		if err := s.startFromMetric(); err != nil {
			return k, nil, err
		}
	}
	theta := append(slices.Clone(s.start.Weights), math.Log(o.Lambda))
	_, err := lbfgs.Minimize(theta, s.at, lbfgs.Options{Steps: cmp.Or(o.Steps, defaultSteps), Relative: 1e-6, Unchanged: 5, Stepped: s.take,
		Enough: func() bool { return len(s.report.Errors)-1-s.report.Best >= cmp.Or(o.Patience, 20) }})
	if err != nil {
		return k, nil, err
	}
	r := s.report
	r.Lambda = math.Exp(s.best[len(s.best)-1])
	if last := len(r.Errors) - 1; r.Errors[last] > (1+parted)*r.Errors[r.Best] && r.Criteria[last] < r.Criteria[r.Best] {
		r.Warn("after step %d the %s of the rows that are learned from went on improving while the error of those kept aside rose by %.0f %%: the network of that step is kept; fewer units, or more rows, would part them later",
			r.Best, r.By, 100*(math.Sqrt(r.Errors[last]/r.Errors[r.Best])-1))
	}
	watch.Lap(&r.Run, "network")
	learned, err := k.WithNetwork(s.network(s.best))
	return learned, r, err
}

func (o *Options) check(n int) error {
	c := model.NewChecks("dkl")
	if err := o.by().Check(); err != nil {
		c.Add("%s", err)
	}
	if !(o.Lambda > 0) || math.IsInf(o.Lambda, 1) {
		c.Add("lambda = %v must be a number above 0: the penalty starts there", o.Lambda)
	}
	if o.Start != "" && !slices.Contains(Starts, o.Start) {
		c.Add("start %q is not known; there are %q", o.Start, Starts)
	}
	if o.Steps < 0 || o.Patience < 0 {
		c.Add("steps = %d, patience = %d: neither may be negative", o.Steps, o.Patience)
	}
	if n < 20 {
		c.Add("%d rows are too few to learn a network: every tenth row judges the steps", n)
	}
	return c.Err()
}

// search is a descent over weights and ln λ.
type search struct {
	ctx     context.Context
	k       deep.Kernel
	slope   gradients.Slope
	start   deep.Network
	xs      data.Vectors
	y       *mat.Dense
	weights []float64 // 0 for the rows that judge
	judging []int
	total   float64
	o       Options
	last    *evaluation
	best    []float64
	report  *Report
}

func newSearch(ctx context.Context, k deep.Kernel, slope gradients.Slope, xs data.Set[[]float64], y *mat.Dense, o Options) *search {
	n := xs.Len()
	s := &search{ctx: ctx, k: k, slope: slope, start: k.Started(xs), xs: data.Gather(xs, data.Range(0, n)), y: y, o: o, weights: make([]float64, n), report: &Report{By: o.by()}}
	for i := range n {
		if i%10 == 9 {
			s.judging = append(s.judging, i)
			continue
		}
		s.weights[i] = model.Weight(o.Weights, i)
		s.total += s.weights[i]
	}
	s.report.Judged, s.report.Rows = len(s.judging), n-len(s.judging)
	return s
}

// network returns that of θ.
func (s *search) network(theta []float64) deep.Network {
	n := s.start
	n.Weights = slices.Clone(theta[:len(theta)-1])
	return n
}

// at evaluates at θ. Where the system is singular the value is +Inf, but at the start.
func (s *search) at(theta []float64) (value float64, grad []float64, err error) {
	s.report.Evaluations++
	grad = make([]float64, len(theta))
	told := []float64{math.Inf(1), 0, math.Inf(1)} // value, judged, criterion
	err = s.o.Compute.Step(s.ctx, "evaluation", [][]float64{told, grad}, func() error {
		found, err := s.evaluate(theta)
		var singular *linalg.NotPositiveDefinite
		switch {
		case errors.As(err, &singular) && s.report.Evaluations > 1:
			return nil // the step was too long, and the line search turns back
		case err != nil:
			return err
		}
		copy(told, []float64{found.value, found.judged, found.criterion})
		copy(grad, found.grad)
		return nil
	})
	s.last = &evaluation{value: told[0], judged: told[1], criterion: told[2], grad: grad}
	return told[0], grad, err
}

// take notes a step, the last evaluation, and keeps the best.
func (s *search) take(theta []float64) error {
	r := s.report
	r.Criteria, r.Errors = append(r.Criteria, s.last.criterion), append(r.Errors, s.last.judged)
	if step := len(r.Errors) - 1; step == 0 || s.last.judged < r.Errors[r.Best] {
		r.Best, s.best = step, slices.Clone(theta)
	}
	return nil
}

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	from := ""
	if r.Metric != nil && r.Metric.Best > 0 {
		from = fmt.Sprintf(" from the metric of round %d", r.Metric.Best)
	}
	return []model.Line{model.Linef("network", "learned by %s%s, step %d of %d by %d rows: RMSE %s of %d rows kept aside, %s at the start", r.By, from, r.Best, len(r.Errors)-1, r.Rows,
		model.FormatNumber(math.Sqrt(r.Errors[r.Best])), r.Judged, model.FormatNumber(math.Sqrt(r.Errors[0])))}
}

// String names the criterion and the rows.
func (r *Report) String() string { return fmt.Sprintf("%s by %d rows", r.By, r.Rows) }
