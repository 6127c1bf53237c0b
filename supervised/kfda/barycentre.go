package kfda

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// BarycentreOptions say how to weigh the rows.
type BarycentreOptions struct {
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. Every class needs a row
	// of positive weight.
	Weights []float64
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// Space returns the options of a space for barycentres, of which no system is solved: see
// [space.Of] and [space.DualOf].
func (o BarycentreOptions) Space() space.Options {
	return space.Options{Unsolved: true, Compute: o.Compute}
}

// Barycentres are the functions f_c(x) = ⟨φ(x), m_c⟩ − ½‖m_c‖² = Coef[:,c]ᵀψ(x) + Bias[c], one for
// each class, ψ(x) the coordinates of the space, of which the largest is that of the nearest m_c:
//
//	‖φ(x) − m_c‖² = k(x, x) − 2 f_c(x).
//
// In the span of the rows Coef[i,c] is wᵢ/N_c for the rows of class c, and 0 for the others; in
// features Coef[:,c] is m_c itself.
type Barycentres struct {
	Coef *mat.Dense
	Bias []float64
}

// BarycentreReport says what the barycentres of the classes are like.
type BarycentreReport struct {
	N       int `json:"n"`
	Classes int `json:"classes"`
	// Norm2 is ‖m_c‖², Spread the mean of ‖φ(xᵢ) − m_c‖² over the class: zero where all
	// its points have the same features. A Gram matrix of products alone does not know it.
	Norm2  []float64 `json:"norm2"`
	Spread []float64 `json:"spread,omitempty"`
	// Accuracy is the part of the weight of the training rows whose own barycentre is
	// the nearest.
	Accuracy float64 `json:"accuracy"`

	model.Run
}

func newBarycentreReport(n, classes int) *BarycentreReport {
	return &BarycentreReport{N: n, Classes: classes, Norm2: make([]float64, classes)}
}

// biases returns −½‖m_c‖².
func (r *BarycentreReport) biases() []float64 {
	return floats.ScaleTo(make([]float64, r.Classes), -0.5, r.Norm2)
}

// SolveBarycentres finds the functions in a space for the classes y, numbers from 0 without gaps.
//
//  1. Sum up the means m_c = Σ (wᵢ/N_c) φ(xᵢ) over the rows of class c.
//  2. Measure the rows: the nearest mean, and the distance to their own.
//
// Cost: one product of K with m columns, 2n²m flops, and O(nm) memory in the span of the rows; the
// matrix need not exist. In D features two passes, 4nDm flops and 8Dm bytes. Passes are steps of
// the checkpoint. Errors: every problem of the options, fewer than two classes, and features that
// are not finite. Results have the same bits for any number of workers.
func SolveBarycentres(ctx context.Context, s space.Space, y []int, o BarycentreOptions) (*Barycentres, *BarycentreReport, error) {
	n, _ := s.Dims()
	if c := model.NewChecks("kfda"); !c.Classes(n, y, o.Weights) {
		return nil, nil, c.Err()
	}
	watch, shares := model.NewStopwatch(), model.ClassWeights(y, o.Weights)
	r := newBarycentreReport(n, len(shares))
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		r.Run = *s.Ran()
	}
	means, err := space.Sum(ctx, s, o.Compute, space.Targets{Columns: len(shares), Row: func(dst []float64, i int) error {
		clear(dst)
		dst[y[i]] = model.Weight(o.Weights, i) / shares[y[i]]
		return nil
	}})
	if err != nil {
		return nil, nil, err
	}
	if r.Norm2, err = means.Norms2(ctx); err != nil {
		return nil, nil, err
	}
	for c, norm := range r.Norm2 {
		if bad(norm) {
			return nil, nil, fmt.Errorf("kfda: the features of class %d are not finite, ‖m‖² = %v: check the domain of the kernel and the size of its parameters", c, norm)
		}
	}
	watch.Lap(&r.Run, "barycentres")
	out := &Barycentres{Coef: means.Theta, Bias: r.biases()}
	err = r.measure(ctx, means, out.Bias, y, shares, o)
	watch.Lap(&r.Run, "accuracy")
	return out, r, err
}

// measure computes the spread and the accuracy on the training rows, in one pass.
func (r *BarycentreReport) measure(ctx context.Context, means *space.Functions, bias []float64, y []int, shares []float64, o BarycentreOptions) error {
	spread, right, known := make([]float64, r.Classes), []float64{0}, []float64{1}
	err := o.Compute.Step(ctx, "accuracy", [][]float64{spread, right, known}, func() error {
		return means.Distances(ctx, func(i int) int { return y[i] }, o.Compute, func(from, to int, values *mat.Dense, squares []float64) error {
			for i := from; i < to; i++ {
				class, w, row := y[i], model.Weight(o.Weights, i), values.RawRowView(i-from)
				if floats.Add(row, bias); floats.MaxIdx(row) == class {
					right[0] += w
				}
				if squares == nil {
					known[0] = 0
				} else {
					spread[class] += w / shares[class] * squares[i-from]
				}
			}
			return nil
		})
	})
	if r.Accuracy = right[0] / floats.Sum(shares); known[0] > 0 {
		r.Spread = spread
	}
	return err
}

// FitBarycentres is [SolveBarycentres] for points. Its errors are also those of points
// outside the domain of the kernel.
func FitBarycentres[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o BarycentreOptions) (model.Predictor[T], *BarycentreReport, error) {
	if c := model.NewChecks("kfda"); !c.Classes(xs.Len(), y, o.Weights) {
		return nil, nil, c.Err()
	}
	in, err := space.Of(ctx, k, xs, o.Space())
	if err != nil {
		return nil, nil, fmt.Errorf("kfda: %w", err)
	}
	s, r, err := SolveBarycentres(ctx, in.Space, y, o)
	if err != nil {
		return nil, nil, err
	}
	return in.Function(s.Coef, s.Bias), r, nil
}
