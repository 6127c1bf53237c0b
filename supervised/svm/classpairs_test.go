package svm

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// crowd returns n points of k overlapping classes of different sizes, in no order.
func crowd(t testing.TB, n, k int) (data.Vectors, []int) {
	rng, xs, y := testkit.Rand(t, 51), data.MakeVectors(n, 2), make([]int, n)
	for i := range n {
		y[i] = min(rng.IntN(k+1), k-1)
		angle := 2 * math.Pi * float64(y[i]) / float64(k)
		xs.At(i)[0], xs.At(i)[1] = 2*math.Cos(angle)+0.7*rng.NormFloat64(), 2*math.Sin(angle)+0.7*rng.NormFloat64()
	}
	return xs, y
}

// Problems that are searched on the blocks of their classes have the bits of those on the
// matrix of all rows, for any number of workers, whatever room there is beside the blocks
// that are kept.
func TestPairsOfClassesAreTheWhole(t *testing.T) {
	const n, k = 2300, 6
	xs, y := crowd(t, n, k)
	solve := func(whole bool, workers int, memory int64) (*Solution, *Report, *job) {
		o := Options{C: 2}
		o.Compute.Workers, o.Compute.MaxMemory = workers, memory
		j, err := classifierJob(Dual{gram.On(vec.RBF{Sigma: 1}, xs)}, y, o)
		if err != nil {
			t.Fatal(err)
		}
		j.again = whole
		s, r, err := j.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !r.Converged {
			t.Fatalf("not converged: %q", r.Warnings)
		}
		return s, r, j
	}
	want, whole, j := solve(true, 2, 0)
	if p := newPairing(j); p != nil {
		t.Fatal("problems that are searched again are paired")
	}
	j.again = false
	p := newPairing(j)
	if p == nil {
		t.Fatal("problems of two classes each are not paired")
	}
	for _, memory := range []int64{0, 16 * int64(p.in.most+p.beside[0].most)} {
		for _, workers := range []int{1, 2, 3, 8} {
			got, r, _ := solve(false, workers, memory)
			if !mat.Equal(got.Coef, want.Coef) {
				t.Errorf("%d workers, memory %d: other coefficients than on the whole matrix", workers, memory)
			}
			if r.Evaluations != whole.Evaluations {
				t.Errorf("%d workers, memory %d: %d kernel values, %d on the whole matrix", workers, memory, r.Evaluations, whole.Evaluations)
			}
		}
	}
}

// Where problems are not of two classes each, or the blocks do not fit, there are no pairs.
func TestNotPaired(t *testing.T) {
	const n = 2300
	xs, y := crowd(t, n, 6)
	few := make([]int, n)
	for i := range n {
		few[i] = min(y[i], 1)
	}
	src := gram.On(vec.RBF{Sigma: 1}, xs)
	small := Options{}
	small.Compute.MaxMemory = 4 * n * n / 10
	for what, pose := range map[string]func() (*job, error){
		"two classes":             func() (*job, error) { return classifierJob(Dual{src}, few, Options{}) },
		"each against the others": func() (*job, error) { return classifierJob(Dual{src}, y, Options{Scheme: OneVsRest}) },
		"little memory":           func() (*job, error) { return classifierJob(Dual{src}, y, small) },
	} {
		j, err := pose()
		if err != nil {
			t.Fatal(err)
		}
		if newPairing(j) != nil {
			t.Errorf("%s: problems are paired", what)
		}
	}
}

func TestPairsOfClassesEndWithTheirContext(t *testing.T) {
	const n = 2300
	xs, y := crowd(t, n, 6)
	j, err := classifierJob(Dual{gram.On(vec.RBF{Sigma: 1}, xs)}, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := j.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
