package vec

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

// holed are points of the plane and beyond of which a share lacks coordinates.
func holed(n, d int, share float64) [][]float64 {
	r := rand.New(rand.NewPCG(1, 9))
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, d)
		for j := range out[i] {
			if out[i][j] = r.NormFloat64(); r.Float64() < share {
				out[i][j] = math.NaN()
			}
		}
	}
	return out
}

var incompletes = []string{"rbf(sigma=1, nan=ignore)", "rbf(sigma=[0.1, 1, 30], nan=ignore)", "rbf(sigma=0.7, nan=penalise)", "laplace1(sigma=0.5, nan=ignore)",
	"laplace1(sigma=[0.01, 1, 50], nan=ignore, center=0.5, spread=2)", "laplace1(sigma=2, nan=penalise)", "linear(nan=ignore)", "linear(nan=penalise)"}

// The conformance suite, in which positive definiteness is looked at, with many gaps.
func TestIncompleteSuite(t *testing.T) {
	points := append(holed(30, 3, 0.4), []float64{math.NaN(), math.NaN(), math.NaN()}, []float64{0, 0, 0}, []float64{40, -40, 0})
	for _, text := range append(incompletes, "rbf(sigma=1, nan=ignore)[0,2] * linear(nan=penalise)[1] + rbf(sigma=2, nan=penalise)") {
		k, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		// ln kⱼ is computed with the rounding errors of numbers up to 40²/σ² = 1.6e5·d for σ = 0.1.
		kerneltest.Run(t, k, points, kerneltest.Options[[]float64]{Parse: Parse, Set: kerneltest.Vectors, Bound: 1e-10})
	}
}

// On complete points it is the kernel itself, and a coordinate that all lack is none.
func TestIncompleteAgrees(t *testing.T) {
	whole := holed(12, 3, 0)
	for _, text := range incompletes {
		k, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		of := k.(Incomplete).Of
		for _, x := range whole {
			for _, y := range whole {
				if got, want := k.Eval(x, y), of.Eval(x, y); math.Abs(got-want) > 1e-14*math.Max(1, math.Abs(want)) {
					t.Errorf("%s: %v, and %v without", text, got, want)
				}
				if sigma, ok := of.(RBF); ok && sigma.Widths == nil {
					u, v := append([]float64{math.NaN()}, x...), append([]float64{math.NaN()}, y...)
					if got, want := k.Eval(u, v), of.Eval(x, y); math.Abs(got-want) > 1e-14 {
						t.Errorf("%s: %v with a coordinate that nobody has, %v without", text, got, want)
					}
				}
			}
		}
	}
}

// E k(a, z)/√(E k(z, z′)) by sums over a fine grid of z, in place of the closed forms.
func TestIgnoreIsTheMeanMap(t *testing.T) {
	const step = 1.0 / 64
	for _, c := range []struct {
		text           string
		center, spread float64
	}{{"rbf(sigma=0.8, nan=ignore)", 0, 1}, {"laplace1(sigma=0.3, nan=ignore)", 0, 1}, {"laplace1(sigma=5, nan=ignore, center=-1, spread=0.5)", -1, 0.5}, {"rbf(sigma=3, nan=ignore, center=2, spread=4)", 2, 4}} {
		k, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		of := k.(Incomplete).Of
		var zs, ws []float64
		for u := -9.0; u <= 9; u += step {
			zs, ws = append(zs, c.center+c.spread*u), append(ws, step*math.Exp(-u*u/2)/math.Sqrt(2*math.Pi))
		}
		mean := func(a float64) float64 {
			sum := 0.0
			for i, z := range zs {
				sum += ws[i] * of.Eval([]float64{a}, []float64{z})
			}
			return sum
		}
		norm := 0.0
		for i, z := range zs {
			norm += ws[i] * mean(z)
		}
		for _, a := range []float64{-7, -1, 0, 0.4, 3} {
			// A sum errs by h²/(6σ) times the density, 0.4, at the kink of exp(−|t|/σ): 5e-5 for
			// σ = 0.3, and is divided by √(E k) = 0.4; the norm errs likewise.
			got, want := k.Eval([]float64{a}, []float64{math.NaN()}), mean(a)/math.Sqrt(norm)
			if math.Abs(got-want) > 2e-4 {
				t.Errorf("%s: k(%v, ∗) = %v, by sums %v", c.text, a, got, want)
			}
		}
	}
}

// The closed form for Laplace1 does not overflow.
func TestIncompleteOfAnyWidth(t *testing.T) {
	for _, u := range []float64{-1e6, -50, 0, 50, 1e6} {
		for _, width := range []float64{1e-9, 1e-3, 1, 1e6} {
			v := (Incomplete{Of: Laplace1{Sigma: width}, Nan: Ignore}).Eval([]float64{u}, []float64{math.NaN()})
			if !(v >= 0 && v <= 1+1e-9) {
				t.Errorf("σ = %v: k(%v, ∗) = %v", width, u, v)
			}
		}
	}
}

// What stands at the type: a factor 1 is not positive definite, and of constants c for
// Laplace1 on an interval of length L those with c² ≤ 1/(1 + L/(2σ)) are.
func TestConstantFactors(t *testing.T) {
	least := func(k Kernel, xs []float64, c float64) float64 {
		n := len(xs)
		m := mat.NewSymDense(n+1, nil)
		for i, x := range xs {
			for j, y := range xs[:i+1] {
				m.SetSym(i, j, k.Eval([]float64{x}, []float64{y}))
			}
			m.SetSym(i, n, c)
		}
		m.SetSym(n, n, 1)
		var e mat.EigenSym
		if !e.Factorize(m, false) {
			t.Fatal("no eigenvalues")
		}
		return e.Values(nil)[0]
	}
	if v := least(RBF{}, []float64{0, 100}, 1); !(v < -0.4) {
		t.Errorf("a factor 1 has the least eigenvalue %v", v)
	}
	grid := make([]float64, 201)
	for i := range grid {
		grid[i] = 3 * float64(i) / 200
	}
	k, c := Laplace1{Sigma: 0.5}, math.Sqrt(1/(1+3/(2*0.5)))
	if below, above := least(k, grid, c), least(k, grid, 1.001*c); !(below > -1e-12) || !(above < -1e-9) {
		t.Errorf("least eigenvalues %v at the bound, %v above", below, above)
	}
}

func TestIncompleteRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"rbf(sigma=1, nan=drop)":              "nan=drop is not known: use refuse, ignore or penalise",
		"rbf(sigma=1, center=1)":              "write nan=ignore, too",
		"rbf(sigma=1, nan=ignore, spread=0)":  "spread=0 is not a standard deviation",
		"matern(nu=1.5, sigma=1, nan=ignore)": `matern has no argument "nan"`,
		"poly(degree=2, nan=ignore)":          `poly has no argument "nan"`,
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", text, err, want)
		}
	}
	k, err := Parse("rbf(sigma=[1, 2], nan=ignore)")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{1}, {math.Inf(1), 2}} {
		if kernel.Contains(k, x) == nil {
			t.Errorf("%v is accepted", x)
		}
	}
	if err := kernel.Validate(k, data.Slice[[]float64]{{1, math.NaN()}}); err != nil {
		t.Error(err)
	}
}
