package preimage

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/model"
)

// Candidates takes the best of a list of points, which may be of any type: strings,
// graphs, or the training points themselves. It takes len(Points)·n kernel values, and
// the first of equal candidates.
type Candidates[T any] struct{ Points data.Set[T] }

// PreImages returns the candidate with the smallest residual for each target.
func (c Candidates[T]) PreImages(ctx context.Context, t *Targets[T], _ data.Set[T]) ([]PreImage[T], error) {
	if c.Points == nil || c.Points.Len() == 0 {
		return nil, errNoPoints
	}
	f := &model.Expansion[T]{Kernel: t.kernel, Points: t.points, Coef: mat.DenseCopyOf(t.coef.T())}
	values, err := f.Predict(ctx, c.Points, t.compute)
	if err != nil {
		return nil, err
	}
	best, answers := make([]float64, t.Len()), make([]PreImage[T], t.Len())
	for j := range best {
		best[j] = math.Inf(1)
	}
	for i := range c.Points.Len() {
		z := c.Points.At(i)
		own := t.kernel.Eval(z, z)
		for j, v := range values.RawRowView(i) {
			if d := own - 2*v; d < best[j] {
				best[j] = d
				answers[j] = PreImage[T]{Point: z, Index: i, Converged: true}
			}
		}
	}
	return t.withResiduals(ctx, answers)
}
