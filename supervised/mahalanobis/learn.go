package mahalanobis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
)

// Options say how a metric is learned. The zero value learns a diagonal one.
type Options struct {
	// Shape is [Diagonal], [Full] or [Identity]; "" is Diagonal.
	Shape Shape
	// Rounds is the largest number of metrics that are tried after the identity; 0: 5.
	Rounds int
	// Patience is how many rounds in a row may take less than half a per cent off the best score
	// before they end; 0: 2.
	Patience int
	// Rows is the largest number of rows at which gradients are taken, spread evenly over all; 0:
	// 2000. Their mean outer product changes little with more, and the time grows with them.
	Rows int
	// Weights are the wᵢ ≥ 0 of the rows; nil: all 1. Rows that are only for the score have the
	// weight 0: the metric is not made from them.
	Weights []float64
	// Power s makes M the power Gˢ of the outer product G, for s in (0, 2]; 0: 1. Half of it evens
	// out how much the directions count.
	Power float64
	// Centred takes the mean gradient of every output from its gradients: M is then their
	// covariance, in which a linear trend does not count.
	Centred bool
	// Workers is the number of goroutines; 0: 1.
	Workers int
}

// Fitted is what was learned from the images of the rows.
type Fitted struct {
	// F is a function over vectors, and Slope the gradient of its kernel.
	F     *model.Expansion[[]float64]
	Slope gradients.Slope
	// Score says how well rows are predicted that were not learned from: less is better.
	Score float64
}

// Round is one metric that was tried.
type Round struct {
	Score     float64   `json:"score"`
	Relevance []float64 `json:"relevance"` // share of the diagonal of M
}

// Report says how the learning went.
type Report struct {
	Shape  Shape   `json:"shape"`
	Rounds []Round `json:"rounds"` // the first is the identity
	Best   int     `json:"best"`   // in Rounds, counted from 0
	// Rows is the number of rows at which gradients were taken.
	Rows int `json:"rows"`

	model.Run
}

// Learn finds a metric by rounds, starting with the identity:
//
//  1. Map the rows by L, and let fit learn a function from all images, in the order of xs; fit
//     also returns its score on rows that it did not learn from.
//  2. Compute the average gradient outer product M of the function.
//  3. Take the root of M, or of its power, scaled, for the next L; go back to step 1.
//
// It returns the metric of the round with the best score. That is the identity where no other is
// better, which the report says in a warning.
//
// Errors are those of the options, of fit and of ctx, and of functions whose gradients are 0 on
// all rows.
func Learn(ctx context.Context, xs data.Set[[]float64], fit func(ctx context.Context, images data.Vectors) (Fitted, error), o Options) (*Metric, *Report, error) {
	if err := o.validate(xs); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	spread := Covariance(xs, o.Weights)
	if !(mat.Trace(spread) > 0) {
		return nil, nil, fmt.Errorf("mahalanobis: all coordinates of the %d rows are constant: there is no distance to learn", xs.Len())
	}
	at := o.rows(xs.Len())
	next := identity(o.shape(), len(xs.At(0)))
	best, r, idle := next, &Report{Shape: o.shape(), Rows: len(at)}, 0
	for round := 0; ; round++ {
		images := next.Images(xs)
		f, err := fit(ctx, images)
		if err != nil {
			return nil, nil, err
		}
		watch.Lap(&r.Run, "fit")
		r.Rounds = append(r.Rounds, Round{Score: f.Score, Relevance: next.Relevance()})
		if idle++; round == 0 || worthwhile(f.Score, r.Rounds[r.Best].Score) {
			idle = 0
		}
		if round == 0 || f.Score < r.Rounds[r.Best].Score {
			best, r.Best = next, round
		}
		if round == o.MostRounds() || idle >= o.patience() {
			break
		}
		a, err := o.outer(ctx, f, images.Gather(at), pick(o.Weights, at))
		if err != nil {
			return nil, nil, err
		}
		if next, err = rootOf(o.shape(), next.pulled(a), o.power()); err != nil {
			return nil, nil, err
		}
		if err := next.scaledTo(spread); err != nil {
			return nil, nil, err
		}
		watch.Lap(&r.Run, "gradients")
	}
	if r.Best == 0 && len(r.Rounds) > 1 {
		r.Warn("none of %d learned metrics predicts better than the coordinates as they are, which are kept", len(r.Rounds)-1)
	}
	return best, r, nil
}

// worthwhile reports whether a score takes half a per cent off the best one before.
func worthwhile(score, best float64) bool { return score < best-0.005*math.Abs(best) }

func (o *Options) shape() Shape { return cmp.Or(o.Shape, Diagonal) }

// MostRounds is the largest number of metrics that are tried after the identity.
func (o *Options) MostRounds() int {
	if o.Shape == Identity {
		return 0
	}
	return cmp.Or(o.Rounds, 5)
}

// MostRows is the largest number of rows at which gradients are taken.
func (o *Options) MostRows() int { return cmp.Or(o.Rows, 2000) }

func (o *Options) patience() int  { return cmp.Or(o.Patience, 2) }
func (o *Options) power() float64 { return cmp.Or(o.Power, 1) }

// outer returns the outer product of gradients that the options want.
func (o *Options) outer(ctx context.Context, f Fitted, xs data.Vectors, weights []float64) (*mat.SymDense, error) {
	if o.Centred {
		return CentredOuter(ctx, f.F, f.Slope, xs, weights, o.Workers)
	}
	return Outer(ctx, f.F, f.Slope, xs, weights, o.Workers)
}

// validate reports every problem of the options for some rows.
func (o *Options) validate(xs data.Set[[]float64]) error {
	c := model.NewChecks("mahalanobis")
	if xs.Len() == 0 {
		return errors.New("mahalanobis: there are no rows")
	}
	if o.Shape != Identity && !slices.Contains(Shapes, o.shape()) {
		c.Add("the shape %q is not known; there are %q", o.Shape, Shapes)
	}
	if o.Rounds < 0 || o.Patience < 0 || o.Rows < 0 {
		c.Add("rounds = %d, patience = %d, rows = %d: none may be negative", o.Rounds, o.Patience, o.Rows)
	}
	if o.Power != 0 && !(o.Power > 0 && o.Power <= 2) {
		c.Add("power = %v is not in (0, 2]", o.Power)
	}
	for i := range xs.Len() {
		if j := slices.IndexFunc(xs.At(i), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); j >= 0 {
			c.Add("row %d: coordinate %d is %v: a linear map needs finite numbers; drop the row or fill the value", i, j, xs.At(i)[j])
			break
		}
	}
	c.Weights(xs.Len(), o.Weights)
	return c.Err()
}

// rows returns those at which gradients are taken, spread evenly over the rows of n that have
// a weight.
func (o *Options) rows(n int) []int {
	var all []int
	for i := range n {
		if model.Weight(o.Weights, i) > 0 {
			all = append(all, i)
		}
	}
	out := make([]int, min(len(all), o.MostRows()))
	for i := range out {
		out[i] = all[i*len(all)/len(out)]
	}
	return out
}

// pick returns the weights of some rows.
func pick(weights []float64, rows []int) []float64 {
	if weights == nil {
		return nil
	}
	out := make([]float64, len(rows))
	for to, from := range rows {
		out[to] = weights[from]
	}
	return out
}
