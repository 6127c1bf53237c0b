package rkhs_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

type vectors = data.Set[[]float64]

func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// normal returns n points with independent normal coordinates about a mean.
func normal(t testing.TB, seed uint64, n, d int, mean float64) data.Vectors {
	r, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = mean + r.NormFloat64()
		}
	}
	return xs
}

// maps returns the rows φ(xᵢ) of a kernel with an explicit map.
func maps(t testing.TB, k kernel.Kernel[[]float64], xs vectors) *mat.Dense {
	t.Helper()
	m, ok := k.(kernel.Mapped[[]float64])
	if !ok {
		t.Fatalf("%s has no map", k)
	}
	n, ok := m.Features(xs.At(0))
	if !ok {
		t.Fatalf("%s has no finite map", k)
	}
	phi := mat.NewDense(xs.Len(), n, nil)
	for i := range xs.Len() {
		m.Map(phi.RawRowView(i), xs.At(i))
	}
	return phi
}

// mapped are kernels with explicit maps.
var mapped = []string{"linear", "poly(degree=2, offset=1)", "poly(degree=3, offset=0.5)", "2*linear + poly(degree=2, offset=1)*linear"}

func full(k kernel.Kernel[[]float64], xs, ys vectors) *mat.Dense {
	out := mat.NewDense(xs.Len(), ys.Len(), nil)
	out.Apply(func(i, j int, _ float64) float64 { return k.Eval(xs.At(i), ys.At(j)) }, out)
	return out
}

func stream(k kernel.Kernel[[]float64], xs vectors, o compute.Options) *gram.Stream {
	return gram.Of(kernel.Bind(k, xs, xs), o)
}

// centre returns K − 1K − K1 + 1K1.
func centred(k *mat.Dense) *mat.Dense {
	n, _ := k.Dims()
	h, out := mat.NewDense(n, n, nil), new(mat.Dense)
	h.Apply(func(i, j int, _ float64) float64 {
		if i == j {
			return 1 - 1/float64(n)
		}
		return -1 / float64(n)
	}, h)
	out.Product(h, k, h)
	return out
}

func squared(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// mean returns Σ pᵢ rowᵢ.
func mean(phi *mat.Dense, p []float64) []float64 {
	n, d := phi.Dims()
	out := make([]float64, d)
	for i := range n {
		for j := range d {
			out[j] += p[i] * phi.At(i, j)
		}
	}
	return out
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = a[i] - b[i]
	}
	return out
}
