package falkon

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
)

// Solution is f = Σ βⱼ k(·, cⱼ), and b.
type Solution struct {
	Coef *mat.Dense // β, m × targets
	Bias []float64
}

// Solve finds β and b for the kernel values k and the targets y (n×p).
//
// Cost: 2m³/3 multiplications for each preconditioner (one for the squared loss), 8m²
// bytes, and nm kernel values and 4nmp flops in each pass: 10 to 30 passes for the squared
// loss where λ is not far below 1/√n. Errors: every problem of the options; kernels that
// are not positive definite on the landmarks; a [*compute.TooLarge] error where the two factors
// alone exceed the memory that Compute allows. Results have the same bits for any number of
// workers.
func Solve(ctx context.Context, k *gram.Landmarks, y *mat.Dense, o Options) (*Solution, *Report, error) {
	j, err := newJob(ctx, k, nil, y, o)
	if err != nil {
		return nil, nil, err
	}
	pt, err := j.minimize(ctx, j.ridge(o.Lambda, o.Ridge), nil)
	if err != nil {
		return nil, nil, err
	}
	sol, err := j.solution(ctx, pt)
	return sol, j.report, err
}

// job is a fit on its way.
type job struct {
	*rows
	o        *Options
	s        *landmarkSpace
	k, exact *gram.TallSkinny
	values   *gram.Landmarks
	held     *validation
	first    []float64 // ‖∇P‖ at the origin
	start    *point
	sample   int // rows that stand for all in the preconditioner
	// flat is the curvature of the squared loss by a sample of flatSample rows, kept for the
	// other ridges of a path.
	flat       *linalg.Packed
	flatSample int
	keepsFlat  bool
	report     *Report
	watch      *model.Stopwatch
	told       *compute.Meter // of the passes of one ridge
}

// newJob checks the problem and factors K_mm; kmm is that matrix where it was computed, and is
// overwritten.
func newJob(ctx context.Context, k *gram.Landmarks, kmm *linalg.Packed, y *mat.Dense, o Options) (*job, error) {
	knm := k.Rows
	n, m := knm.Dims()
	if err := errors.Join(checkSizes(k), o.validate(n, m, y)); err != nil {
		return nil, err
	}
	j := &job{o: &o, values: k, k: knm, exact: knm, watch: model.NewStopwatch()}
	if knm.Precision() == compute.Single {
		j.exact = knm.In(compute.Double)
	}
	l := o.lossOf()
	j.rows = &rows{y: y, w: o.Weights, loss: l, intercept: !o.NoIntercept}
	_, j.quadratic = l.(loss.Squared)
	name := l.String()
	if o.Joint {
		j.class, name = labelled(y), "softmax"
	}
	if len(o.Stop.Validation) > 0 {
		j.held = j.leaveOut(n, k.Some(o.Stop.Validation))
	}
	for i := range n {
		j.total += model.Weight(j.w, i)
	}
	if j.total == 0 {
		return nil, errors.New("falkon: all rows that are not for validation have weight zero: nothing is left to learn from")
	}
	_, p := y.Dims()
	j.report = &Report{N: n, Targets: p, Loss: name, Landmarks: m, Precision: knm.Precision().String(), Tolerance: o.Stop.tolerance()}
	if need := 2 * gram.PackedBytes(m, compute.Double); o.Compute.MaxMemory > 0 && need > o.Compute.MaxMemory {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the factors of a fit on %d landmarks", m), Need: need, Limit: o.Compute.MaxMemory}
	}
	var err error
	if j.s, err = newLandmarkSpace(ctx, k.Self, kmm, knm.Precision(), o.Compute); err != nil {
		return nil, err
	}
	j.report.Jitter, j.sample = j.s.jitter, min(n, m)
	j.watch.Lap(&j.report.Run, "landmarks")
	if holds(n, m, p, knm.Precision(), o.Compute.MaxMemory, o.Compute.WorkerCount()) {
		knm.Hold()
	}
	j.report.Held = knm.Held()
	return j, nil
}

// checkSizes compares those of the kernel values.
func checkSizes(k *gram.Landmarks) error {
	n, m := k.Rows.Dims()
	if rows, cols := k.Self.Dims(); rows != m || cols != m {
		return fmt.Errorf("falkon: the Gram matrix of the landmarks is %d×%d, and that of rows and landmarks %d×%d: they must have as many columns", rows, cols, n, m)
	}
	if k.Index != nil && len(k.Index) != m {
		return fmt.Errorf("falkon: %d rows are named for %d landmarks", len(k.Index), m)
	}
	return nil
}

// holds reports whether the kernel values of rows and landmarks are kept: where the limit has room
// beside them for the two factors, for the sums and blocks of a pass, and for the process itself.
func holds(n, m, targets int, p compute.Precision, limit int64, workers int) bool {
	values := gram.TallBytes(n, m, p)
	return compute.FitsInMemory(values, limit) && (limit == 0 || values+passBytes(n, m, targets, workers)+2*gram.PackedBytes(m, compute.Double) <= compute.Room(limit))
}

// passBytes is what the pass with the most sums takes: slopes at two functions, and curvatures.
func passBytes(n, m, targets, workers int) int64 {
	return gram.FoldBytes(n, m, 2*targets+1, workers)
}

// ridge returns R for the two ways of giving it.
func (j *job) ridge(lambda, ridge float64) float64 {
	if ridge != 0 {
		return ridge
	}
	return j.total * lambda
}

// pass makes a pass at a function and counts it.
func (j *job) pass(ctx context.Context, k *gram.TallSkinny, pt *point, majorized bool) error {
	j.report.Gradients++
	if k.Precision() == compute.Double {
		j.report.DoublePasses++
	}
	return j.rows.pass(ctx, j.s, k, pt, nil, majorized)
}

// passAtZero makes the first pass, at f = 0, which measures what the residual is relative to.
func (j *job) passAtZero(ctx context.Context) error {
	_, m := j.k.Dims()
	j.start = j.origin(m)
	if err := j.pass(ctx, j.k, j.start, false); err != nil {
		return err
	}
	j.recordScale()
	return nil
}

// recordScale takes down what the residual is relative to.
func (j *job) recordScale() {
	j.first = j.lengths(j.start.pull)
	size := make([]float64, len(j.first))
	for i := range j.y.RawMatrix().Rows {
		for c, v := range j.y.RawRowView(i) {
			size[min(c, len(size)-1)] += model.Weight(j.w, i) * math.Abs(v)
		}
	}
	for c, v := range j.first {
		if v <= noise*size[c]*math.Sqrt(j.s.scale) {
			j.first[c] = math.Inf(1) // the target is constant: f = 0 is the minimum
		}
	}
}

// noise is the rounding of a gradient beside the size of its terms.
const noise = 1e-13

// lengths returns those of the columns, which are one vector for the joint loss.
func (j *job) lengths(a *mat.Dense) []float64 {
	if j.class != nil {
		return []float64{mat.Norm(a, 2)}
	}
	return lengths(a)
}

// relative returns the largest length of a column of rest beside the first.
func (j *job) relative(rest *mat.Dense) float64 {
	worst := 0.0
	for c, v := range j.lengths(rest) {
		worst = math.Max(worst, v/j.first[c])
	}
	return worst
}

// minimize finds the minimum at a ridge from a function, nil: from f = 0.
func (j *job) minimize(ctx context.Context, ridge float64, from *point) (*point, error) {
	r := j.report
	r.Ridge, r.Lambda = ridge, ridge/j.total
	pt, err := from, error(nil)
	var pre linalg.Operator
	switch {
	case j.start != nil:
	case j.quadratic:
		pt, pre, err = j.firstPass(ctx, ridge)
	default:
		err = j.passAtZero(ctx)
	}
	if err != nil {
		return nil, err
	}
	if pt == nil {
		pt = j.start
	}
	r.Start = 1
	if from != nil {
		r.Start = j.relative(from.negativeGradient(ridge))
	}
	j.told = j.o.Compute.Meter("conjugate gradients", toldParts)
	if j.quadratic {
		pt, err = j.refine(ctx, pt, ridge, pre)
	} else {
		pt, err = j.newton(ctx, pt, ridge)
	}
	if err != nil {
		return nil, err
	}
	j.told.Done()
	j.finish(pt, ridge)
	j.watch.Lap(&r.Run, "conjugate gradients")
	return pt, nil
}

// constants returns how b moves where f stays: to where the gradient in b is 0 if the
// curvatures stay.
func (j *job) constants(pt *point) []float64 {
	if !j.intercept {
		return make([]float64, len(pt.bias))
	}
	if j.class != nil {
		return newJointHessian(hessian{rows: j.rows, s: j.s, at: pt}).constants(pt.slopes)
	}
	out := make([]float64, len(pt.bias))
	for c, s := range pt.slopes {
		if v := pt.mass[min(c, len(pt.mass)-1)]; v > 0 {
			out[c] = s / v
		}
	}
	return out
}

// moved returns the function that is t times a step away, of d in f less its mean over the
// rows and of constants in what is then b.
func (j *job) moved(pt *point, d *mat.Dense, constants []float64, t float64) *point {
	next := &point{gamma: mat.DenseCopyOf(pt.gamma), bias: append([]float64(nil), pt.bias...)}
	next.gamma.Apply(func(a, c int, v float64) float64 { return v + t*d.At(a, c) }, next.gamma)
	if !j.intercept {
		return next
	}
	beta, err := j.s.beta(context.Background(), d)
	if err != nil {
		panic(err) // sizes agree, and this context does not end
	}
	for c, shift := range j.shift(pt, beta) {
		if pt.mass[min(c, len(pt.mass)-1)] > 0 {
			next.bias[c] += t * (constants[c] - shift)
		}
	}
	return next
}

// optimizeConstants moves b to where the slope of the squared loss is 0, which the pull has already
// taken into account.
func (j *job) optimizeConstants(pt *point) {
	if !j.intercept {
		return
	}
	for c, s := range pt.slopes {
		pt.bias[c] += s / pt.mass[0]
		pt.value -= s * s / (2 * pt.mass[0])
		pt.slopes[c] = 0
	}
}

// finish reports what was found.
func (j *job) finish(pt *point, ridge float64) {
	r := j.report
	rest := pt.negativeGradient(ridge)
	r.Residual = j.relative(rest)
	r.Converged = r.Residual <= r.Tolerance
	gap := 0.0
	for _, v := range lengths(rest) {
		gap += v * v / (2 * ridge)
	}
	for c, s := range j.constants(pt) {
		gap += s * pt.slopes[c]
	}
	r.Gap, r.Objective = gap/j.total, pt.objective(ridge)/j.total
	r.Norm2 = lengths(pt.gamma)
	for c, v := range r.Norm2 {
		r.Norm2[c] = v * v
	}
	stopped := false
	if j.held != nil {
		r.Validation, r.Best = j.held.values, j.held.bestAt
		stopped = j.held.ended
	}
	switch {
	case r.Converged || stopped:
	case j.passesLeft() <= 0:
		r.Warn("the %d passes are spent at a relative residual of %.2e, not %g: the objective is at most %.3g above its minimum of about %.6g; allow more passes (Stop.Passes), or a larger tolerance or λ", r.Passes, r.Residual, r.Tolerance, r.Gap, r.Objective)
	default:
		r.Warn("the relative residual does not fall below %.2e, and %g was asked for: that is what rounding allows at this λ; the objective is at most %.3g above its minimum of about %.6g", r.Residual, r.Tolerance, r.Gap, r.Objective)
	}
}

// solution returns the coefficients of a function.
func (j *job) solution(ctx context.Context, pt *point) (*Solution, error) {
	beta, err := j.s.beta(ctx, pt.gamma)
	if err != nil {
		return nil, err
	}
	return &Solution{Coef: beta, Bias: pt.bias}, nil
}
