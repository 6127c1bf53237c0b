package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Solution is the functions of all machines over the n training rows: f_j(x) =
// Σᵢ Coef[i,j] k(x, xᵢ) + Bias[j].
type Solution struct {
	Coef *mat.Dense
	Bias []float64
}

// Solve learns a classifier from the symmetric operator k = K (n×n) and the classes
// y[i] ≥ 0, one or more two-class machines of [CSVC] or [NuSVC]. See the package comment
// for the problem.
//
// Cost: an operator that is bound is searched as a whole, with n² float32 numbers in
// memory; of points ([Fit]) of the order of (rows that become support vectors)·n kernel
// values, and memory for the square of about twice these rows. Errors: every problem of the
// options; fewer than two classes with any weight; a ν that no coefficients can satisfy; with C = ∞
// a [*NotSeparable]; kernel values that are not finite. That a search did not converge is no error:
// [Report.Converged] and a warning say so.
func Solve(ctx context.Context, k gram.Operator, y []int, o Options) (*Solution, *Report, error) {
	src, n, err := operator(ctx, k, o)
	if err != nil {
		return nil, nil, err
	}
	return classify(ctx, src, n, y, o)
}

// SolveRegression learns a function from the symmetric operator k = K (n×n) and the
// targets y, with [EpsilonSVR] or [NuSVR]. Cost and errors are those of [Solve].
func SolveRegression(ctx context.Context, k gram.Operator, y []float64, o Options) (*Solution, *Report, error) {
	src, n, err := operator(ctx, k, o)
	if err != nil {
		return nil, nil, err
	}
	return regress(ctx, src, n, y, o)
}

// SolveOneClass learns where the rows lie from the symmetric operator k = K (n×n): the
// value of a new point is above 0 if it looks like them. Cost and errors are those of
// [Solve].
func SolveOneClass(ctx context.Context, k gram.Operator, o Options) (*Solution, *Report, error) {
	src, n, err := operator(ctx, k, o)
	if err != nil {
		return nil, nil, err
	}
	return detect(ctx, src, n, o)
}

// operator returns the square operator as a source.
func operator(ctx context.Context, k gram.Operator, o Options) (source, int, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, 0, fmt.Errorf("svm: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	src, err := newMatrix(ctx, k, o.Compute)
	return src, n, err
}

// classify is Solve for any source.
func classify(ctx context.Context, src source, n int, y []int, o Options) (*Solution, *Report, error) {
	j, err := classifierJob(src, n, y, o)
	if err != nil {
		return nil, nil, err
	}
	return j.run(ctx)
}

// classifierJob validates and makes the machines.
func classifierJob(src source, n int, y []int, o Options) (*job, error) {
	o = o.withDefaults(CSVC)
	if err := o.validate(n, len(y), CSVC, NuSVC); err != nil {
		return nil, err
	}
	classes, dropped, err := classesOf(y, &o)
	if err != nil {
		return nil, err
	}
	var order []int
	span := make([]span, classes[len(classes)-1]+1)
	for _, c := range classes {
		span[c].from = len(order)
		for i, class := range y {
			if class == c && o.weight(i) > 0 {
				order = append(order, i)
			}
		}
		span[c].to = len(order)
	}
	j := newJob(src, n, order, o)
	for _, c := range dropped {
		j.report.Warn("class %d has no row of a weight above 0: no machine knows it", c)
	}
	d := newDecision(o.Scheme, classes)
	j.report.Decision = &d
	for at, positive := range d.Positive {
		if err := j.addClasses(positive, d.Negative[at], span); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// regress is SolveRegression for any source.
func regress(ctx context.Context, src source, n int, y []float64, o Options) (*Solution, *Report, error) {
	j, err := regressionJob(src, n, y, o)
	if err != nil {
		return nil, nil, err
	}
	return j.run(ctx)
}

// regressionJob validates and makes the machine.
func regressionJob(src source, n int, y []float64, o Options) (*job, error) {
	o = o.withDefaults(EpsilonSVR)
	if err := o.validate(n, len(y), EpsilonSVR, NuSVR); err != nil {
		return nil, err
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("svm: y[%d] = %v: targets must be finite; drop or fill the row", i, v)
		}
	}
	j := newJob(src, n, o.weighted(n), o)
	targets := make([]float64, len(j.order))
	for i, row := range j.order {
		targets[i] = y[row]
	}
	return j, j.add(0, 0, []span{{0, len(j.order)}}, targets)
}

// detect is SolveOneClass for any source.
func detect(ctx context.Context, src source, n int, o Options) (*Solution, *Report, error) {
	j, err := oneClassJob(src, n, o)
	if err != nil {
		return nil, nil, err
	}
	return j.run(ctx)
}

// oneClassJob validates and makes the machine.
func oneClassJob(src source, n int, o Options) (*job, error) {
	o = o.withDefaults(OneClass)
	if err := o.validate(n, n, OneClass); err != nil {
		return nil, err
	}
	j := newJob(src, n, o.weighted(n), o)
	return j, j.add(0, 0, []span{{0, len(j.order)}}, nil)
}

// classesOf returns the classes that have any weight, and those below the largest that
// have rows but none of it.
func classesOf(y []int, o *Options) (classes, dropped []int, err error) {
	count := 0
	for i, c := range y {
		if c < 0 {
			return nil, nil, fmt.Errorf("svm: row %d is of class %d: classes are numbered from 0", i, c)
		}
		count = max(count, c+1)
	}
	present, weighs := make([]bool, count), make([]bool, count)
	for i, c := range y {
		present[c] = true
		weighs[c] = weighs[c] || o.weight(i) > 0
	}
	for c := range count {
		switch {
		case weighs[c]:
			classes = append(classes, c)
		case present[c]:
			dropped = append(dropped, c)
		}
	}
	if len(classes) < 2 {
		return nil, nil, fmt.Errorf("svm: all rows that have a weight are of class %d: a classifier needs two classes; for rows of one kind use %s", classes[0], OneClass)
	}
	return classes, dropped, nil
}

// job is one fit on its way.
type job struct {
	o        Options
	n        int
	src      source
	order    []int        // the rows with a weight, those of a class together
	all      kernel.Pairs // the rows of the order with themselves, where they were bound, until the search is prepared
	diag     []float64
	double   multiplier // the matrix of the order in double precision, where it or its features are in memory
	machines []*machine
	again    bool // machines will be searched again, with other bounds
	started  bool // at given coefficients, whose exact gradient is known
	judged   bool // and nothing more is wanted
	report   *Report
	watch    *model.Stopwatch
}

// newJob prepares the fit of n rows, those that have a weight in the given order.
func newJob(src source, n int, order []int, o Options) *job {
	return &job{o: o, n: n, src: src, order: order,
		report: &Report{Type: o.Type, N: n, Tolerance: o.Tolerance}, watch: model.NewStopwatch()}
}

// addClasses adds the machine of two classes; negative = −1 is all the others.
func (j *job) addClasses(positive, negative int, of []span) error {
	spans := []span{of[positive]}
	if negative >= 0 {
		spans = append(spans, of[negative])
	} else {
		spans = append(spans, span{0, of[positive].from}, span{of[positive].to, len(j.order)})
	}
	return j.add(positive, negative, spans, nil)
}

// add adds a machine on the rows of the spans, of which the first is the positive class.
func (j *job) add(positive, negative int, spans []span, targets []float64) error {
	weights := make([]float64, 0, rowsOf(spans))
	for _, s := range spans {
		for _, row := range j.order[s.from:s.to] {
			weights = append(weights, j.o.weight(row))
		}
	}
	p, err := formulate(&j.o, spans[0].to-spans[0].from, targets, weights)
	if err != nil {
		return err
	}
	j.machines = append(j.machines, newMachine(positive, negative, spans, p))
	return nil
}
