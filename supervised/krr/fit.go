package krr

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
	if err := o.Check(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := refuse(ctx, k, xs, y, o); err != nil {
		return nil, nil, err
	}
	in, err := space.Of(ctx, k, xs, o.Space())
	if err != nil {
		return nil, nil, fmt.Errorf("krr: %w", err)
	}
	sol, report, err := Solve(ctx, in.Space, y, o)
	if err != nil {
		return nil, nil, err
	}
	return in.Function(sol.Coef, sol.Bias), report, nil
}

// ChooseSample returns the number of rows that [Fit] will sample to solve the equations of a kernel
// on landmarks, and the share of the time that this takes of the sum of all rows: see
// [space.ChooseSample].
func ChooseSample[T any](k kernel.Kernel[T], xs data.Set[T], targets int, o Options) (rows int, share float64) {
	if o.LOO {
		return 0, 1 // leverages need the features of each row
	}
	total := float64(xs.Len())
	if o.Weights != nil {
		total = floats.Sum(o.Weights)
	}
	return space.ChooseSample(k, xs, targets, total, max(o.Ridge, o.Lambda*total), o.Space())
}

// refuse returns an error where a fit is planned to hold more than it may.
func refuse[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, o Options) error {
	limit := o.Compute.MaxMemory
	if limit == 0 {
		return nil
	}
	if err := kernel.Validate(k, xs); err != nil {
		return fmt.Errorf("krr: %w", err)
	}
	m, err := compute.Calibrate(ctx, o.Compute)
	if err != nil {
		return err
	}
	pairs := kernel.Bind(k, xs, xs)
	if m, err = m.WithPairs(ctx, pairs, o.Compute); err != nil {
		return err
	}
	dim, _ := space.ChoosePrimal(k, xs, o.Solver)
	w := Work{Direct: space.Direct(pairs), Rows: xs.Len(), Features: dim, Targets: y.RawMatrix().Cols, LOO: o.LOO, Solver: o.Solver, Precision: o.Compute.Precision}
	if v, ok := any(xs).(data.Vectors); ok {
		w.Columns = v.Dim()
	}
	return compute.CheckMemory(Plan(w, m, limit), limit)
}
