package moments

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Rows are what is summed.
type Rows[T any] struct {
	Map     kernel.Mapped[T]
	Points  data.Set[T]
	Targets *mat.Dense // a row for each point
	Weights []float64  // wᵢ ≥ 0; nil: all ones
}

// check returns why the rows cannot be summed.
func (r Rows[T]) check() error {
	n := r.Points.Len()
	switch rows, targets := r.Targets.Dims(); {
	case n == 0:
		return errors.New("moments: there are no rows")
	case rows != n || targets == 0 || r.Weights != nil && len(r.Weights) != n:
		return fmt.Errorf("moments: %d rows of %d targets and %d weights for %d points", rows, targets, len(r.Weights), n)
	}
	for i := range n {
		if w := r.root(i); math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("moments: the weight of row %d is %v: weights are finite numbers ≥ 0", i, r.Weights[i])
		}
		for c, v := range r.Targets.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("moments: target %d of row %d is %v: targets are finite", c, i, v)
			}
		}
	}
	return nil
}

// root returns √wᵢ.
func (r Rows[T]) root(i int) float64 {
	if r.Weights == nil {
		return 1
	}
	return math.Sqrt(r.Weights[i])
}

// Of returns the sums of rows, with steps chosen from them: from all targets and weights, and
// from the features of a few hundred rows spread over all.
//
// The cost is the features of n rows and three times n(D + p + 1)² flops, two passes over the
// few hundred; memory, [Bytes] twice and a few hundred rows of features. Errors: rows that do
// not fit together or are not finite; the end of ctx. The bits are the same for any number of
// workers.
func Of[T any](ctx context.Context, r Rows[T], o compute.Options) (*Statistics, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	dim, ok := r.Map.Features(r.Points.At(0))
	if !ok || dim == 0 {
		return nil, fmt.Errorf("moments: the kernel %s has no finite feature map", r.Map)
	}
	_, targets := r.Targets.Dims()
	shape := Shape{Features: dim, Targets: targets, Steps: Steps{Targets: make([]int, targets)}}
	tops := make([]float64, targets)
	root := 0.0
	for i := range r.Points.Len() {
		w := r.root(i)
		root = math.Max(root, w)
		for c, v := range r.Targets.RawRowView(i) {
			tops[c] = math.Max(tops[c], w*math.Abs(v))
		}
	}
	shape.Steps.Roots = step(root)
	for c, top := range tops {
		shape.Steps.Targets[c] = step(top)
	}
	shape.Steps.Features = step(largest(r.sampled(dim).RawMatrix().Data))
	for {
		if err := shape.check(); err != nil {
			return nil, err
		}
		s, err := sums(ctx, shape, r, o)
		var beyond *TooLarge
		if !errors.As(err, &beyond) || math.IsInf(beyond.Times, 1) || math.IsNaN(beyond.Times) {
			return s, err
		}
		shape.Steps.Features += int(math.Ceil(math.Log2(beyond.Times))) // a row unlike those sampled
	}
}

// sampled returns the features of rows spread over all, times the roots of their weights.
func (r Rows[T]) sampled(dim int) *mat.Dense {
	index := data.Even(r.Points.Len(), height)
	z := mat.NewDense(len(index), dim, nil)
	kernel.MapRows(r.Map, tileOf(z), data.Subset(r.Points, index), 0)
	for i, at := range index {
		row := z.RawRowView(i)
		for j := range row {
			row[j] *= r.root(at)
		}
	}
	return z
}

// Like returns the sums of rows in the steps of others, to which they can be added or from
// which they can be taken. Numbers far beyond those that the steps were chosen from are a
// [*TooLarge] error.
func Like[T any](ctx context.Context, s *Statistics, r Rows[T], o compute.Options) (*Statistics, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	dim, _ := r.Map.Features(r.Points.At(0))
	if _, targets := r.Targets.Dims(); dim != s.Features || targets != s.Targets {
		return nil, fmt.Errorf("moments: rows of %d features and %d targets for sums of %d and %d", dim, targets, s.Features, s.Targets)
	}
	return sums(ctx, s.Shape, r, o)
}

// TooLarge is the error of a row with a number that is too large for the steps of sums.
type TooLarge struct {
	Row   int
	Times float64 // beyond what there is room for
}

func (e *TooLarge) Error() string {
	if math.IsNaN(e.Times) || math.IsInf(e.Times, 0) {
		return fmt.Sprintf("moments: row %d has features that are no finite numbers", e.Row)
	}
	return fmt.Sprintf("moments: row %d has numbers thousands of times larger than those of the first fit (%.3g times what there is room for): fit again to all rows", e.Row, e.Times)
}
