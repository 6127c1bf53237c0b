package rfm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/progress"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// Options say how the rounds go. The zero value interpolates with a diagonal metric.
type Options struct {
	// Ridge is R = Nλ ≥ 0, what is added to the diagonal of the Gram matrix of every round.
	Ridge float64
	// Shape is that of M, [mahalanobis.Diagonal], [mahalanobis.Full] or [mahalanobis.Identity],
	// with which no round follows the first; "": diagonal.
	Shape mahalanobis.Shape
	// Rounds is the largest number of metrics that are tried after the identity; 0: 5.
	Rounds int
	// Power s makes M = Gˢ, in (0, 2]; 0: 1.
	Power float64
	// Centred takes the mean gradient off the gradients.
	Centred bool
	// Judges are the rows that score the rounds, counted from 0 in rising order, and are learned
	// from in the last fit alone; nil: exact leave-one-out errors of all rows score them; empty:
	// nobody does, and the last round is kept.
	Judges []int
	// Weights are the wᵢ ≥ 0 of the rows; nil: all 1.
	Weights []float64
	// Compute says how to compute. In [compute.Single] rounds with judges are solved in single
	// precision, refined to a residual in double precision; leave-one-out errors need double.
	Compute compute.Options
}

// Model is f(x) = b + Σⱼ βⱼ k(Lx, Lxⱼ).
type Model struct {
	// Metric is L; nil: the coordinates as they are, which no metric was better than.
	Metric *mahalanobis.Metric
	Coef   *mat.Dense // β, a row for each row that was learned from
	Bias   []float64  // b of each output
	// Judged are the values at the judges of the function that had not learned from them; nil: no
	// rows were left out.
	Judged *mat.Dense
}

// Fit learns from rows x and targets y, with a kernel on vectors and its gradient in the first
// point:
//
//  1. Map the rows by L, at first the identity. Solve the ridge regression on the images, of the
//     rows that are no judges.
//  2. Score it: the root of the mean square error of the judges, or of the leave-one-out residuals.
//  3. Take L = G^(s/2) of the function, scaled to the variance of the rows; go back to step 1.
//  4. Rounds end when two in a row take less than half a per cent off the best score. Solve the
//     regression with the best L on all rows.
//
// The score of the kept round is optimistic: its metric has seen the targets of the rows, and with
// leave-one-out errors those of the row itself.
//
// A round takes what the regression takes, n³/3 multiplications and n³ with leave-one-out errors,
// and n² gradients of the kernel. Errors are those of the options, of the regression and of ctx.
func Fit(ctx context.Context, k kernel.Kernel[[]float64], slope gradients.Slope, x data.Set[[]float64], y *mat.Dense, o Options) (*Model, *Report, error) {
	found, _, r, err := fit(ctx, k, slope, x, y, o)
	return found, r, err
}

// fit also returns the function of the round that is kept, which has not learned from the judges,
// over the images of the rows.
func fit(ctx context.Context, k kernel.Kernel[[]float64], slope gradients.Slope, x data.Set[[]float64], y *mat.Dense, o Options) (*Model, *model.Expansion[[]float64], *Report, error) {
	if err := o.check(x, y); err != nil {
		return nil, nil, nil, err
	}
	r := newRounds(k, slope, y, o)
	weights := o.Weights
	if len(o.Judges) > 0 { // the metric is not made from them
		weights = make([]float64, x.Len())
		for _, i := range r.train {
			weights[i] = model.Weight(o.Weights, i)
		}
	}
	metric, learned, err := mahalanobis.Learn(ctx, x, r.fit, mahalanobis.Options{Shape: o.Shape, Rounds: o.Rounds, Power: o.Power, Centred: o.Centred, Weights: weights, Workers: o.Compute.WorkerCount()})
	if err != nil {
		return nil, nil, nil, err
	}
	judged := r.best
	if len(o.Judges) > 0 {
		if err := r.last(ctx, metric.Images(x)); err != nil {
			return nil, nil, nil, err
		}
	}
	r.meter.Done()
	out := &Model{Coef: r.best.Coef, Bias: r.best.Bias, Judged: r.judged}
	if learned.Best > 0 {
		out.Metric = metric
	}
	return out, judged, r.report(x.Len(), learned), nil
}

// rounds are ridge regressions one after the other.
type rounds struct {
	k           kernel.Kernel[[]float64]
	slope       gradients.Slope
	y           *mat.Dense
	o           Options
	train       []int // the rows that are learned from
	meter       *progress.Meter
	best        *model.Expansion[[]float64] // over images under the best metric
	fitted      *krr.Report                 // of best
	judged      *mat.Dense                  // the values of best at the judges
	scores      []float64
	trained     *mat.Dense // the targets and
	weights     []float64  // the weights of train
	denominator float64    // Σ w of the rows that score, times the outputs
}

func newRounds(k kernel.Kernel[[]float64], slope gradients.Slope, y *mat.Dense, o Options) *rounds {
	n, outputs := y.Dims()
	r := &rounds{k: k, slope: slope, y: y, o: o}
	judges := make([]bool, n)
	for _, i := range o.Judges {
		judges[i] = true
	}
	for i := range n {
		if !judges[i] {
			r.train = append(r.train, i)
		}
		if judges[i] || len(o.Judges) == 0 {
			r.denominator += model.Weight(o.Weights, i) * float64(outputs)
		}
	}
	r.trained, r.weights = picked(y, o.Weights, r.train)
	total := int64((&mahalanobis.Options{Shape: o.Shape, Rounds: o.Rounds}).MostRounds() + 1)
	if len(o.Judges) > 0 {
		total++
	}
	r.meter = progress.Start(o.Compute.Progress, "rounds", total)
	return r
}

// picked returns the targets and the weights of some rows.
func picked(y *mat.Dense, weights []float64, rows []int) (*mat.Dense, []float64) {
	_, outputs := y.Dims()
	targets := mat.NewDense(len(rows), outputs, nil)
	var w []float64
	for to, from := range rows {
		targets.SetRow(to, y.RawRowView(from))
		if weights != nil {
			w = append(w, weights[from])
		}
	}
	return targets, w
}

// ridge solves one regression.
func (r *rounds) ridge(ctx context.Context, images data.Vectors, y *mat.Dense, weights []float64, loo bool) (*model.Expansion[[]float64], *krr.Report, error) {
	how := r.o.Compute
	how.MaxMemory = 0 // the plan of all rounds counts, and what a round left is still there in the next
	if loo {
		how.Precision = compute.Double
	}
	o := krr.Options{Ridge: r.o.Ridge, Weights: weights, LOO: loo, Compute: how}
	o.Solver = space.Direct(kernel.Bind(r.k, images, images)) // features of the kernel have no points
	f, report, err := krr.Fit(ctx, r.k, images, y, o)
	if err != nil {
		return nil, nil, err
	}
	return f.(*model.Expansion[[]float64]), report, nil
}

// fit is one round.
func (r *rounds) fit(ctx context.Context, images data.Vectors) (mahalanobis.Fitted, error) {
	none := mahalanobis.Fitted{}
	seen := images
	if len(r.o.Judges) > 0 {
		seen = images.Gather(r.train)
	}
	f, report, err := r.ridge(ctx, seen, r.trained, r.weights, r.o.Judges == nil)
	if err != nil {
		return none, err
	}
	score, judged, err := r.score(ctx, f, report, images)
	if err != nil {
		return none, err
	}
	least := math.Inf(1)
	if len(r.scores) > 0 {
		least = slices.Min(r.scores)
	}
	unjudged := r.o.Judges != nil && len(r.o.Judges) == 0
	if score < least || unjudged {
		r.best, r.fitted, r.judged = f, report, judged
	}
	r.scores = append(r.scores, score)
	r.meter.Add(1)
	if unjudged {
		score = -float64(len(r.scores)) // each round is better than the one before
	}
	return mahalanobis.Fitted{F: f, Slope: r.slope, Score: score}, nil
}

// score is the root of the weighted mean square error of rows that were left out; where nobody
// judges, that of the rows themselves. It also returns the values at the rows that judge.
func (r *rounds) score(ctx context.Context, f *model.Expansion[[]float64], report *krr.Report, images data.Vectors) (float64, *mat.Dense, error) {
	sum := 0.0
	add := func(i int, errors []float64) {
		for _, e := range errors {
			sum += model.Weight(r.o.Weights, i) * e * e
		}
	}
	if r.o.Judges == nil {
		for i := range images.Len() {
			add(i, report.Point.LOOResiduals.RawRowView(i))
		}
		return math.Sqrt(sum / r.denominator), nil, nil
	}
	if len(r.o.Judges) == 0 {
		for _, e := range report.Train.RMSE {
			sum += e * e
		}
		return math.Sqrt(sum / float64(len(report.Train.RMSE))), nil, nil
	}
	values, err := f.Predict(ctx, images.Gather(r.o.Judges), compute.Options{Workers: r.o.Compute.Workers})
	if err != nil {
		return 0, nil, err
	}
	var off mat.Dense
	targets, _ := picked(r.y, nil, r.o.Judges)
	off.Sub(values, targets)
	for at, i := range r.o.Judges {
		add(i, off.RawRowView(at))
	}
	return math.Sqrt(sum / r.denominator), values, nil
}

// last learns from all rows, with the metric of the best round.
func (r *rounds) last(ctx context.Context, images data.Vectors) (err error) {
	r.best, r.fitted, err = r.ridge(ctx, images, r.y, r.o.Weights, false)
	return err
}

// check reports what is wrong with the options, beside what the regression and the rounds refuse.
func (o *Options) check(x data.Set[[]float64], y *mat.Dense) error {
	c := model.NewChecks("rfm")
	n := x.Len()
	if y == nil || y.IsEmpty() || y.RawMatrix().Rows != n || n == 0 {
		return fmt.Errorf("rfm: there must be as many targets as rows (%d), and one at least", n)
	}
	c.Weights(n, o.Weights)
	if !(o.Ridge >= 0) || math.IsInf(o.Ridge, 1) {
		c.Add("ridge = %v is not a finite number ≥ 0", o.Ridge)
	}
	for at, i := range o.Judges {
		if i < 0 || i >= n || at > 0 && i <= o.Judges[at-1] {
			c.Add("judges[%d] = %d: they are rows from 0 to %d, in rising order", at, i, n-1)
			break
		}
	}
	if len(o.Judges) > 0 && len(o.Judges) >= n-1 {
		c.Add("%d of %d rows judge: two at least must be learned from", len(o.Judges), n)
	}
	if err := c.Err(); err != nil {
		return err
	}
	left, right := 0.0, 0.0
	judge := 0
	for i := range n {
		if judge < len(o.Judges) && o.Judges[judge] == i {
			judge++
			right += model.Weight(o.Weights, i)
		} else {
			left += model.Weight(o.Weights, i)
		}
	}
	if len(o.Judges) > 0 && !(left > 0 && right > 0) {
		c.Add("the weights of the rows that judge sum to %g, and those of the others to %g: both must be positive", right, left)
	}
	return c.Err()
}

// power is the effective one.
func (o *Options) power() float64 { return cmp.Or(o.Power, 1) }
