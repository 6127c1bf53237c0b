package methods

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/propagation"
	"example.org/mercer/task"
)

// Propagate spreads the labels of some rows over all of them. The function is an expansion with the
// shares of the labels that each row came to.
type Propagate struct{ propagation.Options }

// Name returns "propagate".
func (Propagate) Name() string { return "propagate" }

// ComputeOptions are those of the fit.
func (o Propagate) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Propagate) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// CheckApproximated refuses landmarks and features.
func (o Propagate) CheckApproximated(bool) error { return refuseApproximated(o.Name()) }

// CheckHeldOut refuses to be scored on rows left out.
func (o Propagate) CheckHeldOut() error { return Laplacian{Loss: o.Name()}.CheckHeldOut() }

// WhyNotStreamed says that all rows have to be there.
func (Propagate) WhyNotStreamed(*task.Task) string { return "holds the affinities of all rows" }

// classesOf returns the classes of the rows, −1 of those without one, and how many are without.
func (o Propagate) classesOf(p *task.Task) (y []int, open int, err error) {
	rows, err := labelled(p, o.Name())
	if err != nil {
		return nil, 0, err
	}
	_, classes, err := p.Part(rows).Classes()
	if err != nil {
		return nil, 0, err
	}
	y = make([]int, p.Points.Size())
	for i := range y {
		y[i] = -1
	}
	for k, i := range rows {
		y[i] = classes[k]
	}
	return y, len(y) - len(rows), nil
}

func (o Propagate) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	y, _, err := o.classesOf(p)
	if err != nil {
		return nil, err
	}
	shares, r, err := propagation.Solve(ctx, p.Pairs(), y, o.Options)
	if err != nil {
		return nil, err
	}
	coef := shares
	if n, m := shares.Dims(); m == 2 { // one output, whose sign tells the labels
		coef = mat.NewDense(n, 1, nil)
		for i := range n {
			coef.Set(i, 0, shares.At(i, 1)-shares.At(i, 0))
		}
	}
	_, outputs := coef.Dims()
	l := &learner.Fitted{Decision: outcome.ForTargets(p.Prep), Report: r, NoIntercept: true}
	l.Function, l.Rows = p.Points.Expand(coef, make([]float64, outputs))
	return l, nil
}

func (o Propagate) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	_, open, err := o.classesOf(p)
	if err != nil {
		return compute.Plan{}, err
	}
	machine, s, err := p.Measure(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	return propagation.Plan(s.Rows, open, len(p.Prep.Targets()[0].Labels), o.Options, machine), nil
}

var propagateSpec = &learner.Spec{
	Name: "propagate", Synonyms: []string{"label-propagation", "label-spreading"},
	Title:      "labels spread to unlabelled rows",
	Target:     learner.LabelTarget,
	Unlabelled: true,
	Purpose: `Label propagation spreads the labels of some rows to those without, whose cells are empty, by the values of the kernel, which must not
be negative. Each row has the mean of the others by their affinity to it; rows with a label keep it. With --alpha they take a share of
the others', too, which forgives wrong labels: label spreading. A new row has the mean of all.`,
	Examples: []string{
		`some.csv --target kind --kernel 'rbf(sigma=0.3)'`,
		`some.csv --target kind --kernel 'rbf(sigma=0.3)' --alpha 0.8`,
	},
	Settings:   func() learner.Settings { return &propagateSettings{} },
	ReadReport: learner.PlainReport[propagation.Report],
}

// propagateSettings are the settings of label propagation.
type propagateSettings struct{ o propagation.Options }

func (s *propagateSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.o.Alpha, "alpha", 0, "share that a row takes from the others, below 1, where labels are spread; 0: labels are fixed")
}

func (s *propagateSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	o := s.o
	if o.Compute = g.Compute; !(o.Alpha >= 0 && o.Alpha < 1) {
		return nil, settings.Errorf("--alpha %g is not in [0, 1)", o.Alpha)
	}
	return Propagate{o}, nil
}
