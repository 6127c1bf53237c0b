package nystrom_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

var background = context.Background()

func parse(t testing.TB, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// cloud returns n points with d coordinates of falling spread.
func cloud(t testing.TB, seed uint64, n, d int) data.Vectors {
	t.Helper()
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64() / (1 + float64(i%d))
	}
	return xs
}

// dense returns the Gram matrix by definition.
func dense[T any](k kernel.Kernel[T], xs, ys data.Set[T]) *mat.Dense {
	out := mat.NewDense(xs.Len(), ys.Len(), nil)
	for i := range xs.Len() {
		for j := range ys.Len() {
			out.Set(i, j, k.Eval(xs.At(i), ys.At(j)))
		}
	}
	return out
}

// nystromOf returns K_XC·K_CC⁺·K_CX by a solution of the normal equations in the span of
// the landmarks, for landmarks that are well conditioned.
func nystromOf[T any](t testing.TB, k kernel.Kernel[T], xs, landmarks data.Set[T]) *mat.Dense {
	t.Helper()
	cross := dense(k, xs, landmarks)
	var solved, out mat.Dense
	if err := solved.Solve(dense(k, landmarks, landmarks), cross.T()); err != nil {
		t.Fatal(err)
	}
	out.Mul(cross, &solved)
	return &out
}

// ones are the weights where there are none.
func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func workers(n int) compute.Options { return compute.Options{Workers: n} }

// points returns the landmarks of k̃.
func points[T any](n *nystrom.Kernel[T]) data.Set[T] {
	landmarks, _ := n.Landmarks()
	return landmarks
}
