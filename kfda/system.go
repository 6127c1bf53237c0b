package kfda

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/linalg"
	"mercer/model"
)

// system is A + NλI, factored.
type system interface {
	// solve returns Z = (A + NλI)⁻¹E and AZ.
	solve(ctx context.Context, e *mat.Dense) (z, az *mat.Dense, err error)
}

// system centres K and factors it: the matrix, or where K = ΦΦᵀ has fewer features than rows
// the features.
func (j *job) system(ctx context.Context, k gram.Operator) (system, error) {
	if phi, ok := gram.Narrow(k); ok {
		columns := j.centreFeatures(phi)
		j.watch.Lap(&j.report.Run, "features")
		factor, err := linalg.NewWoodbury(ctx, columns, slices.Repeat([]float64{j.report.Ridge}, j.n), j.o.linalg())
		return narrow{factor, j.report.Ridge}, j.explain(err)
	}
	a, err := gram.Own(ctx, k, j.o.Compute)
	if err != nil {
		return nil, err
	}
	j.centre(a)
	j.watch.Lap(&j.report.Run, "gram")
	factor, err := linalg.Factor(ctx, a, j.report.Ridge, j.o.linalg())
	if err != nil {
		return nil, j.explain(err)
	}
	return whole{a, factor}, nil
}

// whole is the system of a matrix.
type whole struct {
	a      *mat.SymDense
	factor *linalg.Cholesky
}

func (w whole) solve(ctx context.Context, e *mat.Dense) (z, az *mat.Dense, err error) {
	z, az = new(mat.Dense), new(mat.Dense)
	if err := w.factor.Solve(ctx, z, e); err != nil {
		return nil, nil, err
	}
	return z, az, gram.FromMatrix(w.a).Mul(ctx, az, z)
}

// narrow is the system of features, A = ΨΨᵀ with Ψ = W½HΦ (n×D): (A + RI)⁻¹ is
// (I − Ψ(ΨᵀΨ + RI)⁻¹Ψᵀ)/R.
type narrow struct {
	factor *linalg.Woodbury
	ridge  float64 // R
}

func (w narrow) solve(ctx context.Context, e *mat.Dense) (z, az *mat.Dense, err error) {
	z, az = new(mat.Dense), mat.DenseCopyOf(e)
	if err := w.factor.Solve(ctx, z, e); err != nil {
		return nil, nil, err
	}
	for i := range az.RawMatrix().Rows {
		floats.AddScaled(az.RawRowView(i), -w.ridge, z.RawRowView(i))
	}
	return z, az, nil
}

// centreFeatures returns Ψᵀ, W½(Φ − 1φ̄ᵀ) by columns. Σⱼ wⱼK[i,j]/N is ⟨φᵢ, φ̄⟩.
func (j *job) centreFeatures(phi *mat.Dense) *mat.Dense {
	_, dim := phi.Dims()
	mean := make([]float64, dim)
	for i := range j.n {
		w, row := model.Weight(j.o.Weights, i), phi.RawRowView(i)
		floats.AddScaled(mean, w/j.total, row)
		j.trace += w * floats.Dot(row, row)
	}
	along := mat.NewVecDense(j.n, nil)
	along.MulVec(phi, mat.NewVecDense(dim, mean))
	j.means = along.RawVector().Data
	out := mat.DenseCopyOf(phi.T())
	for d, m := range mean {
		row := out.RawRowView(d)
		floats.AddConst(-m, row)
		floats.Mul(row, j.roots)
	}
	return out
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
