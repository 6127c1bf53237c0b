package propagation

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Options say how labels are spread. The zero value is harmonic propagation.
type Options struct {
	// Alpha in [0, 1) is the share that a point takes from the others where labels are spread; 0:
	// labels are fixed, and the rest is harmonic.
	Alpha   float64
	Compute compute.Options
}

// Report says what was found.
type Report struct {
	N        int     `json:"n"`        // all points
	Labelled int     `json:"labelled"` // of these
	Classes  int     `json:"classes"`
	Alpha    float64 `json:"alpha,omitempty"` // 0: labels are fixed
	// Reached is the number of points that some label comes to: an affinity that is rounded to zero
	// carries none.
	Reached int `json:"reached"`

	model.Run
}

// TrainingRows is the number of points.
func (r *Report) TrainingRows() int { return r.N }

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	way := "harmonic: labels are fixed"
	if r.Alpha > 0 {
		way = fmt.Sprintf("spreading, α = %s", model.FormatNumber(r.Alpha))
	}
	return []model.Line{model.CountLine("rows", r.N), model.Linef("labelled", "%d, of %d classes", r.Labelled, r.Classes), model.Linef("labels", "%s", way), model.FormLine()}
}

// Solve spreads the labels of some points over all of them: y are the classes 0 … m−1, −1 of points
// without. It returns the shares of the classes, n×m, of which each row adds up to 1.
//
//  1. W are the values of the kernel between different points, D the sums of its rows.
//  2. With α = 0 labelled points have their class, and (D_UU − W_UU) F_U = W_UL F_L gives the
//     others: every value is the mean of the others by affinity (Zhu, Ghahramani and Lafferty
//     2003).
//  3. Else (I − αD^−½WD^−½) F = Y, Y the classes of the labelled points (Zhou et al. 2004).
//  4. The rows are divided by their sums.
//
// Both matrices are positive definite; they are factored in n³/3 flops. Errors: options and classes
// that do not fit, affinities below zero, points that no label reaches, those of ctx.
func Solve(ctx context.Context, pairs kernel.Pairs, y []int, o Options) (*mat.Dense, *Report, error) {
	n, cols := pairs.Dims()
	classes, labelled, err := count(n, cols, y, o)
	if err != nil {
		return nil, nil, err
	}
	if need, limit := Bytes(n), o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, nil, &compute.TooLarge{What: fmt.Sprintf("the affinities of %d points, with a factor", n), Need: need, Limit: limit}
	}
	r := &Report{N: n, Labelled: labelled, Classes: classes, Alpha: o.Alpha}
	watch := model.NewStopwatch()
	w, err := gram.Dense(ctx, pairs, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	degrees, err := degreesOf(w)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "affinities")
	find := harmonic
	if o.Alpha > 0 {
		find = spread
	}
	f, err := find(ctx, w, degrees, y, classes, o)
	if err != nil {
		return nil, nil, err
	}
	r.Reached = normalise(f)
	if r.Reached < n {
		r.Warn("no label reaches %d of %d points: their affinities to the others are rounded to zero; take a wider kernel", n-r.Reached, n)
	}
	watch.Lap(&r.Run, "labels")
	return f, r, nil
}

// Bytes is the memory of [Solve] for n points: affinities, and the matrix that is factored.
func Bytes(n int) int64 { return 2 * 8 * int64(n) * int64(n) }

// Fit spreads labels by a kernel, and returns the function with an output for each class whose
// largest is the label. See [Solve].
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("propagation: %w", err)
	}
	f, r, err := Solve(ctx, kernel.Bind(k, xs, xs), y, o)
	if err != nil {
		return nil, nil, err
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: f, Bias: make([]float64, r.Classes)}, r, nil
}

// count returns the numbers of classes and of labelled points, or every problem.
func count(n, cols int, y []int, o Options) (classes, labelled int, err error) {
	c := model.NewChecks("propagation")
	if n != cols {
		c.Add("the kernel is bound to %d and %d points: both must be the same points", n, cols)
	}
	if len(y) != n {
		c.Add("%d classes are given for %d points", len(y), n)
	}
	if !(o.Alpha >= 0 && o.Alpha < 1) {
		c.Add("alpha = %v is not in [0, 1)", o.Alpha)
	}
	for i, class := range y {
		if class < -1 {
			c.Add("row %d has the class %d: classes count from 0, and −1 is none", i+1, class)
		}
		if class >= 0 {
			classes, labelled = max(classes, class+1), labelled+1
		}
	}
	if len(y) > 0 && labelled == 0 {
		c.Add("none of %d points has a label", len(y))
	}
	return classes, labelled, c.Err()
}

// degreesOf takes the values between a point and itself out, and returns the sums of the rows.
func degreesOf(w *mat.SymDense) ([]float64, error) {
	n := w.SymmetricDim()
	degrees := make([]float64, n)
	for i := range n {
		w.SetSym(i, i, 0)
		for j := i + 1; j < n; j++ {
			v := w.At(i, j)
			if !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("propagation: the affinity of rows %d and %d is %.3g: labels spread by finite values of the kernel ≥ 0, as those of rbf and laplace are", i+1, j+1, v)
			}
			degrees[i] += v
			degrees[j] += v
		}
	}
	return degrees, nil
}

// harmonic is step 2 of [Solve].
func harmonic(ctx context.Context, w *mat.SymDense, degrees []float64, y []int, classes int, o Options) (*mat.Dense, error) {
	f := mat.NewDense(len(y), classes, nil)
	var open []int
	for i, class := range y {
		if class >= 0 {
			f.Set(i, class, 1)
		} else {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return f, nil
	}
	a, right := mat.NewSymDense(len(open), nil), mat.NewDense(len(open), classes, nil)
	for r, i := range open {
		a.SetSym(r, r, degrees[i])
		for c := r + 1; c < len(open); c++ {
			a.SetSym(r, c, -w.At(i, open[c]))
		}
		for j, class := range y {
			if class >= 0 {
				right.Set(r, class, right.At(r, class)+w.At(i, j))
			}
		}
	}
	if err := solve(ctx, a, right, o); err != nil {
		return nil, err
	}
	for r, i := range open {
		f.SetRow(i, right.RawRowView(r))
	}
	return f, nil
}

// spread is step 3 of [Solve].
func spread(ctx context.Context, w *mat.SymDense, degrees []float64, y []int, classes int, o Options) (*mat.Dense, error) {
	n := len(y)
	f := mat.NewDense(n, classes, nil)
	roots := make([]float64, n)
	for i, d := range degrees {
		if d > 0 {
			roots[i] = 1 / math.Sqrt(d)
		}
		if y[i] >= 0 {
			f.Set(i, y[i], 1-o.Alpha)
		}
	}
	for i := range n {
		w.SetSym(i, i, 1)
		for j := i + 1; j < n; j++ {
			w.SetSym(i, j, -o.Alpha*w.At(i, j)*roots[i]*roots[j])
		}
	}
	return f, solve(ctx, w, f, o)
}

// solve replaces right by A⁻¹·right.
func solve(ctx context.Context, a *mat.SymDense, right *mat.Dense, o Options) error {
	f, err := linalg.Factor(ctx, a, 0, o.Compute.Factoring())
	var indefinite *linalg.NotPositiveDefinite
	if errors.As(err, &indefinite) {
		return fmt.Errorf("propagation: some points have no affinity, in the precision of the machine, to any that has a label: take a wider kernel, or label one of them: %w", err)
	}
	if err != nil {
		return fmt.Errorf("propagation: %w", err)
	}
	return f.Solve(ctx, right, right)
}

// normalise divides rows by their sums, and returns how many have one above zero.
func normalise(f *mat.Dense) (reached int) {
	n, m := f.Dims()
	for i := range n {
		row := f.RawRowView(i)
		sum := 0.0
		for j := range m {
			row[j] = max(row[j], 0) // what rounding leaves of zero
			sum += row[j]
		}
		if !(sum > 0) {
			continue
		}
		reached++
		for j := range m {
			row[j] /= sum
		}
	}
	return reached
}
