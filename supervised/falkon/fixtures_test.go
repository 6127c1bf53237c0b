package falkon_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/falkon"
)

// problem is a smooth function of points in the plane with noise, two targets.
type problem struct {
	k  kernel.Kernel[[]float64]
	xs data.Vectors
	y  *mat.Dense
	w  []float64
}

func newProblem(t testing.TB, n int) problem {
	rng := testkit.Rand(t, 5)
	p := problem{xs: data.MakeVectors(n, 2), y: mat.NewDense(n, 2, nil), w: make([]float64, n)}
	for i := range n {
		x := p.xs.At(i)
		x[0], x[1] = 4*rng.Float64(), 4*rng.Float64()
		p.y.Set(i, 0, math.Sin(2*x[0])+x[1]+0.1*rng.NormFloat64()+3)
		p.y.Set(i, 1, x[0]*x[1]/4+0.1*rng.NormFloat64())
		p.w[i] = 0.5 + rng.Float64()
	}
	var err error
	if p.k, err = vec.Parse("rbf(sigma=0.7)"); err != nil {
		t.Fatal(err)
	}
	return p
}

// labels turns the targets into −1 and 1 with some of them wrong.
func (p problem) labels(t testing.TB) problem {
	rng := testkit.Rand(t, 6)
	y := mat.NewDense(p.y.RawMatrix().Rows, 2, nil)
	y.Apply(func(i, j int, _ float64) float64 {
		v := p.y.At(i, j) - []float64{5, 1}[j]
		if rng.Float64() < 0.1 {
			v = -v
		}
		return math.Copysign(1, v)
	}, y)
	p.y = y
	return p
}

// uniform returns m rows as landmarks.
func (p problem) uniform(t testing.TB, m int) *nystrom.Selection[[]float64] {
	l, _, err := nystrom.Landmarks(t.Context(), p.k, p.xs, nystrom.Options{Scheme: nystrom.Uniform, Rank: m, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// at returns some rows as landmarks.
func (p problem) at(rows ...int) *nystrom.Selection[[]float64] {
	return &nystrom.Selection[[]float64]{Points: data.Subset(p.xs, rows), Rows: rows}
}

// fit fits and fails the test where that fails.
func (p problem) fit(t testing.TB, l *nystrom.Selection[[]float64], o falkon.Options) (*mat.Dense, *falkon.Report) {
	t.Helper()
	f, r, err := falkon.Fit(t.Context(), p.k, p.xs, l, p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	values, err := f.Predict(t.Context(), p.xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return values, r
}

// bruteForce solves the normal equations of the squared loss as they stand, β and b
// together, and returns the values at the rows.
func (p problem) bruteForce(t testing.TB, l *nystrom.Selection[[]float64], weights []float64, lambda float64, intercept bool) *mat.Dense {
	t.Helper()
	return normalEquations(t, p.k, p.xs, l.Points, p.y, weights, lambda, intercept)
}

// normalEquations are those of [problem.bruteForce] for points of any type.
func normalEquations[T any](t testing.TB, k kernel.Kernel[T], xs, landmarks data.Set[T], y *mat.Dense, weights []float64, lambda float64, intercept bool) *mat.Dense {
	t.Helper()
	var knm, kmm mat.Dense
	if err := gram.Rect(t.Context(), &knm, kernel.BindPointwise(k, xs, landmarks), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := gram.Rect(t.Context(), &kmm, kernel.BindPointwise(k, landmarks, landmarks), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	n, m := knm.Dims()
	size := m
	if intercept {
		size++
	}
	design, total := mat.NewDense(n, size, nil), 0.0
	weighted := mat.NewDense(n, size, nil)
	for i := range n {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		total += w
		for j := range size {
			v := 1.0
			if j < m {
				v = knm.At(i, j)
			}
			design.Set(i, j, v)
			weighted.Set(i, j, w*v)
		}
	}
	var a, b, beta, values mat.Dense
	a.Mul(design.T(), weighted)
	for i := range m {
		for j := range m {
			a.Set(i, j, a.At(i, j)+total*lambda*kmm.At(i, j))
		}
	}
	b.Mul(weighted.T(), y)
	if err := beta.Solve(&a, &b); err != nil {
		if _, conditioned := err.(mat.Condition); !conditioned {
			t.Fatal(err)
		}
	}
	values.Mul(design, &beta)
	return &values
}

// worst returns the largest difference of two matrices.
func worst(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return math.Max(mat.Max(&d), -mat.Min(&d))
}
