package linalg

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// gaussGram returns exp(−|xᵢ−xⱼ|²/2σ²) for n normal points in d dimensions.
func gaussGram(b testing.TB, n, d int, sigma float64) *mat.SymDense {
	x := randomDense(testkit.Rand(b, 9), n, d)
	var inner mat.Dense
	inner.Mul(x, x.T())
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, math.Exp((2*inner.At(i, j)-inner.At(i, i)-inner.At(j, j))/(2*sigma*sigma)))
		}
	}
	return a
}

func BenchmarkFactor(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			a := gaussGram(b, n, 8, 1)
			for b.Loop() {
				if _, err := Factor(context.Background(), a, 0.1, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(flopsPerSecond(b, n, 1./3), "GFLOP/s")
		})
	}
}

func BenchmarkFactorPacked(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			a := gaussGram(b, n, 8, 1)
			for b.Loop() {
				b.StopTimer()
				p := pack(a)
				b.StartTimer()
				if _, err := FactorPacked(context.Background(), p, 0.1, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(flopsPerSecond(b, n, 1./3), "GFLOP/s")
		})
	}
}

func BenchmarkInverseDiag(b *testing.B) {
	const n = 2000
	f, err := Factor(context.Background(), gaussGram(b, n, 8, 1), 0.1, Options{})
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]float64, n)
	for b.Loop() {
		if err := f.InverseDiag(context.Background(), dst); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(flopsPerSecond(b, n, 1./3), "GFLOP/s")
}

func BenchmarkInverse(b *testing.B) {
	const n = 2000
	f, err := Factor(context.Background(), gaussGram(b, n, 8, 1), 0.1, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := f.Inverse(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(flopsPerSecond(b, n, 2./3), "GFLOP/s")
}

func BenchmarkSolve(b *testing.B) {
	const n = 4000
	f, err := Factor(context.Background(), gaussGram(b, n, 8, 1), 0.1, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range []int{1, 10, 256} {
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			rhs := randomDense(testkit.Rand(b, 4), n, m)
			var x mat.Dense
			for b.Loop() {
				if err := f.Solve(context.Background(), &x, rhs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(2*n*n*float64(m)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

func flopsPerSecond(b *testing.B, n int, cubes float64) float64 {
	return cubes * float64(n) * float64(n) * float64(n) * float64(b.N) / b.Elapsed().Seconds() / 1e9
}

func BenchmarkEigenSym(b *testing.B) {
	for _, n := range []int{500, 1000, 2000} {
		random := fromFunc(n, randomDense(testkit.Rand(b, 8), n, n).At)
		for name, a := range map[string]*mat.SymDense{"random": random, "gram": gaussGram(b, n, 8, 1)} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := EigenSym(context.Background(), a, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
