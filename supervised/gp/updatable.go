package gp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Updatable is a regression whose rows come and go: their targets, noise and weights, and the
// Cholesky factor L of A = K + Σ. The noise of a row is its own, so that A is bordered or
// cut, and no other element of it changes: n² flops for each row, where a new fit takes n³/3
// multiplications. It is made of the options and targets of a [Solve], and the
// [Posterior.Lower] of its posterior.
type Updatable struct {
	Y       []float64
	Options Options // RowNoise and Weights are of the rows there are now
	L       *linalg.UpdatableFactor

	stages model.Run
}

// Append adds k rows at the end: cross (k×n) has their kernel values against the rows there
// are, block (k×k) those among themselves; noise and weights are [Options.RowNoise] and
// [Options.Weights] of the new rows, nil as there. n²k + nk² + k³/3 multiplications, of which
// how.Progress hears. After an error f is as before.
func (f *Updatable) Append(ctx context.Context, cross *mat.Dense, block mat.Symmetric, y, noise, weights []float64, how compute.Options) error {
	watch, n, k := model.NewStopwatch(), f.L.Dim(), block.SymmetricDim()
	own := Options{Noise: f.Options.Noise, RowNoise: noise, Weights: weights}
	if err := own.validate(k, append([]float64{}, y...)); err != nil {
		return err
	}
	shift, active := own.diagonal(k)
	beside, among := mat.DenseCopyOf(cross), mat.NewSymDense(k, nil)
	for i := range k {
		on := active == nil || active[i]
		for j, v := range beside.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("gp: the kernel of rows %d and %d is %v, not a finite number", j, n+i, v)
			}
			if !on || f.Options.weight(j) == 0 {
				beside.Set(i, j, 0)
			}
		}
		for j := range i + 1 {
			if on && (active == nil || active[j]) {
				among.SetSym(i, j, block.At(i, j))
			}
		}
		if !on {
			shift[i] = 1
		}
		among.SetSym(i, i, among.At(i, i)+shift[i])
	}
	if err := f.L.Append(ctx, beside, among, (&Options{Compute: how}).linalg()); err != nil {
		return own.notDefinite(err)
	}
	f.Y = slices.Concat(f.Y, y)
	f.Options.RowNoise = perRowJoined(f.Options.RowNoise, n, noise, k, 0)
	f.Options.Weights = perRowJoined(f.Options.Weights, n, weights, k, 1)
	watch.Lap(&f.stages, "append")
	return nil
}

// perRowJoined joins numbers of n and of k rows, either of which may be nil for a value that
// all rows have.
func perRowJoined(a []float64, n int, b []float64, k int, otherwise float64) []float64 {
	if a == nil && b == nil {
		return nil
	}
	if a == nil {
		a = slices.Repeat([]float64{otherwise}, n)
	}
	if b == nil {
		b = slices.Repeat([]float64{otherwise}, k)
	}
	return slices.Concat(a, b)
}

// Remove takes out rows, given by their numbers from 0: at most 2n² multiplications each.
func (f *Updatable) Remove(ctx context.Context, rows []int, how compute.Options) error {
	watch := model.NewStopwatch()
	left, err := data.Without(len(f.Y), rows)
	if err != nil {
		return fmt.Errorf("gp: %w", err)
	}
	if err := f.L.Restrict(ctx, left, (&Options{Compute: how}).linalg()); err != nil {
		return err
	}
	for _, of := range []*[]float64{&f.Y, &f.Options.RowNoise, &f.Options.Weights} {
		if *of != nil {
			*of = data.Pick(*of, left)
		}
	}
	watch.Lap(&f.stages, "remove")
	return nil
}

// Solve returns the posterior given the rows there are now. The residual is computed from the
// kernel values of k, in their order, and a step of iterative refinement made where it exceeds
// 1e-12: what many changes have left of the factor shows there. n² kernel values.
func (f *Updatable) Solve(ctx context.Context, k gram.Operator, o compute.Options) (*Posterior, *Report, error) {
	if n, _ := k.Dims(); n != len(f.Y) {
		return nil, nil, fmt.Errorf("gp: a Gram matrix of %d rows for %d targets: they must be of the same rows", n, len(f.Y))
	}
	with := f.Options
	with.Compute = o
	rows, err := space.DualOf(ctx, k, space.Options{Solver: Packed, Compute: o})
	if err != nil {
		return nil, nil, err
	}
	a := with.system(len(f.Y))
	l := f.L
	if slices.ContainsFunc(a.v, func(v float64) bool { return v != 1 }) {
		if l, err = linalg.NewUpdatableFactor(len(f.Y), slices.Clone(f.L.Rows())); err != nil {
			return nil, nil, err
		}
		l = a.lower(l, true)
	}
	p, r, err := Solve(ctx, rows.Known(l.CholeskyFactor(with.linalg())), f.Y, with)
	if err != nil {
		return nil, nil, err
	}
	r.Solver = Cholesky
	r.Run.Before(f.stages)
	return p, r, nil
}

// diagonal returns that of Σ for n rows, and which of them are active; nil: all.
func (o *Options) diagonal(n int) (shift []float64, active []bool) {
	shift = make([]float64, n)
	if slices.Contains(o.Weights, 0) {
		active = make([]bool, n)
	}
	for i := range shift {
		if w := o.weight(i); w > 0 {
			shift[i] = o.noise(i) / w
			if active != nil {
				active[i] = true
			}
		}
	}
	return shift, active
}
