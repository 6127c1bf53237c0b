package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Rows is what problems learn from: [Dual] or [Primal].
type Rows interface {
	Len() int
	// source is what kernel values are computed of, nil where none are.
	source() gram.Source
	// solve searches all problems of a job on these rows.
	solve(ctx context.Context, j *job) (*Solution, *Report, error)
}

// Dual is rows of a kernel of which values are computed: coefficients are searched pair by pair.
type Dual struct{ gram.Source }

// Primal is rows of which explicit features are known, K = ΦΦᵀ: the weights of the features are
// searched by an interior point. The features go by in blocks in every pass, or are held where
// [compute.FitsInMemory] has room.
type Primal struct{ design.Matrix }

// Len returns the number of rows.
func (p Primal) Len() int { return p.Rows }

// Solution is the functions of all problems:
//
//	f_j(x) = Σᵢ Coef[i,j] k(x, x_Rows[i]) + Bias[j] = ⟨W[·,j], φ(x)⟩ + Bias[j].
type Solution struct {
	Rows []int      // with a coefficient in any problem; row 0 where there are none
	Coef *mat.Dense // theirs, a column per problem
	Bias []float64
	W    *mat.Dense // features × problems, of a [Primal] problem
}

// All returns the coefficients of all n rows, n × problems.
func (s *Solution) All(n int) *mat.Dense {
	_, problems := s.Coef.Dims()
	all := mat.NewDense(n, problems, nil)
	for i, row := range s.Rows {
		all.SetRow(row, s.Coef.RawRowView(i))
	}
	return all
}

// Solve learns a classifier from rows and their classes y[i] ≥ 0: one or more binary problems of
// [CSVC] or [NuSVC]. See the package comment for the problem.
//
// Cost of [Dual]: a matrix that is bound is searched as a whole, with n² float32 numbers in
// memory; of points ([gram.On]) of the order of (rows that become support vectors)·n kernel
// values, and memory for the square of about twice these rows. Cost of [Primal]: 15 to 40
// iterations of three passes, nD² flops each beside the features; some 70 bytes for each row and
// problem, twice as many for a regression, and 8·2D² for each problem.
//
// Errors: every problem of the options; fewer than two classes with any weight; a ν that no
// coefficients can satisfy; with C = ∞ a [*NotSeparable], and in [Primal] form any; kernel values
// that are not finite. That a search did not converge is no error: [Report.Converged] and a warning
// say so. The bits are the same for any number of workers, and wherever the features are.
func Solve(ctx context.Context, rows Rows, y []int, o Options) (*Solution, *Report, error) {
	j, err := classifierJob(rows, y, o)
	if err != nil {
		return nil, nil, err
	}
	return rows.solve(ctx, j)
}

// SolveRegression learns a function from rows and their targets y, with [EpsilonSVR] or [NuSVR].
// Cost and errors are those of [Solve].
func SolveRegression(ctx context.Context, rows Rows, y []float64, o Options) (*Solution, *Report, error) {
	j, err := regressionJob(rows, y, o)
	if err != nil {
		return nil, nil, err
	}
	return rows.solve(ctx, j)
}

// SolveOneClass learns where the rows lie: the value of a new point is above 0 if it looks like
// them. Cost and errors are those of [Solve].
func SolveOneClass(ctx context.Context, rows Rows, o Options) (*Solution, *Report, error) {
	j, err := oneClassJob(rows, o)
	if err != nil {
		return nil, nil, err
	}
	return rows.solve(ctx, j)
}

func (d Dual) source() gram.Source { return d.Source }

func (Primal) source() gram.Source { return nil }

func (Dual) solve(ctx context.Context, j *job) (*Solution, *Report, error) {
	return j.run(ctx)
}

func (p Primal) solve(ctx context.Context, j *job) (*Solution, *Report, error) {
	return j.runPrimal(ctx, p.Matrix)
}

// classifierJob validates and makes the problems.
func classifierJob(rows Rows, y []int, o Options) (*job, error) {
	o = o.withDefaults(CSVC)
	if err := o.validate(rows.Len(), len(y), CSVC, NuSVC); err != nil {
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
	j := newJob(rows, order, o)
	for _, c := range dropped {
		j.report.Warn("class %d has no row of a weight above 0: it is left out", c)
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

// regressionJob validates and makes the problem.
func regressionJob(rows Rows, y []float64, o Options) (*job, error) {
	o = o.withDefaults(EpsilonSVR)
	if err := o.validate(rows.Len(), len(y), EpsilonSVR, NuSVR); err != nil {
		return nil, err
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c := model.NewChecks("svm")
			c.InfiniteTarget(fmt.Sprintf("y[%d]", i), i, 0, v)
			return nil, c.Err()
		}
	}
	j := newJob(rows, o.weighted(rows.Len()), o)
	targets := make([]float64, len(j.order))
	for i, row := range j.order {
		targets[i] = y[row]
	}
	return j, j.add(0, 0, []span{{0, len(j.order)}}, targets)
}

// oneClassJob validates and makes the problem.
func oneClassJob(rows Rows, o Options) (*job, error) {
	o = o.withDefaults(OneClass)
	if err := o.validate(rows.Len(), rows.Len(), OneClass); err != nil {
		return nil, err
	}
	j := newJob(rows, o.weighted(rows.Len()), o)
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
	o            Options
	n            int
	src          gram.Source  // nil in [Primal] form
	order        []int        // the rows with a weight, those of a class together
	all          kernel.Pairs // the rows of the order with themselves, where they were bound, until the search is prepared
	diag         []float64
	double       multiplier // the matrix of the order in double precision, where it or its features are in memory
	problems     []*binaryProblem
	again        bool // problems will be searched again, with other bounds
	started      bool // at given coefficients, whose exact gradient is known
	evaluateOnly bool // and nothing more is wanted
	report       *Report
	watch        *model.Stopwatch
}

// newJob prepares the fit of n rows, those that have a weight in the given order.
func newJob(rows Rows, order []int, o Options) *job {
	return &job{o: o, n: rows.Len(), src: rows.source(), order: order,
		report: &Report{Type: o.Type, N: rows.Len(), Tolerance: o.Tolerance}, watch: model.NewStopwatch()}
}

// addClasses adds the problem of two classes; negative = −1 is all the others.
func (j *job) addClasses(positive, negative int, of []span) error {
	spans := []span{of[positive]}
	if negative >= 0 {
		spans = append(spans, of[negative])
	} else {
		spans = append(spans, span{0, of[positive].from}, span{of[positive].to, len(j.order)})
	}
	return j.add(positive, negative, spans, nil)
}

// add adds a problem on the rows of the spans, of which the first is the positive class.
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
	j.problems = append(j.problems, newProblem(positive, negative, spans, p))
	return nil
}
