package kfda_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/kfda"
)

func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// problem is a random one of m overlapping classes.
type problem struct {
	xs      data.Vectors
	y       []int
	weights []float64
}

func newProblem(rng *rand.Rand, n, d, m int, weighted bool) *problem {
	p := &problem{xs: data.MakeVectors(n, d), y: make([]int, n)}
	for i := range n {
		p.y[i] = i % m
		x := p.xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64() + math.Cos(float64(p.y[i]*(j+1)))
		}
	}
	if weighted {
		p.weights = make([]float64, n)
		for i := range p.weights {
			if i%7 != 6 {
				p.weights[i] = 0.2 + 2*rng.Float64()
			}
		}
	}
	return p
}

func (p *problem) weight(i int) float64 {
	if p.weights == nil {
		return 1
	}
	return p.weights[i]
}

func (p *problem) rows(keep []int) *problem {
	q := &problem{xs: p.xs.Gather(keep)}
	for _, i := range keep {
		q.y = append(q.y, p.y[i])
		if p.weights != nil {
			q.weights = append(q.weights, p.weights[i])
		}
	}
	return q
}

// matrix evaluates the Gram matrix pair by pair.
func matrix(k kernel.Kernel[[]float64], xs data.Vectors) *mat.SymDense {
	a := mat.NewSymDense(xs.Len(), nil)
	for i := range xs.Len() {
		for j := i; j < xs.Len(); j++ {
			a.SetSym(i, j, k.Eval(xs.At(i), xs.At(j)))
		}
	}
	return a
}

// projected is a solution with its values of the training rows.
type projected struct {
	*kfda.Solution
	Values *mat.Dense
}

func solve(t testing.TB, k *mat.SymDense, p *problem, o kfda.Options) (*projected, *kfda.Report) {
	t.Helper()
	o.Weights = p.weights
	sol, report, err := kfda.Solve(t.Context(), dual(t, k), p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	values := new(mat.Dense)
	values.Mul(k, sol.Coef)
	values.Apply(func(_, j int, v float64) float64 { return v + sol.Bias[j] }, values)
	return &projected{sol, values}, report
}

// dual is the space of coefficients of the rows.
func dual(t testing.TB, k *mat.SymDense) space.Space {
	t.Helper()
	s, err := space.DualOf(t.Context(), gram.FromMatrix(k), space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// primal is the space of weights of features.
func primal(t testing.TB, phi design.Matrix, o compute.Options) space.Space {
	t.Helper()
	s, err := space.NewPrimal(t.Context(), phi, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// classical is the discriminant in coordinates, from the scatter matrices themselves.
type classical struct {
	ratios    []float64
	values    *mat.Dense // of the rows of x, weighted mean zero, last class positive
	centroids *mat.Dense
}

// discriminant solves the generalised eigenproblem of S_b and S_w + λI for rows x.
func discriminant(t testing.TB, x *mat.Dense, p *problem, lambda float64) *classical {
	t.Helper()
	n, d := x.Dims()
	m, total := 0, 0.0
	for i, c := range p.y {
		m = max(m, c+1)
		total += p.weight(i)
	}
	means, shares, mean := mat.NewDense(m, d, nil), make([]float64, m), mat.NewVecDense(d, nil)
	for i, c := range p.y {
		shares[c] += p.weight(i)
	}
	for i, c := range p.y {
		row := means.RowView(c).(*mat.VecDense)
		row.AddScaledVec(row, p.weight(i)/shares[c], x.RowView(i))
		mean.AddScaledVec(mean, p.weight(i)/total, x.RowView(i))
	}
	within, between := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	var diff mat.VecDense
	for i, c := range p.y {
		diff.SubVec(x.RowView(i), means.RowView(c))
		within.SymRankOne(within, p.weight(i)/total, &diff)
	}
	for c, share := range shares {
		diff.SubVec(means.RowView(c), mean)
		between.SymRankOne(between, share/total, &diff)
	}
	for j := range d {
		within.SetSym(j, j, within.At(j, j)+lambda)
	}
	var chol mat.Cholesky
	if !chol.Factorize(within) {
		t.Fatal("the scatter within is not positive definite")
	}
	var l mat.TriDense
	chol.LTo(&l)
	var half, whole mat.Dense
	if err := half.Solve(&l, between); err != nil {
		t.Fatal(err)
	}
	if err := whole.Solve(&l, half.T()); err != nil {
		t.Fatal(err)
	}
	sym := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			sym.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, true) {
		t.Fatal("no eigenvectors")
	}
	var vectors, v mat.Dense
	eigen.VectorsTo(&vectors)
	r := min(m-1, d)
	if err := v.Solve(l.T(), vectors.Slice(0, d, d-r, d)); err != nil {
		t.Fatal(err)
	}
	out := &classical{values: mat.NewDense(n, r, nil), centroids: mat.NewDense(m, r, nil)}
	for k := range r {
		col := v.ColView(r - 1 - k)
		out.ratios = append(out.ratios, eigen.Values(nil)[d-1-k])
		diff.SubVec(means.RowView(m-1), mean)
		sign := 1.0
		if mat.Dot(&diff, col) < 0 {
			sign = -1
		}
		for i := range n {
			diff.SubVec(x.RowView(i), mean)
			out.values.Set(i, k, sign*mat.Dot(&diff, col))
		}
		for c := range m {
			diff.SubVec(means.RowView(c), mean)
			out.centroids.Set(c, k, sign*mat.Dot(&diff, col))
		}
	}
	return out
}
