package falkon

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// firstPass makes the first pass of the squared loss, and returns the function that it ends at and
// the preconditioner.
//
// Conjugate gradients from f = 0 know no direction before K_nmᵀW(y − ȳ), which would be a pass of
// its own. The rows that stand for all in the preconditioner C know one:
//
//	x = (C + R·I)⁻¹ L⁻¹ Σ vᵢ kᵢ (yᵢ − ȳ)ᵀ,
//
// the function that they alone would learn. One pass finds −∇P at 0 and at x. P is
// quadratic, so that both say how −∇P changes on the whole line, and where P is least on it: a step
// of the iteration, whatever x is worth.
func (j *job) firstPass(ctx context.Context, ridge float64) (*point, linalg.Operator, error) {
	_, m := j.k.Dims()
	j.start = j.origin(m)
	j.start.mass = []float64{j.total} // all that the preconditioner takes from a pass
	pre, err := j.precondition(ctx, j.start, ridge)
	if err != nil {
		return nil, nil, err
	}
	x, err := j.sampleSolution(ctx, pre)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "preconditioner")
	if x == nil {
		return nil, pre, j.passAtZero(ctx)
	}
	end := &point{gamma: x, bias: slices.Clone(j.start.bias)}
	if err := j.rows.pass(ctx, j.s, j.k, end, j.start, false); err != nil {
		return nil, nil, err
	}
	j.report.Passes++
	j.recordScale()
	j.optimizeConstants(j.start)
	j.optimizeConstants(end)
	pt := j.least(end, ridge)
	if j.held != nil {
		if _, err := j.held.try(ctx, j, pt); err != nil {
			return nil, nil, err
		}
	}
	return pt, pre, nil
}

// sampleSolution returns x, see [job.firstPass], or nil where no targets belong to the rows that
// stand for all.
func (j *job) sampleSolution(ctx context.Context, pre linalg.Operator) (*mat.Dense, error) {
	all := j.representatives(j.start)
	split := len(all.landmarks)
	if j.values.Index == nil && len(all.drawn) == 0 {
		return nil, nil
	}
	m, p := j.start.gamma.Dims()
	side := mat.NewDense(m, p, nil)
	if j.values.Index != nil && split > 0 {
		if err := j.addSide(ctx, side, j.values.Self, all.landmarks, all.shares[:split]); err != nil {
			return nil, err
		}
	}
	if len(all.drawn) > 0 {
		if err := j.addSide(ctx, side, j.values.Bind(all.drawn, nil), all.drawn, all.shares[split:]); err != nil {
			return nil, err
		}
	}
	side, err := j.s.covector(ctx, side)
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(m, p, nil)
	return x, pre.Mul(ctx, x, side)
}

// addSide adds Σ vᵢkᵢ(yᵢ − b)ᵀ over some rows, whose kernel values at the landmarks are k.
func (j *job) addSide(ctx context.Context, side *mat.Dense, k kernel.Pairs, rows []int, v []float64) error {
	var sum mat.Dense
	sum.CloneFrom(side)
	err := gram.TallSkinnyOf(k, compute.Options{Workers: j.o.Compute.Workers}).Fold(ctx, &sum, nil, func(_, first int, _, g blas64.General) {
		for h := range g.Rows {
			i := rows[first+h]
			if model.Weight(j.w, i) == 0 { // such as one that is left out
				continue
			}
			for t, b := range j.start.bias {
				g.Data[h*g.Stride+t] = v[first+h] * (j.y.At(i, t) - b)
			}
		}
	})
	side.Add(side, &sum)
	return err
}

// least returns where P is least between f = 0 and another function or beyond it, for each target,
// from what a pass has found at both.
func (j *job) least(end *point, ridge float64) *point {
	start := j.start
	pt := &point{gamma: mat.DenseCopyOf(end.gamma), bias: slices.Clone(start.bias), value: start.value,
		slopes: make([]float64, len(start.slopes)), mass: end.mass, mean: end.mean, pull: mat.DenseCopyOf(start.pull)}
	m, p := end.gamma.Dims()
	for c := range p {
		var fall, bend, curve float64 // −P′ at 0, and P″ with and without the penalty
		for a := range m {
			x, change := end.gamma.At(a, c), start.pull.At(a, c)-end.pull.At(a, c)
			fall += x * start.pull.At(a, c)
			curve += x * change
			bend += x * (change + ridge*x)
		}
		t := 0.0
		if fall > 0 && bend > 0 {
			t = fall / bend
		}
		pt.bias[c] += t * (end.bias[c] - start.bias[c])
		pt.value += t * (t/2*curve - fall)
		for a := range m {
			pt.gamma.Set(a, c, t*end.gamma.At(a, c))
			pt.pull.Set(a, c, start.pull.At(a, c)+t*(end.pull.At(a, c)-start.pull.At(a, c)))
		}
	}
	return pt
}
