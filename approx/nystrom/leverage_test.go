package nystrom

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// TestBless holds the estimated scores against those of dense matrices: within a factor
// of 4 on either side for every row, and the effective dimension within 30 %. The points
// are few dense clusters and some strays, whose scores differ by far.
func TestBless(t *testing.T) {
	const n = 400
	rng, xs := testkit.Rand(t, 7), data.MakeVectors(n, 2)
	for i := range n {
		spread := 0.05
		if i >= n-20 {
			spread = 8
		}
		for j := range 2 {
			xs.At(i)[j] = float64(3*(i%3)) + spread*rng.NormFloat64()
		}
	}
	k, err := vec.Parse("rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	uneven := make([]float64, n)
	for i := range uneven {
		uneven[i] = 1 + float64(i%4)
	}
	for _, weights := range [][]float64{(&Options{}).weights(n), uneven} {
		for _, lambda := range []float64{1e-2, 1e-3, 1e-4} {
			s, reached, err := bless(context.Background(), gram.On(k, xs), weights, Options{Scheme: Leverage, Lambda: lambda}, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if reached != lambda {
				t.Errorf("scores at λ = %v instead of %v", reached, lambda)
			}
			exact, dimension := exactScores(t, k, xs, weights, lambda)
			low, high := 1.0, 1.0
			for i, row := range s.rows {
				low, high = min(low, s.score[i]/exact[row]), max(high, s.score[i]/exact[row])
			}
			if low < 0.25 || high > 4 {
				t.Errorf("λ = %v: estimated scores are %.2f to %.2f times the exact ones", lambda, low, high)
			}
			testkit.Close(t, "effective dimension", s.dimension(), dimension, 0.3)
		}
	}
}

// exactScores returns τᵢ = [K(PK + λ)⁻¹]ᵢᵢ, P = diag(wᵢ/N), and Σpᵢτᵢ.
func exactScores(t *testing.T, k vec.Kernel, xs data.Vectors, weights []float64, lambda float64) (tau []float64, dimension float64) {
	t.Helper()
	n, total := xs.Len(), floats.Sum(weights)
	a, shifted := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			v := k.Eval(xs.At(i), xs.At(j))
			a.Set(i, j, v)
			shifted.Set(i, j, weights[i]/total*v)
		}
		shifted.Set(i, i, shifted.At(i, i)+lambda)
	}
	var inverse, product mat.Dense
	if err := inverse.Inverse(shifted); err != nil {
		t.Fatal(err)
	}
	product.Mul(a, &inverse)
	for i := range n {
		tau = append(tau, product.At(i, i))
		dimension += weights[i] / total * tau[i]
	}
	return tau, dimension
}
