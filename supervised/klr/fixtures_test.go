package klr_test

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
	"example.org/mercer/space"
	"example.org/mercer/supervised/klr"
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

// problem is a random one with overlapping classes.
type problem struct {
	xs      data.Vectors
	y       []int
	weights []float64
}

func newProblem(rng *rand.Rand, n, d, m int, weighted bool) *problem {
	p := &problem{xs: data.MakeVectors(n, d), y: make([]int, n)}
	for i := range n {
		x := p.xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64() + 0.3
		}
		score := math.Sin(2*x[0]) + 0.5*x[d-1] + 0.6*rng.NormFloat64()
		p.y[i] = min(m-1, max(0, int(math.Floor(score*float64(m)/2+float64(m)/2))))
	}
	for c := range m { // every class has a row
		p.y[c] = c
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

// rows returns the problem of some rows.
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

// without returns all rows but one.
func without(n, row int) []int {
	var keep []int
	for i := range n {
		if i != row {
			keep = append(keep, i)
		}
	}
	return keep
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

func solve(t testing.TB, k *mat.SymDense, p *problem, o klr.Options) (*klr.Solution, *klr.Report) {
	t.Helper()
	o.Weights = p.weights
	sol, report, err := solveGram(t.Context(), gram.FromMatrix(k), p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Newton.Converged {
		t.Fatalf("not converged: %+v", report.Newton)
	}
	return sol, report
}

// table reads numbers separated by commas, and the label in a column.
func table(t testing.TB, file string, label int) (data.Vectors, []int) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, file))
	if err != nil {
		t.Fatal(err)
	}
	numbers, y, names, d := []float64(nil), []int(nil), map[string]int{"B": 0, "M": 1}, 0
	if label != 1 {
		clear(names)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if len(fields) < 5 {
			continue
		}
		name := fields[label]
		if _, ok := names[name]; !ok {
			names[name] = len(names)
		}
		y = append(y, names[name])
		from, to := 0, label
		if label == 1 {
			from, to = 2, len(fields)
		}
		d = to - from
		for _, f := range fields[from:to] {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
	}
	xs, err := data.NewVectors(len(y), d, numbers)
	if err != nil {
		t.Fatal(err)
	}
	return xs, y
}

// heart reads heart_scale.
func heart(t testing.TB) (data.Vectors, []int) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "libsvm/heart_scale"))
	if err != nil {
		t.Fatal(err)
	}
	xs, y := data.MakeVectors(270, 13), []int(nil)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		class := 0
		if fields[0] == "+1" {
			class = 1
		}
		for _, f := range fields[1:] {
			index, value, _ := strings.Cut(f, ":")
			at, err := strconv.Atoi(index)
			if err != nil {
				t.Fatal(err)
			}
			if xs.At(len(y))[at-1], err = strconv.ParseFloat(value, 64); err != nil {
				t.Fatal(err)
			}
		}
		y = append(y, class)
	}
	return xs, y
}

// standardise scales columns to mean 0 and (population) variance 1.
func standardise(xs data.Vectors) {
	n := float64(xs.Len())
	for j := range xs.Dim() {
		mean, square := 0.0, 0.0
		for i := range xs.Len() {
			mean += xs.At(i)[j] / n
		}
		for i := range xs.Len() {
			square += math.Pow(xs.At(i)[j]-mean, 2) / n
		}
		for i := range xs.Len() {
			xs.At(i)[j] = (xs.At(i)[j] - mean) / math.Sqrt(square)
		}
	}
}

// solveGram solves in the dual space of an operator, as the options ask for it.
func solveGram(ctx context.Context, k gram.Operator, y []int, o klr.Options) (*klr.Solution, *klr.Report, error) {
	how := o.Space()
	if how.Solver != klr.Primal && how.Solver != klr.CG && how.Solver != klr.Packed {
		how.Solver = klr.Cholesky // Solve refuses what is unknown, with all else
	}
	s, err := space.DualOf(ctx, k, how)
	if err != nil {
		return nil, nil, err
	}
	return klr.Solve(ctx, s, y, o)
}
