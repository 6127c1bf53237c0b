package kfda

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/model"
)

// Weights are functions of D explicit features: f_j(x) = ⟨W[·,j], φ(x)⟩ + Bias[j].
type Weights struct {
	W    *mat.Dense // D × functions
	Bias []float64
}

// SolveBarycentreFeatures is [SolveBarycentres] in explicit features of the rows, which go by in
// blocks in two passes or are held where [compute.FitsInMemory] has room for them: the weights of
// f_c are the mean m_c itself. The bits are the same, for any number of workers.
//
// Cost: nD and 2nDm flops for m classes; 8Dm bytes, and nothing for each row. Passes are steps of
// the checkpoint. Errors are those of [SolveBarycentres] and of the features.
func SolveBarycentreFeatures(ctx context.Context, phi gram.Design, y []int, o BarycentreOptions) (*Weights, *BarycentreReport, error) {
	if c := model.NewChecks("kfda"); !c.Classes(phi.Rows, y, o.Weights) {
		return nil, nil, c.Err()
	}
	watch, shares := model.NewStopwatch(), model.ClassWeights(y, o.Weights)
	rows, err := phi.ReaderWithin(ctx, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	means := mat.NewDense(len(shares), phi.Dim, nil)
	err = o.Compute.Step(ctx, "means", [][]float64{means.RawMatrix().Data}, func() error {
		return rows.Each(ctx, func(from, to int, phi *mat.Dense) error {
			for i := from; i < to; i++ {
				floats.AddScaled(means.RawRowView(y[i]), model.Weight(o.Weights, i)/shares[y[i]], phi.RawRowView(i-from))
			}
			return nil
		})
	})
	if err != nil {
		return nil, nil, err
	}
	out, r := &Weights{W: mat.DenseCopyOf(means.T())}, newBarycentreReport(len(y), len(shares))
	for c := range shares {
		mean := means.RawRowView(c)
		if r.Norm2[c] = floats.Dot(mean, mean); bad(r.Norm2[c]) {
			return nil, nil, fmt.Errorf("kfda: the features of class %d are not finite, ‖m‖² = %v: check the domain of the kernel and the size of its parameters", c, r.Norm2[c])
		}
	}
	out.Bias = r.biases()
	watch.Lap(&r.Run, "means")
	err = r.judge(ctx, rows, out, means, y, shares, o)
	watch.Lap(&r.Run, "accuracy")
	return out, r, err
}

// judge computes the spread and the accuracy on the training rows, in one pass.
func (r *BarycentreReport) judge(ctx context.Context, rows *gram.DesignReader, f *Weights, means *mat.Dense, y []int, shares []float64, o BarycentreOptions) error {
	spread, right := make([]float64, r.Classes), []float64{0}
	err := o.Compute.Step(ctx, "accuracy", [][]float64{spread, right}, func() error {
		return rows.Values(ctx, f.W, o.Compute, func(from, to int, phi, values *mat.Dense) error {
			for i := from; i < to; i++ {
				class, w, square := y[i], model.Weight(o.Weights, i), 0.0
				for d, v := range phi.RawRowView(i - from) {
					v -= means.At(class, d)
					square += v * v
				}
				spread[class] += w / shares[class] * square
				g := values.RawRowView(i - from)
				if floats.Add(g, f.Bias); floats.MaxIdx(g) == class {
					right[0] += w
				}
			}
			return nil
		})
	})
	r.Spread, r.Accuracy = spread, right[0]/floats.Sum(shares)
	return err
}
