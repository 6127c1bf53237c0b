package network_test

import (
	"math"
	"math/big"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/network"
)

// all are networks of every activation, with biases and without.
func all() (list []network.Network) {
	for a := network.Step; a <= network.Erf; a++ {
		for _, depth := range []int{1, 3} {
			for _, bias := range []float64{0, 0.3} {
				n := network.Network{Activation: a, Depth: depth, Input: 0.4, Weight: 1.3, Bias: bias}
				list = append(list, n)
				if n.Tangent = true; n.Check() == nil {
					list = append(list, n)
				}
			}
		}
	}
	return list
}

// One layer is w times an expectation over normal weights, plus the bias: the mean of 40,000 draws
// is within five of its standard errors.
func TestOneLayerIsAnExpectation(t *testing.T) {
	rng := testkit.Rand(t, 90)
	x, y := []float64{0.8, -0.3}, []float64{0.5, 1.1}
	xx, xy, yy := x[0]*x[0]+x[1]*x[1], x[0]*y[0]+x[1]*y[1], y[0]*y[0]+y[1]*y[1]
	theta := math.Acos(xy / math.Sqrt(xx*yy))
	for _, n := range all() {
		if n.Depth > 1 {
			continue
		}
		const draws = 40_000
		sum, square, scale := 0.0, 0.0, math.Sqrt(n.Input*n.Weight)
		sigma0 := n.Input*n.Weight*xy + n.Bias
		for range draws {
			g, h, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()*math.Sqrt(n.Bias)
			u, v := scale*(g*x[0]+h*x[1])+c, scale*(g*y[0]+h*y[1])+c
			value := n.Weight*n.Activation.Value(u)*n.Activation.Value(v) + n.Bias
			if n.Tangent {
				value += sigma0 * n.Weight * n.Activation.Slope(u) * n.Activation.Slope(v)
			}
			sum += value
			square += value * value
		}
		mean := sum / draws
		bound := 5 * math.Sqrt((square/draws-mean*mean)/draws)
		if got := n.Value(theta, xx, yy); !(math.Abs(got-mean) <= bound) {
			t.Errorf("%+v: %v, the mean of draws is %v ± %.1g", n, got, mean, bound)
		}
	}
}

// The recursion by 1 − cos and its twin in 200 bits, from angles that no cosine resolves to nearly
// opposite points.
func TestValuesAgreeWithTheTwin(t *testing.T) {
	for _, n := range all() {
		for _, length := range []float64{0.2, 1, 7} {
			for _, theta := range []float64{0, 1e-9, 1e-4, 0.3, 1.5, 3, math.Pi - 1e-4} {
				xx, yy := 1.7, length*length
				exact, err := n.Big(big.NewFloat(xx), product(xx, yy, theta), big.NewFloat(yy), big.NewFloat(n.Input), 200)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := exact.Float64()
				bound := 1e-13 * max(math.Sqrt(n.Value(0, xx, xx)*n.Value(0, yy, yy)), 1e-3)
				if got := n.Value(theta, xx, yy); !(math.Abs(got-want) <= bound) {
					t.Errorf("%+v at %v, length %v: %.17g, want %.17g", n, theta, length, got, want)
				}
			}
		}
	}
}

// product is √xx√yy·cos θ to 400 bits: cos θ = 1 − 2 sin²(θ/2) by the series of the sine.
func product(xx, yy, theta float64) *big.Float {
	of := func(v float64) *big.Float { return new(big.Float).SetPrec(800).SetFloat64(v) }
	half := new(big.Float).Quo(of(theta), of(2))
	sin, term := of(0), new(big.Float).Copy(half)
	for k := 1.0; k < 120; k += 2 {
		sin.Add(sin, term)
		term = new(big.Float).Mul(term, new(big.Float).Mul(half, half))
		term.Quo(term, of(-(k+1)*(k+2)))
	}
	cos := new(big.Float).Sub(of(1), new(big.Float).Mul(of(2), new(big.Float).Mul(sin, sin)))
	root := new(big.Float).Sqrt(new(big.Float).Mul(of(xx), of(yy)))
	return cos.Mul(cos, root)
}

// Values has what Value has, but for the rounding of two ways to the sine.
func TestValuesOfManyPairs(t *testing.T) {
	rng := testkit.Rand(t, 91)
	theta, yy, got := make([]float64, 600), make([]float64, 600), make([]float64, 600)
	for i := range theta {
		theta[i], yy[i] = math.Pi*rng.Float64(), 2*rng.Float64()
	}
	theta[0], theta[1], yy[2] = 0, math.Pi, 0
	for _, n := range all() {
		n.Values(got, theta, 0.9, yy)
		for i := range got {
			testkit.Close(t, n.Activation.String(), got[i], n.Value(theta[i], 0.9, yy[i]), 1e-14)
		}
	}
}

// The derivatives by central differences, whose error is h²/6 of the third derivative and 2⁻⁵³/h.
func TestGradient(t *testing.T) {
	const h = 1e-5
	for _, n := range all() {
		for _, theta := range []float64{0.4, 1.5, 2.9} {
			value, g := n.Gradient(theta, 1.2, 0.7)
			testkit.Close(t, "value", value, n.Value(theta, 1.2, 0.7), 1e-14)
			difference := func(f func(step float64) float64) float64 { return (f(h) - f(-h)) / (2 * h) }
			testkit.Close(t, "angle", g.Theta, difference(func(s float64) float64 { return n.Value(theta+s, 1.2, 0.7) }), 1e-8)
			testkit.Close(t, "length", g.XX, difference(func(s float64) float64 { return n.Value(theta, 1.2+s, 0.7) }), 1e-8)
			testkit.Close(t, "weight", g.Weight, difference(func(s float64) float64 {
				m := n
				m.Weight *= math.Exp(s)
				return m.Value(theta, 1.2, 0.7)
			}), 1e-8)
			if n.Bias > 0 {
				testkit.Close(t, "bias", g.Bias, difference(func(s float64) float64 {
					m := n
					m.Bias += s
					return m.Value(theta, 1.2, 0.7)
				}), 1e-8)
			}
		}
	}
}

func TestNumbersGoThereAndBack(t *testing.T) {
	for _, n := range all() {
		if got := network.Of(n.Numbers()); got != n {
			t.Errorf("%+v, want %+v", got, n)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, n := range []network.Network{{}, {Depth: 1}, {Depth: 1000, Weight: 1}, {Depth: 1, Weight: 1, Bias: -1}, {Depth: 1, Weight: 1, Bias: math.NaN()}, {Depth: 1, Weight: 1, Tangent: true}} {
		if n.Check() == nil {
			t.Errorf("%+v is accepted", n)
		}
	}
}
