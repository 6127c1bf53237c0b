package krr

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Fit learns f from the points xs and the targets y (len(xs)×m). It returns a
// [*model.Primal] where the solver is [Primal], and a [*model.Expansion] over xs
// otherwise; the two are the same function up to rounding.
//
// The automatic choice is [Primal] if the kernel knows a feature map with fewer
// dimensions than there are rows, and [space.Direct] if not. Cost and errors are those
// of [Solve], and of points outside the domain of the kernel. Where Compute sets a
// limit to the memory, a fit whose [Plan] exceeds it is refused with a
// [*compute.TooLarge] error that lists the alternatives.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, o Options) (model.Predictor[T], *Report, error) {
	if err := o.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("krr: %w", err)
	}
	mapped, dim, why := choosePrimal(k, xs, o.Solver)
	if err := refuse(ctx, k, xs, y, dim, o); err != nil {
		return nil, nil, err
	}
	if mapped != nil {
		return fitPrimal(ctx, mapped, dim, why, xs, y, o)
	} else if o.Solver == Primal {
		return nil, nil, fmt.Errorf("krr: solver %q needs a finite feature map, and kernel %s has none: use solver %q", Primal, k, Cholesky)
	}
	in, err := space.DualOf(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), o.Space())
	if err != nil {
		return nil, nil, err
	}
	sol, report, err := Solve(ctx, in, y, o)
	if err != nil {
		return nil, nil, err
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}, report, nil
}

// ChoosePrimal says whether [Fit] will solve in the primal with this kernel, these
// points and this solver, and the dimension of the feature map if there is one.
func ChoosePrimal[T any](k kernel.Kernel[T], xs data.Set[T], s Solver) (dim int, primal bool) {
	mapped, dim, _ := choosePrimal(k, xs, s)
	return dim, mapped != nil
}

func choosePrimal[T any](k kernel.Kernel[T], xs data.Set[T], s Solver) (mapped kernel.Mapped[T], dim int, why string) {
	m, ok := k.(kernel.Mapped[T])
	if !ok || xs.Len() == 0 {
		return nil, 0, ""
	}
	dim, ok = m.Features(xs.At(0))
	switch {
	case !ok:
		return nil, 0, ""
	case s == Primal:
		return m, dim, "as asked"
	case (s == Auto || s == "") && dim < xs.Len():
		return m, dim, fmt.Sprintf("auto: the kernel has a feature map of %d dimensions, fewer than %d rows", dim, xs.Len())
	}
	return nil, dim, ""
}

// ChooseSample returns the number of rows that [Fit] will sample to solve the equations of a kernel
// on landmarks, and the share of the time that this takes of the sum of all rows; 0 and 1 where it
// makes that sum, or solves otherwise.
func ChooseSample[T any](k kernel.Kernel[T], xs data.Set[T], targets int, o Options) (rows int, share float64) {
	mapped, _, _ := choosePrimal(k, xs, o.Solver)
	e, ok := mapped.(sectioned[T])
	if !ok || o.LOO {
		return 0, 1
	}
	total := float64(xs.Len())
	if o.Weights != nil {
		total = floats.Sum(o.Weights)
	}
	if !stable(e.Factor(), total, max(o.Ridge, o.Lambda*total)) {
		return 0, 1 // the features are whitened row by row
	}
	s := sectionsOf(e, xs, targets, o)
	if s.sample == 0 {
		return 0, 1
	}
	times := s.times(targets)
	return s.sample, times.by(s.sample) / times.whole()
}

// refuse returns an error where a fit is planned to hold more than it may.
func refuse[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, dim int, o Options) error {
	limit := o.Compute.MaxMemory
	if limit == 0 {
		return nil
	}
	m, err := compute.Calibrate(ctx, o.Compute)
	if err != nil {
		return err
	}
	pairs := kernel.Bind(k, xs, xs)
	if m, err = m.WithPairs(ctx, pairs, o.Compute); err != nil {
		return err
	}
	w := Work{Direct: space.Direct(pairs), Rows: xs.Len(), Features: dim, Targets: y.RawMatrix().Cols, LOO: o.LOO, Solver: o.Solver, Precision: o.Compute.Precision}
	if v, ok := any(xs).(data.Vectors); ok {
		w.Columns = v.Dim()
	}
	return compute.CheckMemory(Plan(w, m, limit), limit)
}
