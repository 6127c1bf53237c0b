package svm

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Start is the dual coefficients that were found for the same problem with another kernel,
// such as one of few features. The constraints know nothing of the kernel, so that these
// coefficients are feasible for any.
type Start struct {
	// Rows are those with a coefficient and Coef is their coefficients, a column per problem:
	// [Report.Support] and the coefficients of an expansion.
	Rows []int
	Coef *mat.Dense
	// EvaluateOnly asks for no search: the report says how good the coefficients are as they are.
	EvaluateOnly bool
}

// SolveFrom is [Solve] that begins at given coefficients, for [CSVC] with a finite C. Their
// gradient is computed with this kernel, (rows with a coefficient)·n values in double
// precision, and with it the duality gap that [BinaryProblem.StartGap] keeps: an upper bound of how
// far their objective is from the minimum. The search takes the rows in violation and those
// whose coefficients lie between their bounds, and the others only where they come into violation.
func SolveFrom(ctx context.Context, rows Dual, y []int, start Start, o Options) (*Solution, *Report, error) {
	j, err := classifierJob(rows, y, o)
	return j.runFrom(ctx, start, err)
}

// SolveRegressionFrom is [SolveRegression] that begins at given coefficients as [SolveFrom] does,
// for [EpsilonSVR].
func SolveRegressionFrom(ctx context.Context, rows Dual, y []float64, start Start, o Options) (*Solution, *Report, error) {
	j, err := regressionJob(rows, y, o)
	return j.runFrom(ctx, start, err)
}

// FitFrom is [Fit] that begins at given coefficients, as [SolveFrom] does.
func FitFrom[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, start Start, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(SolveFrom(ctx, Dual{gram.On(k, xs)}, y, start, o))
}

// FitRegressionFrom is [FitRegression] that begins at given coefficients as
// [SolveRegressionFrom] does.
func FitRegressionFrom[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, start Start, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(SolveRegressionFrom(ctx, Dual{gram.On(k, xs)}, y, start, o))
}

// runFrom is run from given coefficients; err is why there is no job.
func (j *job) runFrom(ctx context.Context, start Start, err error) (*Solution, *Report, error) {
	if err != nil {
		return nil, nil, err
	}
	if err := j.take(start); err != nil {
		return nil, nil, err
	}
	j.started = true
	if err := j.exact(ctx, math.Inf(1)); err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "exact gradient")
	for _, m := range j.problems {
		m.startGap = m.p.gap(m.beta, m.g, m.p.multipliers(m.beta, m.g))
	}
	if start.EvaluateOnly || j.finished() {
		j.evaluateOnly = start.EvaluateOnly
		return j.finish(nil)
	}
	s, err := j.prepare(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.leave()
	if err := j.converge(ctx, s); err != nil {
		return nil, nil, err
	}
	return j.finish(nil)
}

// take begins at the coefficients of a start.
func (j *job) take(start Start) error {
	if j.o.Type != CSVC && j.o.Type != EpsilonSVR || math.IsInf(j.o.C, 1) {
		return fmt.Errorf("svm: a search begins at given coefficients for %s with a finite C and for %s, and this is %s with C = %v", CSVC, EpsilonSVR, j.o.Type, j.o.C)
	}
	if start.Coef == nil {
		return errors.New("svm: a start without coefficients")
	}
	if rows, problems := start.Coef.Dims(); rows != len(start.Rows) || problems != len(j.problems) {
		return fmt.Errorf("svm: the start has %d×%d coefficients, and there are %d rows with coefficients and %d problems", rows, problems, len(start.Rows), len(j.problems))
	}
	place := make(map[int]int, len(j.order)) // of a row in the order
	for at, row := range j.order {
		place[row] = at
	}
	for c, m := range j.problems {
		all := make([]float64, len(j.order))
		for i, row := range start.Rows {
			at, known := place[row]
			if v := start.Coef.At(i, c); known {
				all[at] = v
			} else if v != 0 {
				return fmt.Errorf("svm: the start has the coefficient %g for row %d, which is none of the %d rows with a weight", v, row, len(j.order))
			}
		}
		if err := m.take(all); err != nil {
			return fmt.Errorf("svm: the start of problem %d: %w", c, err)
		}
	}
	return nil
}

// take begins at coefficients of the rows of the order.
func (m *binaryProblem) take(all []float64) error {
	coef := make([]float64, rowsOf(m.spans))
	for local, row := range m.each() {
		coef[local] = all[row]
	}
	sum, size := 0.0, 0.0
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ { // of a row with two variables one is above the function, one below
			m.beta[t] = min(max(coef[s.row+t-s.from], m.p.lo(t)), m.p.hi(t))
			sum += m.beta[t]
			size += math.Abs(m.beta[t])
		}
	}
	for local, v := range m.coef() {
		if math.Abs(v-coef[local]) > 1e-9*math.Abs(coef[local]) || math.IsNaN(coef[local]) {
			return fmt.Errorf("the coefficient %g is beyond its bounds: it is of a problem with other classes, weights or C", coef[local])
		}
	}
	if math.Abs(sum) > 1e-9*size {
		return fmt.Errorf("the coefficients add up to %g, and must to 0: they are no solution of this problem", sum)
	}
	return nil
}
