package structured

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Weights is θ(x) = Bias + Wᵀφ(x) in D explicit features φ of the points.
type Weights struct {
	W    *mat.Dense // D×d
	Bias []float64  // d, zero without an intercept
}

// SolveFeatures is [Solve] in explicit features of the rows, K = ΨΨᵀ, which go by in blocks in
// three passes (two without an intercept) or are held where [compute.FitsInMemory] has room for
// them. The bits are the same, for any number of workers.
//
// With Ψ less its mean, and Φ less its mean b, row i of Φ being φ(yᵢ), which is made when it is
// needed,
//
//	W = (ΨᵀDΨ + NλI)⁻¹ ΨᵀDΦ,    D = diag(w),
//
// and the score that row i has without it is φ(yᵢ) − (φ(yᵢ) − θ(xᵢ))/(1 − hᵢ), hᵢ = wᵢ/N +
// wᵢψᵢᵀ(ΨᵀDΨ + NλI)⁻¹ψᵢ.
//
// Cost: nD² + D³/3 multiplications, 4nDd more, with leave-one-out 2nD² more, and a decoding per
// row; 8D² + 16Dd bytes, and nothing for each row but its answer. Passes are steps of the
// checkpoint. Errors are those of [Solve] and of the features.
func SolveFeatures[Y any](ctx context.Context, phi gram.Design, ys []Y, out Output[Y], o Options) (*Weights, *Report, error) {
	if err := o.validate(phi.Rows, len(ys)); err != nil {
		return nil, nil, err
	}
	j := &weighing[Y]{ys: ys, out: out, o: &o, report: &Report{N: phi.Rows, Dim: out.Dim()}}
	watch := model.NewStopwatch()
	if err := j.average(ctx); err != nil {
		return nil, nil, err
	}
	rows, err := phi.ReaderWithin(ctx, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	if !o.NoIntercept {
		if err := rows.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, nil, err
		}
	}
	second, first, err := rows.Moments(ctx, o.Weights, out.Dim(), j.target, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&j.report.Run, "moments")
	factor, err := linalg.Factor(ctx, second, j.report.Ridge, linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress})
	if err != nil {
		return nil, nil, j.report.explain(err)
	}
	found := &Weights{W: new(mat.Dense)}
	if err := factor.Solve(ctx, found.W, first); err != nil {
		return nil, nil, err
	}
	found.Bias = rows.Shift(j.mean, found.W)
	watch.Lap(&j.report.Run, "solve")
	err = j.judge(ctx, rows, found.W, factor)
	watch.Lap(&j.report.Run, "decode")
	return found, j.report, err
}

// weighing is a fit of weights on its way.
type weighing[Y any] struct {
	ys     []Y
	out    Output[Y]
	o      *Options
	total  float64   // N
	mean   []float64 // of φ(yᵢ); zeros without an intercept
	report *Report
}

// average finds N and the mean of φ(yᵢ), and that every answer is one.
func (j *weighing[Y]) average(ctx context.Context) error {
	if err := dimOf(j.out); err != nil {
		return err
	}
	j.mean = make([]float64, j.out.Dim())
	phi := make([]float64, j.out.Dim())
	for i := range j.ys {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := embedRow(j.out, phi, j.ys, i); err != nil {
			return err
		}
		w := model.Weight(j.o.Weights, i)
		j.total += w
		floats.AddScaled(j.mean, w, phi)
	}
	floats.Scale(1/j.total, j.mean)
	if j.o.NoIntercept {
		clear(j.mean)
	}
	j.report.penalty(j.o, j.total)
	return nil
}

// target stores φ(yᵢ) less the mean.
func (j *weighing[Y]) target(dst []float64, i int) error {
	err := embedRow(j.out, dst, j.ys, i)
	floats.Sub(dst, j.mean)
	return err
}

// judge decodes the training rows, in one pass.
func (j *weighing[Y]) judge(ctx context.Context, rows *gram.DesignReader, w *mat.Dense, factor *linalg.Cholesky) error {
	losses := make([]float64, 2) // of the fit, and of those without each row
	err := j.o.Compute.Step(ctx, "losses", [][]float64{losses}, func() error {
		return j.addLosses(ctx, rows, w, factor, losses)
	})
	j.report.Loss = losses[0] / j.total
	if j.o.LOO {
		left := losses[1] / j.total
		j.report.LOOLoss = &left
	}
	return err
}

// addLosses adds up the losses of the rows.
func (j *weighing[Y]) addLosses(ctx context.Context, rows *gram.DesignReader, w *mat.Dense, factor *linalg.Cholesky, losses []float64) error {
	white := new(mat.Dense) // L⁻¹ψ of a block, by rows
	return rows.Values(ctx, w, j.o.Compute, func(from, to int, psi, scores *mat.Dense) error {
		if j.o.LOO {
			white.CloneFrom(psi)
			if err := factor.Whiten(ctx, white); err != nil {
				return err
			}
		}
		for i := from; i < to; i++ {
			weight, theta := model.Weight(j.o.Weights, i), scores.RawRowView(i-from)
			if weight == 0 {
				continue
			}
			floats.Add(theta, j.mean)
			if j.o.LOO {
				left, err := j.without(i, theta, weight*floats.Dot(white.RawRowView(i-from), white.RawRowView(i-from)))
				if err != nil {
					return err
				}
				losses[1] += weight * left
			}
			losses[0] += weight * j.out.Loss(j.out.Decode(theta), j.ys[i])
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
}

// without returns the loss of row i for the scores that it has without itself, of those of the fit
// and its leverage about the mean.
func (j *weighing[Y]) without(i int, theta []float64, leverage float64) (float64, error) {
	if !j.o.NoIntercept {
		leverage += model.Weight(j.o.Weights, i) / j.total
	}
	left := make([]float64, len(theta))
	if err := embedRow(j.out, left, j.ys, i); err != nil {
		return 0, err
	}
	for c, t := range theta {
		left[c] -= (left[c] - t) / (1 - leverage)
	}
	return j.out.Loss(j.out.Decode(left), j.ys[i]), nil
}
