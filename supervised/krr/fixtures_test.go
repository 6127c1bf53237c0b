package krr_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// gauss is exp(−‖x−y‖²/(2σ²)) by its definition.
type gauss struct{ sigma float64 }

func (k gauss) Eval(x, y []float64) float64 {
	d := 0.0
	for i := range x {
		d += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Exp(-d / (2 * k.sigma * k.sigma))
}
func (k gauss) String() string { return fmt.Sprintf("gauss(%g)", k.sigma) }
func (k gauss) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "sigma", Value: k.sigma, Positive: true}}
}
func (k gauss) With(v []float64) (kernel.Kernel[[]float64], error) { return gauss{v[0]}, nil }
func (k gauss) EvalGrad(grad []float64, x, y []float64) float64 {
	v := k.Eval(x, y)
	grad[0] = -2 * v * math.Log(v) // ∂/∂ln σ exp(−d/2σ²) = d/σ²·k
	return v
}

// poly2 is (⟨x,y⟩ + a)² with its map (a, √(2a)·xᵢ, xᵢ², √2·xᵢxⱼ); linear if a < 0.
type poly2 struct{ a float64 }

func (k poly2) Eval(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	if k.a < 0 {
		return s
	}
	return (s + k.a) * (s + k.a)
}
func (k poly2) String() string { return fmt.Sprintf("poly2(%g)", k.a) }
func (k poly2) Features(like []float64) (int, bool) {
	d := len(like)
	if k.a < 0 {
		return d, true
	}
	return 1 + d + d*(d+1)/2, true
}
func (k poly2) Map(phi, x []float64) {
	if k.a < 0 {
		copy(phi, x)
		return
	}
	phi[0] = k.a
	at := 1
	for i, v := range x {
		phi[at] = math.Sqrt(2*k.a) * v
		at++
		for j := range i {
			phi[at] = math.Sqrt2 * v * x[j]
			at++
		}
		phi[at] = v * v
		at++
	}
}

// problem is a random one: n points in d dimensions, m targets, weights with zeros
// among them (or nil).
type problem struct {
	xs      data.Vectors
	y       *mat.Dense
	weights []float64
	k       *mat.SymDense
}

func newProblem(t testing.TB, rng *rand.Rand, n, d, m int, weighted bool) *problem {
	t.Helper()
	p := &problem{xs: data.MakeVectors(n, d), y: mat.NewDense(n, m, nil)}
	for i := range n {
		x := p.xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		for j := range m {
			p.y.Set(i, j, 3+math.Sin(2*x[0]+float64(j))+0.3*rng.NormFloat64())
		}
	}
	if weighted {
		p.weights = make([]float64, n)
		for i := range p.weights {
			if i%5 != 3 {
				p.weights[i] = 0.2 + 2*rng.Float64()
			}
		}
	}
	p.k = matrix(t, gauss{1.3}, p.xs)
	return p
}

// matrix evaluates the Gram matrix pair by pair.
func matrix(t testing.TB, k kernel.Kernel[[]float64], xs data.Set[[]float64]) *mat.SymDense {
	t.Helper()
	a := mat.NewSymDense(xs.Len(), nil)
	for i := range xs.Len() {
		for j := i; j < xs.Len(); j++ {
			a.SetSym(i, j, k.Eval(xs.At(i), xs.At(j)))
		}
	}
	return a
}

func (p *problem) op() gram.Operator { return gram.FromMatrix(p.k) }

// without returns the problem without row i, or with only the rows of positive weight
// if i < 0.
func (p *problem) without(i int) *problem {
	var keep []int
	for r := range p.xs.Len() {
		if r != i && (i >= 0 || p.weights == nil || p.weights[r] > 0) {
			keep = append(keep, r)
		}
	}
	return p.rows(keep)
}

func (p *problem) rows(keep []int) *problem {
	_, m := p.y.Dims()
	q := &problem{xs: p.xs.Gather(keep), y: mat.NewDense(len(keep), m, nil), k: mat.NewSymDense(len(keep), nil)}
	for a, r := range keep {
		q.y.SetRow(a, p.y.RawRowView(r))
		if p.weights != nil {
			q.weights = append(q.weights, p.weights[r])
		}
		for b, s := range keep[a:] {
			q.k.SetSym(a, a+b, p.k.At(r, s))
		}
	}
	return q
}

// brute solves the bordered system [K + R·W⁻¹, 1; 1ᵀ, 0] [α; b] = [y; 0] by LU, on the
// rows of positive weight.
func brute(t testing.TB, p *problem, ridge float64, intercept bool) *krr.Solution {
	t.Helper()
	n, m := p.y.Dims()
	var rows []int
	for i := range n {
		if p.weights == nil || p.weights[i] > 0 {
			rows = append(rows, i)
		}
	}
	size := len(rows)
	if intercept {
		size++
	}
	a, b := mat.NewDense(size, size, nil), mat.NewDense(size, m, nil)
	for r, i := range rows {
		for c, j := range rows {
			a.Set(r, c, p.k.At(i, j))
		}
		w := 1.0
		if p.weights != nil {
			w = p.weights[i]
		}
		a.Set(r, r, a.At(r, r)+ridge/w)
		if intercept {
			a.Set(r, size-1, 1)
			a.Set(size-1, r, 1)
		}
		b.SetRow(r, p.y.RawRowView(i))
	}
	var x mat.Dense
	if err := x.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	s := &krr.Solution{Coef: mat.NewDense(n, m, nil), Bias: make([]float64, m)}
	for r, i := range rows {
		s.Coef.SetRow(i, x.RawRowView(r))
	}
	if intercept {
		copy(s.Bias, x.RawRowView(size-1))
	}
	return s
}

// predict evaluates the solution at the rows of a cross Gram matrix.
func predict(s *krr.Solution, cross mat.Matrix) *mat.Dense {
	var f mat.Dense
	f.Mul(cross, s.Coef)
	f.Apply(func(_, j int, v float64) float64 { return v + s.Bias[j] }, &f)
	return &f
}

// cross is the row k(x, xᵢ) of point r against all points but r.
func (p *problem) crossWithout(r int) *mat.Dense {
	n := p.xs.Len()
	row := mat.NewDense(1, n-1, nil)
	for i, c := 0, 0; i < n; i++ {
		if i != r {
			row.Set(0, c, p.k.At(r, i))
			c++
		}
	}
	return row
}

// cases runs f with every combination of weights, intercept and number of targets.
func cases(t *testing.T, f func(t *testing.T, weighted, intercept bool, m int)) {
	for _, weighted := range []bool{false, true} {
		for _, intercept := range []bool{true, false} {
			for _, m := range []int{1, 3} {
				t.Run(fmt.Sprintf("weighted=%v,intercept=%v,targets=%d", weighted, intercept, m), func(t *testing.T) { f(t, weighted, intercept, m) })
			}
		}
	}
}

// counted counts the elements that are computed.
type counted struct {
	kernel.Pairs
	elements atomic.Int64
}

func (c *counted) Tile(dst kernel.Tile, row, col int) {
	c.elements.Add(int64(dst.Rows * dst.Cols))
	c.Pairs.Tile(dst, row, col)
}

// productsOnly hides all but the operator.
type productsOnly struct{ gram.Operator }

// tiled has tiles in single precision.
type tiled struct{ *counted }

func (c tiled) Tile32(dst kernel.Tile32, row, col int) { kernel.Fill32(c.counted, dst, row, col) }

// solveGram solves in the dual space of an operator, as the options ask for it.
func solveGram(ctx context.Context, k gram.Operator, y *mat.Dense, o krr.Options) (*krr.Solution, *krr.Report, error) {
	how := o.Space()
	if how.Solver == "magic" {
		how.Solver = krr.Auto // Solve refuses it, with all else
	}
	s, err := space.DualOf(ctx, k, how)
	if err != nil {
		return nil, nil, err
	}
	return krr.Solve(ctx, s, y, o)
}

// rowsOf is the span of the rows of a Gram matrix, of which nothing is held.
func rowsOf(t *testing.T, k gram.Operator) space.Space {
	t.Helper()
	s, err := space.DualOf(t.Context(), k, space.Options{Unsolved: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
