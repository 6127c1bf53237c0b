package moments_test

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
)

// inAnyCompany fails unless rows have the same sums one by one, or a few at a time, as together.
func inAnyCompany[T any](t *testing.T, what string, k kernel.Mapped[T], xs data.Set[T], y *mat.Dense) {
	t.Helper()
	n := xs.Len()
	whole := of(t, moments.Rows[T]{Map: k, Points: xs, Targets: y}, 0)
	rest := whole
	for from, size := 0, 1; size < n-from; size = 3*size + 1 {
		to := from + size
		index := make([]int, 0, size)
		for i := from; i < to; i++ {
			index = append(index, i)
		}
		rest = must(t)(rest.Minus(like(t, whole, moments.Rows[T]{Map: k, Points: data.Subset(xs, index), Targets: y.Slice(from, to, 0, 1).(*mat.Dense)})))
		if from = to; 3*size+1 >= n-from {
			index = index[:0]
			for i := from; i < n; i++ {
				index = append(index, i)
			}
			last := like(t, whole, moments.Rows[T]{Map: k, Points: data.Subset(xs, index), Targets: y.Slice(from, n, 0, 1).(*mat.Dense)})
			if !slices.Equal(rest.Words(), last.Words()) {
				t.Errorf("%s: rows have other features in other company", what)
			}
			return
		}
	}
	t.Fatalf("%s: %d rows are too few for the test", what, n)
}

// The features of a row do not depend on the rows that are mapped with it, so that it can be
// taken out again: kernels with a map of their own, random features, and features on landmarks
// of every kernel, whose L⁻¹ is applied in blocks.
func TestRowsAreTheSameInAnyCompany(t *testing.T) {
	const n, d = 700, 20
	rng := testkit.Rand(t, 1)
	xs, y, words := data.MakeVectors(n, d), mat.NewDense(n, 1, nil), make(data.Slice[string], n)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, rng.NormFloat64())
		letters := make([]byte, 5+rng.IntN(30))
		for j := range letters {
			letters[j] = "ACGT"[rng.IntN(4)]
		}
		words[i] = string(letters)
	}
	for _, text := range []string{"rbf(sigma=4)", "laplace(sigma=9)", "matern(nu=1.5, sigma=5)", "poly(degree=2, offset=1)", "linear", "0.5*rbf(sigma=3) + linear", "intersection", "chi2"} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		points := xs
		if text == "intersection" || text == "chi2" {
			points = data.MakeVectors(n, d)
			for i, v := range xs.Raw() {
				points.Raw()[i] = v * v
			}
		}
		for _, m := range []int{20, 150} {
			low, err := nystrom.New(t.Context(), k, data.Subset(points, rng.Perm(n)[:m]), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			inAnyCompany(t, fmt.Sprintf("%d landmarks of %s", m, text), low, points, y)
		}
		if own, ok := k.(kernel.Mapped[[]float64]); ok {
			if _, ok := own.Features(xs.At(0)); ok {
				inAnyCompany(t, text, own, points, y)
			}
		}
		if random, err := randomfeatures.New(k, xs.At(0), randomfeatures.Options{Dim: 60}); err == nil {
			inAnyCompany(t, "features of "+text, random, points, y)
		}
	}
	for _, k := range []kernel.Kernel[string]{seq.Spectrum{K: 3}, seq.Subsequence{K: 2}} {
		low, err := nystrom.New(t.Context(), k, words[:60], compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		inAnyCompany[string](t, low.String(), low, words, y)
	}
	// Codes of categories, which distances may know as such, among them a level that nobody knows.
	codes := data.MakeVectors(n, d)
	for i := range n {
		codes.At(i)[0] = rng.NormFloat64()
		if level := 1 + rng.IntN(d-1); i != 13 {
			codes.At(i)[level] = 0.7
		}
	}
	low, err := nystrom.New(t.Context(), vec.RBF{Sigma: 2}, data.Subset(codes, rng.Perm(n)[:100]), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inAnyCompany(t, low.String(), low, codes, y)
}
