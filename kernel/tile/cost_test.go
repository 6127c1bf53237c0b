package tile_test

import (
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// TestPriceIsOfTheWork: it grows by the coordinates that a kernel sees and by its profiles, and
// is not known where values are computed pair by pair.
func TestPriceIsOfTheWork(t *testing.T) {
	price := func(text string, d int) float64 {
		t.Helper()
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		xs := data.MakeVectors(40, d)
		for i := range 40 {
			for j := range d {
				xs.At(i)[j] = 1 + float64(i)/float64(j+3)
			}
		}
		return kernel.Cost(kernel.Bind(k, xs, xs))
	}
	if a, b := price("linear()", 8), price("linear()", 20); b-a != 12 {
		t.Errorf("12 more coordinates: %v after %v", b, a)
	}
	if a, b := price("linear()", 8), price("rbf(sigma=1)", 8); !(b > a+8) || math.IsInf(b, 1) {
		t.Errorf("an exponential: %v after %v", b, a)
	}
	if one, two := price("rbf(sigma=1)", 8), price("rbf(sigma=1) + laplace1(sigma=2)", 8); !(two > 1.5*one) || math.IsInf(two, 1) {
		t.Errorf("two terms: %v after %v", two, one)
	}
	answers := data.MakeVectors(40, 123)
	for i := range 40 {
		for j := range 14 {
			answers.At(i)[(i+8*j)%123] = 1
		}
	}
	table := kernel.Cost(kernel.Bind(vec.RBF{}, answers, answers))
	if counts := price("rbf(sigma=1)", 123); simd.HasCounts() != (table < 8) || table > counts {
		t.Errorf("rows of 0 and 1 in two words: %v, others %v", table, counts)
	}
	if p := price("matern(nu=0.7, sigma=1)", 8); !math.IsInf(p, 1) {
		t.Errorf("a Bessel function: %v", p)
	}
	if p := kernel.Cost(struct{ kernel.Pairs }{}); !math.IsInf(p, 1) {
		t.Errorf("pairs that say nothing: %v", p)
	}
}
