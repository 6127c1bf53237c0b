package kfda

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// directions returns the eigenvectors u of B = N EᵀAZ, m×m, as columns of a matrix, with their
// ratios ρ descending: β/(1 − β), where 1 − β = uᵀGu is taken from G = N²λ EᵀZ, B + G =
// I on the span of E, which keeps its digits where the classes are far apart.
func (j *job) directions(ctx context.Context, b, g *mat.SymDense) (us *mat.Dense, ratios []float64, err error) {
	m := len(j.shares)
	eigen, err := linalg.EigenSym(ctx, b, j.o.linalg())
	if err != nil {
		return nil, nil, err
	}
	keep := m - 1
	if j.o.Directions > 0 {
		keep = min(keep, j.o.Directions)
	}
	// Differences of means that rounding of K makes are of this size in B: A is known to
	// ε·trace, and |E||Z| is up to 1/(N·Nλ).
	floor := 8 * 0x1p-52 * j.trace / j.report.Ridge
	us = mat.NewDense(m, keep, nil)
	for c := range keep {
		u := eigen.Vectors.ColView(m - 1 - c)
		beta := mat.Inner(u, b, u)
		if !(beta > floor) {
			break
		}
		sign := 1.0
		if u.AtVec(m-1) < 0 {
			sign = -1
		}
		for i := range m {
			us.Set(i, c, sign*u.AtVec(i))
		}
		ratios = append(ratios, beta/mat.Inner(u, g, u))
	}
	switch {
	case len(ratios) == 0:
		return nil, nil, errors.New("kfda: the means of the classes coincide in feature space, so that no direction tells them apart: use another kernel, or check the labels")
	case len(ratios) < keep:
		j.report.Warn("the means of the %d classes lie in %d dimensions of feature space: there are %d directions, not %d", m, len(ratios), len(ratios), keep)
	}
	return us.Slice(0, m, 0, len(ratios)).(*mat.Dense), ratios, nil
}

// describe reports the directions of the eigenvectors us and the centres of the classes along them,
// and returns what makes Zu one of the length ⟨v, (S_w + λI)v⟩ = 1: that of Φ·NZu is β(1 − β), β =
// ρ/(1 + ρ). The centre of class c along v is then √(Nρ/N_c) u_c.
func (j *job) describe(us *mat.Dense, ratios []float64) (scales []float64) {
	j.report.Norm2, j.report.Ratios = make([]float64, len(ratios)), ratios
	for _, rho := range ratios {
		scales = append(scales, j.total*(1+rho)/math.Sqrt(rho))
	}
	d := &Decision{LogPriors: make([]float64, len(j.shares)), Centroids: make([][]float64, len(j.shares))}
	sum := floats.Sum(j.o.Priors)
	for c, share := range j.shares {
		d.LogPriors[c] = math.Log(share / j.total)
		if j.o.Priors != nil {
			d.LogPriors[c] = math.Log(j.o.Priors[c] / sum)
		}
		for k, rho := range ratios {
			d.Centroids[c] = append(d.Centroids[c], math.Sqrt(j.total*rho/share)*us.At(c, k))
		}
	}
	j.report.Decision = d
	return scales
}
