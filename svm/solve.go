package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/kernel"
	"mercer/model"
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
// Cost: of the order of (rows that become support vectors)·n kernel values and memory
// for as many float32 numbers, at most n² of each. Errors: every problem of the options;
// fewer than two classes with any weight; a ν that no coefficients can satisfy; with
// C = ∞ a [*NotSeparable]; kernel values that are not finite. That a search did not
// converge is no error: [Report.Converged] and a warning say so.
func Solve(ctx context.Context, k gram.Operator, y []int, o Options) (*Solution, *Report, error) {
	o = o.withDefaults(CSVC)
	n, err := checked(k, o, len(y), CSVC, NuSVC)
	if err != nil {
		return nil, nil, err
	}
	classes, dropped, err := classesOf(y, &o)
	if err != nil {
		return nil, nil, err
	}
	j, err := newJob(ctx, k, n, o)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range dropped {
		j.report.Warn("class %d has no row of a weight above 0: no machine knows it", c)
	}
	d := newDecision(o.Scheme, classes)
	j.report.Decision = &d
	for at, positive := range d.Positive {
		if err := j.addPair(y, positive, d.Negative[at]); err != nil {
			return nil, nil, err
		}
	}
	return j.run(ctx)
}

// SolveRegression learns a function from the symmetric operator k = K (n×n) and the
// targets y, with [EpsilonSVR] or [NuSVR]. Cost and errors are those of [Solve].
func SolveRegression(ctx context.Context, k gram.Operator, y []float64, o Options) (*Solution, *Report, error) {
	o = o.withDefaults(EpsilonSVR)
	n, err := checked(k, o, len(y), EpsilonSVR, NuSVR)
	if err != nil {
		return nil, nil, err
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("svm: y[%d] = %v: targets must be finite; drop or fill the row", i, v)
		}
	}
	j, err := newJob(ctx, k, n, o)
	if err != nil {
		return nil, nil, err
	}
	rows := j.weighted(nil)
	targets := make([]float64, len(rows))
	for i, row := range rows {
		targets[i] = y[row]
	}
	if err := j.add(0, 0, rows, nil, targets); err != nil {
		return nil, nil, err
	}
	return j.run(ctx)
}

// SolveOneClass learns where the rows lie from the symmetric operator k = K (n×n): the
// value of a new point is above 0 if it looks like them. Cost and errors are those of
// [Solve].
func SolveOneClass(ctx context.Context, k gram.Operator, o Options) (*Solution, *Report, error) {
	o = o.withDefaults(OneClass)
	rows, _ := k.Dims()
	n, err := checked(k, o, rows, OneClass)
	if err != nil {
		return nil, nil, err
	}
	j, err := newJob(ctx, k, n, o)
	if err != nil {
		return nil, nil, err
	}
	if err := j.add(0, 0, j.weighted(nil), nil, nil); err != nil {
		return nil, nil, err
	}
	return j.run(ctx)
}

// checked validates what every entry point is given and returns n.
func checked(k gram.Operator, o Options, targets int, allowed ...Type) (int, error) {
	n, cols := k.Dims()
	if n != cols {
		return 0, fmt.Errorf("svm: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	if targets != n {
		return 0, fmt.Errorf("svm: %d targets for a Gram matrix of %d rows: one is needed for each", targets, n)
	}
	return n, o.validate(n, allowed...)
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
	pairs    kernel.Pairs
	diag     []float64
	machines []*machine
	report   *Report
	watch    *model.Stopwatch
}

// newJob sees the operator as pairs: those of a stream or a matrix in memory are at
// hand, any other operator is multiplied out.
func newJob(ctx context.Context, k gram.Operator, n int, o Options) (*job, error) {
	j := &job{o: o, n: n, report: &Report{Type: o.Type, N: n, Tolerance: o.Tolerance}, watch: model.NewStopwatch(), diag: make([]float64, n)}
	switch k := k.(type) {
	case interface{ Pairs() kernel.Pairs }:
		j.pairs = k.Pairs()
	default:
		dense, err := gram.Materialize(ctx, k, o.Compute)
		if err != nil {
			return nil, err
		}
		j.pairs = gram.FromMatrix(dense).Pairs()
	}
	kernel.Diag(j.pairs, j.diag)
	for i, v := range j.diag {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("svm: the kernel value of row %d with itself is %v; a kernel matrix holds finite numbers", i, v)
		}
	}
	return j, nil
}

// weighted returns the rows with a weight above 0 that are wanted; nil wants all.
func (j *job) weighted(want func(row int) bool) []int {
	var rows []int
	for i := range j.n {
		if j.o.weight(i) > 0 && (want == nil || want(i)) {
			rows = append(rows, i)
		}
	}
	return rows
}

// addPair adds the machine of two classes; negative = −1 is all the others.
func (j *job) addPair(y []int, positive, negative int) error {
	rows := j.weighted(func(row int) bool { return negative < 0 || y[row] == positive || y[row] == negative })
	is := make([]bool, len(rows))
	for i, row := range rows {
		is[i] = y[row] == positive
	}
	return j.add(positive, negative, rows, is, nil)
}

// add adds a machine.
func (j *job) add(positive, negative int, rows []int, is []bool, targets []float64) error {
	p, err := formulate(&j.o, is, targets, weightsOf(&j.o, rows))
	if err != nil {
		return err
	}
	j.machines = append(j.machines, newMachine(positive, negative, rows, p, j.diag))
	return nil
}
