package kfda

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Weights are functions of D explicit features: f_j(x) = ⟨W[·,j], φ(x)⟩ + Bias[j].
type Weights struct {
	W    *mat.Dense // D × functions
	Bias []float64
}

// SolveFeatures is [Solve] in explicit features of the rows, K = ΦΦᵀ, which go by in blocks in four
// passes or are held where [compute.FitsInMemory] has room for them. The bits are the same, for any
// number of workers.
//
// Cost: nD² + D³/3 multiplications and 4nDm for m classes; 8D² bytes, and nothing for each row.
// Passes are steps of the checkpoint. Errors are those of [Solve] and of the features.
//
// With Ψ = W½(Φ − 1φ̄ᵀ), so that A = ΨΨᵀ, the directions are ΨZu = Su for S = (ΨᵀΨ + NλI)⁻¹ΨᵀE, and
// what [Solve] takes from Z = (E − ΨS)/Nλ and AZ = ΨS is
//
//	B = N SᵀΨᵀE,    G = N (Nλ SᵀS + (E − ΨS)ᵀ(E − ΨS)),
//
// the second as a sum of squares: it is the least value of a ridge regression of E, to which an
// error of S adds its square, and has all digits where it is next to nothing.
func SolveFeatures(ctx context.Context, phi gram.Design, y []int, o Options) (*Weights, *Report, error) {
	if err := o.validate(phi.Rows, y); err != nil {
		return nil, nil, err
	}
	j := newJob(y, &o)
	rows, err := phi.ReaderWithin(ctx, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	if err := rows.Centre(ctx, o.Weights, o.Compute); err != nil {
		return nil, nil, err
	}
	second, first, err := rows.Moments(ctx, o.Weights, len(j.shares), func(dst []float64, i int) error {
		j.indicate(dst, y[i])
		return nil
	}, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "moments")
	j.trace = mat.Trace(second) + j.total*floats.Dot(rows.Mean(), rows.Mean())
	if bad(j.trace) {
		return nil, nil, fmt.Errorf("kfda: the features are not finite, Σ wᵢ‖φᵢ‖² = %v: check the domain of the kernel and the size of its parameters", j.trace)
	}
	factor, err := linalg.Factor(ctx, second, j.report.Ridge, j.o.linalg())
	if err != nil {
		return nil, nil, j.explain(err)
	}
	s := new(mat.Dense)
	if err := factor.Solve(ctx, s, first); err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "solve")
	left, err := j.unexplained(ctx, rows, s)
	if err != nil {
		return nil, nil, err
	}
	g := symmetric(s, s, j.total*j.report.Ridge)
	left.ScaleSym(j.total, left)
	g.AddSym(g, left)
	us, ratios, err := j.directions(ctx, symmetric(first, s, j.total), g)
	if err != nil {
		return nil, nil, err
	}
	out := &Weights{W: new(mat.Dense)}
	out.W.Mul(s, us)
	for d, scale := range j.describe(us, ratios) {
		v := out.W.ColView(d).(*mat.VecDense)
		v.ScaleVec(scale, v)
		j.report.Norm2[d] = mat.Dot(v, v)
	}
	out.Bias = rows.Shift(make([]float64, len(ratios)), out.W)
	j.watch.Lap(&j.report.Run, "directions")
	err = j.judgeFeatures(ctx, rows, out.W)
	j.watch.Lap(&j.report.Run, "accuracy")
	return out, j.report, err
}

// unexplained returns (E − ΨS)ᵀ(E − ΨS), in one pass.
func (j *job) unexplained(ctx context.Context, rows *gram.DesignReader, s *mat.Dense) (*mat.SymDense, error) {
	m := len(j.shares)
	left, target := mat.NewSymDense(m, nil), make([]float64, m)
	return left, j.o.Compute.Step(ctx, "residuals", [][]float64{left.RawSymmetric().Data}, func() error {
		return rows.Values(ctx, s, j.o.Compute, func(from, to int, _, values *mat.Dense) error {
			for i := from; i < to; i++ {
				j.indicate(target, j.y[i])
				floats.Sub(target, values.RawRowView(i-from))
				w := model.Weight(j.o.Weights, i)
				for c, r := range target {
					for d := c; d < m; d++ {
						left.SetSym(c, d, left.At(c, d)+w*r*target[d])
					}
				}
			}
			return nil
		})
	})
}

// judgeFeatures computes the accuracy on the training rows, in one pass.
func (j *job) judgeFeatures(ctx context.Context, rows *gram.DesignReader, w *mat.Dense) error {
	right := []float64{0}
	err := j.o.Compute.Step(ctx, "accuracy", [][]float64{right}, func() error {
		return rows.Values(ctx, w, j.o.Compute, func(from, to int, _, values *mat.Dense) error {
			for i := from; i < to; i++ {
				if j.report.Decision.Class(values.RawRowView(i-from)) == j.y[i] {
					right[0] += model.Weight(j.o.Weights, i)
				}
			}
			return nil
		})
	})
	j.report.Accuracy = right[0] / j.total
	return err
}
