package meanmap

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
)

// mean is E f(z) of a standard normal z by the trapezoidal rule, whose error on smooth functions is
// far below a rounding; at the corners given it is cut in pieces of Gauss and Legendre's rule.
func mean(f func(z float64) float64, corners ...float64) float64 {
	ends := append(append([]float64{-12}, corners...), 12)
	sum := 0.0
	for p := range len(ends) - 1 {
		const pieces = 200
		h := (ends[p+1] - ends[p]) / pieces
		for i := range pieces {
			middle := ends[p] + h*(float64(i)+0.5)
			for g, x := range []float64{0, math.Sqrt(3. / 5), -math.Sqrt(3. / 5)} {
				z := middle + x*h/2
				sum += []float64{8. / 18, 5. / 18, 5. / 18}[g] * h * f(z) * math.Exp(-z*z/2)
			}
		}
	}
	return sum / math.Sqrt(2*math.Pi)
}

func gaussian(s float64) func(a, b float64) float64 {
	return func(a, b float64) float64 { return math.Exp(-(a - b) * (a - b) / (2 * s * s)) }
}

func exponential(s float64) func(a, b float64) float64 {
	return func(a, b float64) float64 { return math.Exp(-math.Abs(a-b) / s) }
}

// g is E k(u, z)/√(E k(z, z′)), by quadrature. E k(z, z′) is E k(0, √2·z).
func TestShareIsAMean(t *testing.T) {
	for _, s := range []float64{0.3, 1, 4, 50} {
		for _, u := range []float64{-3, -0.4, 0, 1.5} {
			for _, c := range []struct {
				name  string
				share Share
				of    func(a, b float64) float64
			}{{"gaussian", Gaussian(s), gaussian(s)}, {"exponential", Exponential(s), exponential(s)}} {
				want := mean(func(z float64) float64 { return c.of(u, z) }, u) / math.Sqrt(mean(func(z float64) float64 { return c.of(0, math.Sqrt2*z) }, 0))
				testkit.Close(t, c.name, math.Exp(c.share.At(u)), want, 1e-9) // the rule, of fifth order
				const h = 1e-5
				byPoint, byWidth := c.share.Slope(u)
				testkit.Close(t, c.name+" in u", byPoint, (c.share.At(u+h)-c.share.At(u-h))/(2*h), 1e-9)
				wider, narrower := c.share, c.share
				wider.width, narrower.width = s*math.Exp(h), s*math.Exp(-h)
				testkit.Close(t, c.name+" in ln s", byWidth, (wider.At(u)-narrower.At(u))/(2*h), 1e-9)
			}
		}
	}
}

// Centred kernels have the mean 0, and Overlap is the mean of their products.
func TestOverlapIsAMean(t *testing.T) {
	for _, s := range []float64{0.3, 1, 4} {
		k, g := gaussian(s), Gaussian(s)
		centred := func(a, b float64) float64 { return Beside(math.Log(k(a, b)), g.At(a), g.At(b)) }
		for _, a := range []float64{-2, 0.1, 1.3} {
			testkit.Close(t, "mean", mean(func(z float64) float64 { return centred(a, z) }), 0, 1e-9)
			for _, b := range []float64{-1, 0.1, 3} {
				testkit.Close(t, "overlap", Overlap(s, a, b), mean(func(z float64) float64 { return centred(a, z) * centred(b, z) }), 1e-9)
			}
		}
	}
}

// The tails of the closed form for the exponential kernel join.
func TestLogErfcx(t *testing.T) {
	if a, b := logErfcx(math.Nextafter(25, 0)), logErfcx(25); math.Abs(a-b) > 1e-12 {
		t.Errorf("%v below 25 and %v above", a, b)
	}
}
