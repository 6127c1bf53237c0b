package kfda

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// system returns A, and the factor of A + NλI.
func (j *job) system(ctx context.Context, k gram.Operator) (*mat.SymDense, *linalg.Cholesky, error) {
	a, err := gram.CopyDense(ctx, k, j.o.Compute)
	if err != nil {
		return nil, nil, err
	}
	j.centre(a)
	j.watch.Lap(&j.report.Run, "gram")
	factor, err := linalg.Factor(ctx, a, j.report.Ridge, j.o.Compute.Factoring())
	return a, factor, j.explain(err)
}

// centre turns K into A.
func (j *job) centre(k *mat.SymDense) {
	raw := k.RawSymmetric()
	j.means = make([]float64, j.n)
	for r := range j.n {
		row := raw.Data[r*raw.Stride : r*raw.Stride+j.n]
		w := model.Weight(j.o.Weights, r) / j.total
		j.trace += model.Weight(j.o.Weights, r) * row[r]
		j.means[r] += w * row[r]
		for c := r + 1; c < j.n; c++ {
			j.means[r] += model.Weight(j.o.Weights, c) / j.total * row[c]
			j.means[c] += w * row[c]
		}
	}
	mean := 0.0
	for r, v := range j.means {
		mean += model.Weight(j.o.Weights, r) / j.total * v
	}
	for r := range j.n {
		row := raw.Data[r*raw.Stride : r*raw.Stride+j.n]
		for c := r; c < j.n; c++ {
			row[c] = (row[c] - j.means[r] - j.means[c] + mean) * j.roots[r] * j.roots[c]
		}
	}
}

// explain says what a failed factorisation means.
func (j *job) explain(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("kfda: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
}
