package randomfeatures

import (
	"context"
	"math"
	"testing"

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

// mapOf makes a map that can be made.
func mapOf[T any](t testing.TB, k kernel.Kernel[T], like T, o Options) *Kernel[T] {
	t.Helper()
	z, err := New(k, like, o)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// histograms returns n points with d coordinates ≥ 0, some of them 0.
func histograms(t testing.TB, seed uint64, n, d int) data.Vectors {
	t.Helper()
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		if v := rng.ExpFloat64() - 0.2; v > 0 {
			xs.Raw()[i] = v
		}
	}
	return xs
}

// moments are those of a sample.
type moments struct{ n, mean, variance, fourth float64 }

func momentsOf(sample []float64) moments {
	m := moments{n: float64(len(sample))}
	for _, v := range sample {
		m.mean += v / m.n
	}
	for _, v := range sample {
		d := v - m.mean
		m.variance += d * d / (m.n - 1)
		m.fourth += d * d * d * d / m.n
	}
	return m
}

// meanError is five standard errors of the mean: a right test fails once in two million times.
func (m moments) meanError() float64 { return 5 * math.Sqrt(m.variance/m.n) }

// varianceError is five standard errors of the variance.
func (m moments) varianceError() float64 {
	return 5 * math.Sqrt(max(0, m.fourth-m.variance*m.variance)/m.n)
}

// sample returns k̃(x, y) for many seeds.
func sample[T any](t testing.TB, k kernel.Kernel[T], x, y T, o Options, seeds int) []float64 {
	t.Helper()
	out := make([]float64, seeds)
	for s := range out {
		o.Seed = uint64(s)
		out[s] = mapOf(t, k, x, o).Eval(x, y)
	}
	return out
}
