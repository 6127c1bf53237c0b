package gram_test

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// benchPoints returns n standard normal points of d coordinates.
func benchPoints(b *testing.B, n, d int) data.Set[[]float64] {
	rng, xs := testkit.Rand(b, 21), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	return xs
}

// eachKernel runs a benchmark for kernels of three statistics, with the width that
// keeps their values away from 0 and 1.
func eachKernel(b *testing.B, n int, f func(b *testing.B, k kernel.Kernel[[]float64], xs data.Set[[]float64])) {
	for _, d := range []int{8, 100} {
		xs := benchPoints(b, n, d)
		for _, text := range []string{fmt.Sprintf("rbf(gamma=%g)", 0.5/float64(d)), fmt.Sprintf("laplace1(sigma=%d)", d), "poly(degree=2, offset=1)"} {
			k, err := vec.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/n=%d/d=%d", text, n, d), func(b *testing.B) { f(b, k, xs) })
		}
	}
}

func pairsPerSecond(b *testing.B, pairs float64) {
	b.ReportMetric(float64(b.N)*pairs/b.Elapsed().Seconds()/1e6, "Mpairs/s")
}

// BenchmarkDense counts the n(n+1)/2 pairs that are evaluated; memory is fresh in
// every round.
func BenchmarkDense(b *testing.B) {
	const n = 2000
	eachKernel(b, n, func(b *testing.B, k kernel.Kernel[[]float64], xs data.Set[[]float64]) {
		for b.Loop() {
			if _, err := gram.Dense(context.Background(), kernel.Bind(k, xs, xs), compute.Options{}); err != nil {
				b.Fatal(err)
			}
		}
		pairsPerSecond(b, n*(n+1)/2)
	})
}

// BenchmarkMul multiplies a Gram matrix that is never stored by one vector, and counts
// as [BenchmarkDense] does.
func BenchmarkMul(b *testing.B) {
	const n = 2000
	v, out := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		v.Set(i, 0, float64(i%7)-3)
	}
	eachKernel(b, n, func(b *testing.B, k kernel.Kernel[[]float64], xs data.Set[[]float64]) {
		op := gram.Of(kernel.Bind(k, xs, xs), compute.Options{})
		for b.Loop() {
			if err := op.Mul(context.Background(), out, v); err != nil {
				b.Fatal(err)
			}
		}
		pairsPerSecond(b, n*(n+1)/2)
	})
}

// BenchmarkProduct multiplies Gaussian Gram matrices that are never stored by one vector;
// pairs per second count every element of the matrix, for symmetric ones too.
func BenchmarkProduct(b *testing.B) {
	const n = 12000
	for _, d := range []int{3, 18, 100} {
		xs, ys := benchPoints(b, n, d), benchPoints(b, n, d)
		k, err := vec.Parse(fmt.Sprintf("rbf(gamma=%g)", 0.5/float64(d)))
		if err != nil {
			b.Fatal(err)
		}
		v, out := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			v.Set(i, 0, float64(i%7)-3)
		}
		for _, precision := range []compute.Precision{compute.Double, compute.Single} {
			o := compute.Options{Precision: precision}
			for name, op := range map[string]*gram.Stream{"rectangular": gram.Cross(kernel.Bind(k, ys, xs), o), "symmetric": gram.Of(kernel.Bind(k, xs, xs), o)} {
				b.Run(fmt.Sprintf("%s/%s/d=%d", precision, name, d), func(b *testing.B) {
					for b.Loop() {
						if err := op.Mul(context.Background(), out, v); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N)*float64(n)*float64(n)/b.Elapsed().Seconds()/1e9, "Gpairs/s")
				})
			}
		}
	}
}
