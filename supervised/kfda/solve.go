package kfda

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/model"
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
// Cost: the factor of one matrix, n³/3 multiplications, and 4n²m for m classes; 8n² bytes. In fewer
// features than rows [SolveFeatures] takes less. Errors: every problem of the options; fewer than
// two classes; classes whose means coincide in feature space; a kernel value that is not finite;
// and a matrix that is not numerically positive definite. Results have the same bits for any number
// of workers.
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
	a, factor, err := j.system(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	e := j.between()
	z, az := new(mat.Dense), new(mat.Dense)
	if err := factor.Solve(ctx, z, e); err != nil {
		return nil, nil, err
	}
	if err := gram.FromMatrix(a).Mul(ctx, az, z); err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "solve")
	us, ratios, err := j.directions(ctx, symmetric(e, az, j.total), symmetric(e, z, j.total*j.report.Ridge))
	if err != nil {
		return nil, nil, err
	}
	sol := j.project(z, az, us, j.describe(us, ratios))
	j.judge(sol)
	j.watch.Lap(&j.report.Run, "directions")
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

// between returns E, n×m.
func (j *job) between() *mat.Dense {
	e := mat.NewDense(j.n, len(j.shares), nil)
	for i, class := range j.y {
		row := e.RawRowView(i)
		j.indicate(row, class)
		floats.Scale(j.roots[i], row)
	}
	return e
}

// indicate stores (1_c − N_c/N)/√(N N_c) of a row of a class, which times its √wᵢ is its row of E.
func (j *job) indicate(dst []float64, class int) {
	for c, share := range j.shares {
		dst[c] = -share / j.total
		if c == class {
			dst[c]++
		}
		dst[c] /= math.Sqrt(j.total * share)
	}
}

// project scales v = Φ·Zu, and finds the intercepts that make their means zero.
func (j *job) project(z, az, us *mat.Dense, scales []float64) *Solution {
	sol := &Solution{Coef: new(mat.Dense), Values: new(mat.Dense), Bias: make([]float64, len(scales))}
	sol.Coef.Mul(z, us)
	sol.Values.Mul(az, us)
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
