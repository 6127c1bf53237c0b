package kfda

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/linalg"
	"mercer/model"
)

// Solution is the projection on r directions, p_j(x) = Σᵢ Coef[i,j] k(x, xᵢ) + Bias[j].
// Its weighted mean over the training rows is zero.
type Solution struct {
	Coef *mat.Dense // n×r, r < number of classes; exactly zero in rows of weight zero
	Bias []float64
	// Values are the projections of the training rows, n×r; NaN in rows of weight zero,
	// which take no part.
	Values *mat.Dense
}

// Solve finds the discriminant for the symmetric operator k = K (n×n) and the classes
// y, numbers from 0 without gaps. The sign of a direction is such that the last class
// lies on its positive side.
//
// Cost: the factor of one matrix, n³/3 multiplications, and 4n²m for m classes; 8n²
// bytes. For a [*gram.Features] of D < n features it is nD² + D³/3 multiplications, 8nD and 8D²
// bytes, and no matrix of n². Errors: every problem of the options; fewer than two classes; classes whose
// means coincide in feature space; a kernel value that is not finite; and a matrix that
// is not numerically positive definite. Results have the same bits for any number of
// workers.
//
// Let A = W½ H K Hᵀ W½, H the projection that takes away the weighted mean, and column
// c of E be W½(1_c − N_c/N)/√(N N_c): S_b = ΦEEᵀΦᵀ for the centred weighted features Φ
// with ΦᵀΦ = A, and S_w + S_b = ΦΦᵀ/N. A stationary v of ⟨v, S_b v⟩/⟨v, (S_w + S_b +
// λI)v⟩, whose ratio is ρ/(1 + ρ), is Φ(A/N + λI)⁻¹Eu with u an eigenvector of the small
// matrix B = NEᵀA(A + NλI)⁻¹E.
func Solve(ctx context.Context, k gram.Operator, y []int, o Options) (*Solution, *Report, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("kfda: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	j := newJob(y, &o)
	a, err := j.system(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	sol, err := j.run(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	return sol, j.report, nil
}

// job is one fit on its way.
type job struct {
	y      []int
	o      *Options
	n      int
	shares []float64 // N_c
	total  float64   // N
	roots  []float64 // √wᵢ
	means  []float64 // Σⱼ wⱼ K[i,j]/N
	trace  float64   // Σ wᵢ K[i,i]
	report *Report
	watch  *model.Stopwatch
}

func newJob(y []int, o *Options) *job {
	j := &job{y: y, o: o, n: len(y), shares: model.ClassWeights(y, o.Weights), roots: make([]float64, len(y)), watch: model.NewStopwatch()}
	for i := range y {
		j.roots[i] = math.Sqrt(model.Weight(o.Weights, i))
	}
	j.total = floats.Sum(j.shares)
	ridge := o.Ridge
	if ridge == 0 {
		ridge = j.total * o.Lambda
	}
	j.report = &Report{N: j.n, Classes: len(j.shares), Ridge: ridge, Lambda: ridge / j.total}
	return j
}

// run solves for the directions in the span of the class means.
func (j *job) run(ctx context.Context, a system) (*Solution, error) {
	e := j.between()
	z, az, err := a.solve(ctx, e)
	if err != nil {
		return nil, err
	}
	j.watch.Lap(&j.report.Run, "solve")
	us, ratios, err := j.small(ctx, e, z, az)
	if err != nil {
		return nil, err
	}
	sol := j.project(z, az, us, ratios)
	j.judge(sol)
	j.watch.Lap(&j.report.Run, "directions")
	return sol, nil
}

// between returns E, n×m.
func (j *job) between() *mat.Dense {
	e := mat.NewDense(j.n, len(j.shares), nil)
	for i, class := range j.y {
		row := e.RawRowView(i)
		for c, share := range j.shares {
			row[c] = -share / j.total
			if c == class {
				row[c]++
			}
			row[c] *= j.roots[i] / math.Sqrt(j.total*share)
		}
	}
	return e
}

// small returns the eigenvectors u of B = N Eᵀ A Z as columns of a matrix, with their
// ratios ρ descending: β/(1 − β), where 1 − β = uᵀGu is taken from G = N²λ EᵀZ, B + G =
// I on the span of E, which keeps its digits where the classes are far apart.
func (j *job) small(ctx context.Context, e, z, az *mat.Dense) (us *mat.Dense, ratios []float64, err error) {
	m := len(j.shares)
	b, g := j.symmetric(e, az, j.total), j.symmetric(e, z, j.total*j.report.Ridge)
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

// symmetric returns scale·EᵀX, which is symmetric but for rounding.
func (j *job) symmetric(e, x *mat.Dense, scale float64) *mat.SymDense {
	var p mat.Dense
	p.Mul(e.T(), x)
	p.Scale(scale, &p)
	return linalg.Symmetrise(&p)
}

// project scales v = Φ·NZu to ⟨v, (S_w + λI)v⟩ = 1: without a scale it is β(1 − β), β =
// ρ/(1 + ρ). The centre of class c along v is then √(Nρ/N_c) u_c.
func (j *job) project(z, az, us *mat.Dense, ratios []float64) *Solution {
	scales := make([]float64, len(ratios))
	for d, rho := range ratios {
		scales[d] = j.total * (1 + rho) / math.Sqrt(rho)
	}
	sol := &Solution{Coef: new(mat.Dense), Values: new(mat.Dense), Bias: make([]float64, len(ratios))}
	sol.Coef.Mul(z, us)
	sol.Values.Mul(az, us)
	j.report.Norm2, j.report.Ratios = make([]float64, len(ratios)), ratios
	for i, root := range j.roots {
		coef, values := sol.Coef.RawRowView(i), sol.Values.RawRowView(i)
		for d, s := range scales {
			if root == 0 {
				coef[d], values[d] = 0, math.NaN()
				continue
			}
			j.report.Norm2[d] += s * coef[d] * s * values[d]
			coef[d] *= s * root
			values[d] *= s / root
			sol.Bias[d] -= coef[d] * j.means[i]
		}
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
	return sol
}

// judge computes the accuracy on the training rows.
func (j *job) judge(sol *Solution) {
	right := 0.0
	for i, class := range j.y {
		if w := model.Weight(j.o.Weights, i); w > 0 && j.report.Decision.Class(sol.Values.RawRowView(i)) == class {
			right += w
		}
	}
	j.report.Accuracy = right / j.total
}
