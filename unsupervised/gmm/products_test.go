package gmm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// scattered is a mixture of components of different widths, and rows around its means.
func scattered(rng *rand.Rand, n, d, k int) (data.Vectors, *Mixture) {
	x := data.MakeVectors(n, d)
	m := &Mixture{Shape: Full, Means: data.MakeVectors(k, d)}
	for i := range m.Means.Raw() {
		m.Means.Raw()[i] = 3*rng.NormFloat64()/math.Sqrt(float64(d)) + 100
	}
	for i := range n {
		for c := range d {
			x.At(i)[c] = m.Means.At(i % k)[c] + rng.NormFloat64()
		}
	}
	for range k {
		m.Weights = append(m.Weights, 1/float64(k))
		a := mat.NewDense(d, d, nil)
		for i := range a.RawMatrix().Data {
			a.RawMatrix().Data[i] = rng.NormFloat64() / math.Sqrt(float64(d))
		}
		c := mat.NewSymDense(d, nil)
		c.SymOuterK(1, a)
		for b := range d {
			c.SetSym(b, b, c.At(b, b)+0.3)
		}
		m.Covariances = append(m.Covariances, c)
	}
	return x, m
}

// The moments from products of columns are those by component, the obvious way, up to
// what spread says of their rounding.
func TestProductsAreSquares(t *testing.T) {
	rng := testkit.Rand(t, 3)
	for _, s := range []struct{ n, d, k int }{{700, 1, 2}, {1000, 3, 30}, {600, 20, 20}, {37, 9, 5}, {256, 8, 8}} {
		x, m := scattered(rng, s.n, s.d, s.k)
		o := Options{Weights: make([]float64, s.n), Compute: compute.Options{Workers: 2}}
		for i := range o.Weights {
			o.Weights[i] = float64(i%4) / 2
		}
		w, err := newWhitening(m)
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFit(t.Context(), x, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.expectation(context.Background(), w, nil, products)
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.expectation(context.Background(), w, nil, squares)
		if err != nil {
			t.Fatal(err)
		}
		// The assignments of both have errors of their own: those of ‖y‖²/2.
		eps := float64(s.d+10) * 0x1p-52 * w.cancellation(w.centre)
		testkit.Close(t, "likelihood", got.likelihood, want.likelihood, eps)
		testkit.CloseSlice(t, "mass", got.mass, want.mass, eps)
		for j := range s.k {
			scale := want.mass[j] + float64(s.n)*negligible
			for b := range s.d {
				scale += want.second[j*s.d*s.d+b*s.d+b]
			}
			for b := range s.d {
				if e := math.Abs(got.first[j*s.d+b] - want.first[j*s.d+b]); e > eps*scale {
					t.Errorf("n=%d, d=%d, k=%d: first moment %d of component %d is off by %v of %v", s.n, s.d, s.k, b, j, e, scale)
				}
				for c := range s.d {
					at := j*s.d*s.d + b*s.d + c
					if e := math.Abs(got.second[at] - want.second[at]); e > eps*scale {
						t.Errorf("n=%d, d=%d, k=%d: second moment (%d,%d) of component %d is off by %v of %v", s.n, s.d, s.k, b, c, j, e, scale)
					}
				}
			}
		}
	}
}

// Four groups 10⁵ widths apart, from a start that is wide enough for products: they lose the
// digits of the new covariances, which is noticed, and the result is that of the definition.
func TestNarrowComponentsKeepTheirDigits(t *testing.T) {
	rng := testkit.Rand(t, 4)
	const n, d, k = 800, 3, 4
	x := data.MakeVectors(n, d)
	start := &Mixture{Shape: Full, Weights: []float64{0.25, 0.25, 0.25, 0.25}, Means: data.MakeVectors(k, d)}
	for i := range n {
		for c := range d {
			x.At(i)[c] = 1e5*float64(i%k) + rng.NormFloat64()
		}
	}
	for j := range k {
		copy(start.Means.At(j), []float64{1e5 * float64(j), 1e5 * float64(j), 1e5 * float64(j)})
		start.Covariances = append(start.Covariances, mat.NewSymDense(d, []float64{1e8, 0, 0, 0, 1e8, 0, 0, 0, 1e8}))
	}
	w, err := newWhitening(start)
	if err != nil {
		t.Fatal(err)
	}
	if w.summation() != products {
		t.Fatal("the start is not for products: the test shows nothing")
	}
	m, _, err := Fit(context.Background(), x, k, Full, Options{Start: start, MaxIterations: 1, Floor: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	for j := range k {
		mean, rows := make([]float64, d), float64(n/k)
		for i := j; i < n; i += k {
			for c, v := range x.At(i) {
				mean[c] += v / rows
			}
		}
		for b := range d {
			for c := range d {
				want := 0.0
				for i := j; i < n; i += k {
					want += (x.At(i)[b] - mean[b]) * (x.At(i)[c] - mean[c]) / rows
				}
				// y of the old covariance is 10⁴ times smaller than the new width: 10⁸·2⁻⁵³ remain.
				if e := math.Abs(m.Covariances[j].At(b, c) - want); e > 1e-7 {
					t.Errorf("covariance (%d,%d) of component %d is %v, want %v", b, c, j, m.Covariances[j].At(b, c), want)
				}
			}
		}
	}
	if w, err = newWhitening(m); err != nil || w.summation() != squares {
		t.Errorf("products would be taken for components 10⁵ widths apart (%v)", err)
	}
}
