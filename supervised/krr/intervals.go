package krr

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// IntervalMethod says how leave-one-out residuals become an interval.
type IntervalMethod string

const (
	// JackknifePlus takes quantiles of f₋ᵢ(x) ± |rᵢ|. For exchangeable rows, whatever
	// their distribution, a level of 1−α is met with probability at least 1 − 2α,
	// and in practice nearly 1−α (Barber, Candès, Ramdas & Tibshirani, Predictive
	// inference with the jackknife+, Annals of Statistics 2021, theorem 1).
	JackknifePlus IntervalMethod = "jackknife+"
	// Jackknife takes f(x) ± the quantile of |rᵢ|: one width for all x, symmetric
	// about the prediction, and without that guarantee where removing single rows
	// changes f much.
	Jackknife IntervalMethod = "jackknife"
)

// Intervals predicts intervals from leave-one-out residuals.
//
// Weights act through the fit. In the quantiles every row of positive weight counts
// once.
type Intervals struct{ fit *removal }

// NewIntervals prepares intervals for a fit from the Gram matrix of its training rows,
// which is factored again: n³/3 multiplications, 8n² bytes.
func NewIntervals(ctx context.Context, k gram.Operator, f Fitted, o compute.Options) (*Intervals, error) {
	fit, err := newRemoval(ctx, k, f, o)
	if err != nil {
		return nil, err
	}
	return &Intervals{fit}, nil
}

// intervalRows is the number of new points whose influences are held at a time.
const intervalRows = 256

// Predict returns the ends of the intervals of a level in (0, 1) for the points
// whose kernel values against the training rows are the rows of cross: two matrices
// with one row per point and one column per target. It returns an error where there
// are too few rows for the level: level 0.9 takes 9. 2n² multiplications a point for
// [JackknifePlus], n for [Jackknife], and O(256·n) memory.
func (v *Intervals) Predict(ctx context.Context, cross *mat.Dense, level float64, method IntervalMethod) (lo, hi *mat.Dense, err error) {
	rank, err := v.rank(level)
	if err != nil {
		return nil, nil, err
	}
	if err := v.fit.admit(cross); err != nil {
		return nil, nil, err
	}
	rows, n := cross.Dims()
	lo, hi = mat.NewDense(rows, v.fit.sys.m, nil), mat.NewDense(rows, v.fit.sys.m, nil)
	for from := 0; from < rows; from += intervalRows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		to := min(from+intervalRows, rows)
		part := cross.Slice(from, to, 0, n).(*mat.Dense)
		low, high := lo.Slice(from, to, 0, v.fit.sys.m).(*mat.Dense), hi.Slice(from, to, 0, v.fit.sys.m).(*mat.Dense)
		switch method {
		case JackknifePlus, "":
			err = v.jackknifePlus(ctx, part, low, high, rank)
		case Jackknife:
			v.jackknife(part, low, high, rank)
		default:
			err = fmt.Errorf("krr: interval method %q is not known; %q and %q are", method, JackknifePlus, Jackknife)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return lo, hi, nil
}

// rank returns ⌈level·(n+1)⌉ for n rows of positive weight: the interval is between the
// (n+1−rank)-th smallest lower and the rank-th smallest upper value.
func (v *Intervals) rank(level float64) (int, error) {
	if !(level > 0 && level < 1) {
		return 0, fmt.Errorf("krr: level %v is not between 0 and 1", level)
	}
	n := v.fit.sys.active
	// A level such as 0.9 is not a binary fraction: 0.9·10 must not round up to 10.
	rank := int(math.Ceil(level*float64(n+1) - 1e-9))
	if rank > n {
		need := int(math.Ceil(level/(1-level) - 1e-9))
		return 0, fmt.Errorf("krr: an interval of level %v from leave-one-out residuals takes %d rows of positive weight, and there are %d", level, need, n)
	}
	return max(rank, 1), nil
}

func (v *Intervals) jackknifePlus(ctx context.Context, cross, lo, hi *mat.Dense, rank int) error {
	c, err := v.fit.influence(ctx, cross)
	if err != nil {
		return err
	}
	f := v.fit.predict(cross)
	n := v.fit.sys.active
	lower, upper := make([]float64, 0, n), make([]float64, 0, n)
	for r := range f.RawMatrix().Rows {
		for j := range v.fit.sys.m {
			lower, upper = lower[:0], upper[:0]
			for i, influence := range c.RawRowView(r) {
				if v.fit.sys.s[i] == 0 {
					continue
				}
				residual := v.fit.LOOResiduals.At(i, j)
				without := f.At(r, j) - residual*influence
				lower = append(lower, without-math.Abs(residual))
				upper = append(upper, without+math.Abs(residual))
			}
			slices.Sort(lower)
			slices.Sort(upper)
			lo.Set(r, j, lower[n-rank])
			hi.Set(r, j, upper[rank-1])
		}
	}
	return nil
}

func (v *Intervals) jackknife(cross, lo, hi *mat.Dense, rank int) {
	f := v.fit.predict(cross)
	for j := range v.fit.sys.m {
		var size []float64
		for i, s := range v.fit.sys.s {
			if s > 0 {
				size = append(size, math.Abs(v.fit.LOOResiduals.At(i, j)))
			}
		}
		slices.Sort(size)
		for r := range f.RawMatrix().Rows {
			lo.Set(r, j, f.At(r, j)-size[rank-1])
			hi.Set(r, j, f.At(r, j)+size[rank-1])
		}
	}
}
