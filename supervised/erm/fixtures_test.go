package erm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/loss"
	"example.org/mercer/space"
	"example.org/mercer/supervised/erm"
)

// parse returns a kernel on vectors.
func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// problem is a noisy curve with outliers; labels are its signs.
type problem struct {
	xs      data.Vectors
	y       []float64
	labels  []float64
	weights []float64
}

func newProblem(rng *rand.Rand, n int, weighted bool) *problem {
	p := &problem{xs: data.MakeVectors(n, 2), y: make([]float64, n), labels: make([]float64, n)}
	for i := range n {
		x := p.xs.At(i)
		x[0], x[1] = rng.NormFloat64(), rng.NormFloat64()
		p.y[i] = 5 + 2*math.Sin(2*x[0]) + x[1] + 0.4*rng.NormFloat64()
		if i%9 == 5 {
			p.y[i] += 20
		}
		p.labels[i] = math.Copysign(1, math.Sin(2*x[0])+x[1]+0.7*rng.NormFloat64())
	}
	if weighted {
		p.weights = make([]float64, n)
		for i := range p.weights {
			if i%5 != 4 {
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

func (p *problem) total() float64 {
	sum := 0.0
	for i := range p.y {
		sum += p.weight(i)
	}
	return sum
}

// targets are labels for losses of margins.
func (p *problem) targets(l loss.Loss) []float64 {
	switch l.(type) {
	case loss.Logistic, loss.SquaredHinge, loss.Hinge:
		return p.labels
	}
	return p.y
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

// onRows solves in the span of the rows of an operator.
func onRows(ctx context.Context, k gram.Operator, y []float64, l loss.Loss, o erm.Options) (*erm.Solution, *erm.Report, error) {
	s, err := space.DualOf(ctx, k, o.Space())
	if err != nil {
		return nil, nil, err
	}
	return erm.Solve(ctx, s, y, l, o)
}

func solve(t testing.TB, k *mat.SymDense, p *problem, l loss.Loss, o erm.Options) (*erm.Solution, *erm.Report) {
	t.Helper()
	o.Weights = p.weights
	sol, report, err := onRows(t.Context(), gram.FromMatrix(k), p.targets(l), l, o)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Converged {
		t.Fatalf("%s has not converged: %+v", l, report)
	}
	return sol, report
}

// objective is (1/N) Σ wᵢℓᵢ + (λ/2) αᵀKα by its definition.
func objective(k *mat.SymDense, p *problem, l loss.Loss, lambda float64, alpha []float64, bias float64) float64 {
	a := mat.NewVecDense(len(alpha), append([]float64(nil), alpha...))
	var f mat.VecDense
	f.MulVec(k, a)
	sum := lambda / 2 * mat.Dot(a, &f)
	for i, y := range p.targets(l) {
		sum += p.weight(i) * l.Value(y, f.AtVec(i)+bias) / p.total()
	}
	return sum
}

// small reads a data set of R: a header, row names, columns; the last is the target.
func small(t testing.TB, name string) (data.Vectors, []float64) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "small/"+name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	var numbers, y []float64
	d := 0
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if i == 0 {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), ",")[1:]
		d = len(fields) - 1
		for j, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			if j < d {
				numbers = append(numbers, v)
			} else {
				y = append(y, v)
			}
		}
	}
	xs, err := data.NewVectors(len(y), d, numbers)
	if err != nil {
		t.Fatal(err)
	}
	return xs, y
}
