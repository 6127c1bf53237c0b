package learner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Calibrated is a method with what it does not say by itself: probabilities that agree
// with its labels, and scores for label sets and intervals with a chosen coverage. Both
// come from values of the training rows that were learned without them: the exact
// leave-one-out values where the method has them, or those of the rows that it leaves out
// itself, else those of folds, which share one Gram matrix. The function is that of the method
// alone.
type Calibrated struct {
	Learner
	// Probabilities is the map from values to probabilities; "": none.
	Probabilities calibrate.Method
	// Conformal keeps the scores of the training rows in the model, see mercer.Model.Sets and
	// mercer.Model.Bounds.
	Conformal bool
	// Folds is the number of folds, 0: 5, stratified by labels and drawn by Seed.
	Folds int
	Seed  uint64
}

// LearnsNetwork is that of the method.
func (c Calibrated) LearnsNetwork() bool { return dkl.LearnedBy(c.Learner) }

func (Calibrated) WhyNotStreamed(*task.Task) string {
	return "learns probabilities, label sets or intervals from folds of the rows, and needs all of them in memory (without --probabilities and --conformal it may not)"
}

// judging is a method that leaves rows out itself to judge what it learns.
type judging interface {
	// Judging reports whether it does so with these options.
	Judging() bool
	// FitJudged also returns the rows, and the values there of the function that had not learned
	// from them; nil: there are too few rows to leave any out.
	FitJudged(ctx context.Context, p *task.Task) (l *Fitted, judges []int, values *mat.Dense, err error)
}

// heldOut are values of rows by functions that did not learn from them.
type heldOut struct {
	rows   []int // nil: all
	values *mat.Dense
}

// of returns targets and weights of the rows. The weights are nil where those of all rows count.
func (h heldOut) of(p *task.Task) (y *mat.Dense, weights []float64) {
	if h.rows == nil {
		return p.Rows.Y, nil
	}
	_, outputs := p.Rows.Y.Dims()
	y, weights = mat.NewDense(len(h.rows), outputs, nil), make([]float64, len(h.rows))
	for to, from := range h.rows {
		y.SetRow(to, p.Rows.Y.RawRowView(from))
		weights[to] = model.Weight(p.Rows.W, from)
	}
	return y, weights
}

// fit also returns held-out values where the method has them at once.
func (c Calibrated) fit(ctx context.Context, p *task.Task) (*Fitted, heldOut, error) {
	m, ok := c.Learner.(judging)
	if !ok {
		l, err := c.Learner.Fit(ctx, p)
		return l, heldOut{}, err
	}
	none := fmt.Errorf("learner: %s leaves no rows out, from which probabilities and conformal scores are made: let rows judge (--validation above 0, no --last-round)", c.Name())
	if !m.Judging() {
		return nil, heldOut{}, none
	}
	l, rows, values, err := m.FitJudged(ctx, p)
	if err == nil && values == nil {
		err = none
	}
	return l, heldOut{rows, values}, err
}

func (c Calibrated) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	l, held, err := c.fit(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(p.Prep.Targets()) != 1 {
		return nil, fmt.Errorf("learner: probabilities and conformal scores are of one target, and there are %d: name one", len(p.Prep.Targets()))
	}
	if c.Probabilities != "" && (l.Decision.Link != "" || l.Decision.Rule == outcome.Centres) {
		return nil, fmt.Errorf("learner: the method %s has probabilities of its own: fit it without others", c.Name())
	}
	began := time.Now()
	if held.values == nil {
		if held.values, err = c.heldOut(ctx, p, l); err != nil {
			return nil, fmt.Errorf("learner: values of rows that were not learned from: %w", err)
		}
	}
	if err := c.calibrate(p, l, held); err != nil {
		return nil, err
	}
	if c.Conformal {
		y, weights := held.of(p)
		scores, err := l.Decision.HeldOut().Nonconformity(p.Prep.Targets(), y, held.values)
		if err != nil {
			return nil, err
		}
		l.States = append(l.States, &ConformalScores{scores, weights})
	}
	run, seconds := l.Report.Ran(), time.Since(began).Seconds()
	run.Stages = append(run.Stages, model.Stage{Name: "held-out values", Seconds: seconds})
	run.Seconds += seconds
	return l, nil
}

// WithCompute computes by other options.
func (c Calibrated) WithCompute(o compute.Options) Learner {
	c.Learner = c.Learner.WithCompute(o)
	return c
}

// calibrate fits the map to the values of rows that were held out.
func (c Calibrated) calibrate(p *task.Task, l *Fitted, held heldOut) error {
	if c.Probabilities == "" {
		return nil
	}
	_, class, err := p.Classes()
	if err != nil {
		return err
	}
	columns, err := l.Decision.Columns(p.Prep.Targets())
	if err != nil {
		return err
	}
	weights := p.Rows.W
	if held.rows != nil {
		_, weights = held.of(p)
		class = data.Pick(class, held.rows)
	}
	if l.Decision.Calibration, err = calibrate.Fit(c.Probabilities, held.values, columns, class, weights); err != nil {
		return fmt.Errorf("learner: %w", err)
	}
	for j, s := range l.Decision.Calibration.Sided {
		if s.Below == 0 || s.Above == 0 {
			l.Report.Ran().Warn("output %s: on one side of 0 most held-out rows are of the other class; all that probabilities can say there without contradicting the label is ½", l.Decision.Outputs[j])
		}
	}
	return nil
}

// heldOut returns for every row the values of what was learned without it.
func (c Calibrated) heldOut(ctx context.Context, p *task.Task, l *Fitted) (*mat.Dense, error) {
	if r, ok := StateOf[Residuals](l); ok && r.Residuals() != nil {
		var held mat.Dense
		held.Sub(p.Rows.Y, r.Residuals())
		return &held, nil
	}
	if l.Decision.Rule == outcome.Centres {
		return nil, fmt.Errorf("the outputs of the method %s lie along directions that are others in every fold", c.Name())
	}
	if _, ok := c.Learner.(Solver); !ok {
		return nil, fmt.Errorf("the method %s does not learn from a Gram matrix", c.Name())
	}
	splits, err := c.splits(p)
	if err != nil {
		return nil, err
	}
	if c.inFeatures(p) {
		return c.heldInFeatures(ctx, p, l, splits)
	}
	return c.heldInMatrix(ctx, p, l, splits)
}

// inFeatures reports whether the folds learn in the features that stand for the kernel, and make no
// Gram matrix.
func (c Calibrated) inFeatures(p *task.Task) bool {
	return p.NarrowFeatures() > 0 && p.Indefinite == "" && CheckScorable(c.Learner, p.FeatureMap != nil) == nil
}

// heldInMatrix returns the values of held-out rows from folds that share the Gram matrix.
func (c Calibrated) heldInMatrix(ctx context.Context, p *task.Task, l *Fitted, splits []tune.Split) (*mat.Dense, error) {
	k, err := p.Matrix(ctx, c.ComputeOptions())
	if err != nil {
		return nil, err
	}
	return tune.HeldOut(ctx, k, splits, len(l.Function.Bias()), func(ctx context.Context, k gram.Operator, rows []int, o compute.Options) (*tune.Function, error) {
		s, err := c.Learner.WithCompute(o).(Solver).Solve(ctx, k, p.Part(rows))
		if err != nil {
			return nil, err
		}
		return s.function(), sameClasses(s.Decision.HeldOut(), l)
	}, c.ComputeOptions())
}

// heldInFeatures returns them from folds that share the features of all rows.
func (c Calibrated) heldInFeatures(ctx context.Context, p *task.Task, l *Fitted, splits []tune.Split) (*mat.Dense, error) {
	op, err := p.Points.Operator(ctx, c.ComputeOptions())
	if err != nil {
		return nil, err
	}
	features, ok := op.(*gram.FeatureOperator)
	if !ok {
		return c.heldInMatrix(ctx, p, l, splits)
	}
	q, err := onFeatures(p, features.Phi())
	if err != nil {
		return nil, err
	}
	q.LandmarkMap, q.FeatureMap = nil, nil // its points are the features
	method := aloneIn(c.Learner)
	return tune.HeldOutBy(ctx, p.Points.Size(), splits, len(l.Function.Bias()), func(ctx context.Context, s tune.Split, values *mat.Dense, o compute.Options) error {
		found, err := method.WithCompute(o).Fit(ctx, q.Part(s.Train))
		if err != nil {
			return err
		}
		if err := sameClasses(found.Decision.HeldOut(), l); err != nil {
			return err
		}
		outputs, err := valuesOf(found.Function, rowsAt(features.Phi(), s.Test), c.ComputeOptions())
		if err == nil {
			values.Copy(outputs)
		}
		return err
	}, c.ComputeOptions())
}

// aloneIn returns a method without what it does beside its function.
func aloneIn(m Learner) Learner {
	if o, more := m.(interface{ FunctionOnly() Learner }); more {
		return o.FunctionOnly()
	}
	return m
}

// sameClasses refuses a fold that decides between other classes than the whole.
func sameClasses(d outcome.Decision, l *Fitted) error {
	if !d.Equal(l.Decision.HeldOut()) {
		return errors.New("a fold decides between other classes than the whole: some class has too few rows with a weight")
	}
	return nil
}

// splits draws the folds.
func (c Calibrated) splits(p *task.Task) ([]tune.Split, error) {
	n, folds := p.Points.Size(), c.Folds
	if folds == 0 {
		folds = 5
	}
	folds = min(folds, n)
	if _, classes, err := p.Classes(); err == nil {
		return tune.StratifiedKFold(classes, folds, c.Seed)
	}
	return tune.KFold(n, folds, c.Seed)
}

// Plan adds the folds to the plan of the method: their matrix or features, and fits to parts of the
// rows, whose work is taken to grow with the square of their number, in features with that. What
// one fold let go is not collected before the next: its memory counts twice.
func (c Calibrated) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	plan, err := c.Learner.Plan(ctx, p)
	if err != nil {
		return plan, err
	}
	if o, ok := c.Learner.(interface{ LeavesOut() bool }); ok && o.LeavesOut() {
		return plan, nil
	}
	if _, ok := c.Learner.(judging); ok {
		return plan, nil
	}
	folds := float64(c.Folds)
	if folds == 0 {
		folds = 5
	}
	n, _, _ := p.Dims()
	if c.inFeatures(p) {
		left := (folds - 1) / folds // of the rows, whose number the work of a fold grows with
		matrix := 8 * float64(n) * float64(p.NarrowFeatures())
		return plan.After(compute.Cost{Stage: "held-out values", Memory: int64(matrix + 2*(matrix+left*float64(plan.Working()))), Seconds: folds * left * plan.Seconds}), nil
	}
	part := (folds - 1) / folds * (folds - 1) / folds
	matrix := 8 * float64(n) * float64(n)
	tested := matrix * (folds - 1) / folds / folds // of test rows against the others
	return plan.After(compute.Cost{Stage: "held-out values",
		Memory: int64(matrix + 2*(tested+part*float64(plan.Working()))), Seconds: folds * part * plan.Seconds}), nil
}

// CheckApproximated asks the method, which is to score rows that are left out.
func (c Calibrated) CheckApproximated(mapped bool) error { return CheckScorable(c.Learner, mapped) }

// Describe has the options of the method before those of what is made of its folds.
func (c Calibrated) Describe() string {
	inner := Describe(c.Learner)
	c.Learner = nil
	return fmt.Sprintf("%s %+v", inner, c)
}

// Choose lets the method choose.
func (c Calibrated) Choose(ctx context.Context, p *task.Task) (Learner, func(*Fitted), error) {
	inner, report, err := chooseParameters(ctx, p, c.Learner)
	c.Learner = inner
	return c, report, err
}
