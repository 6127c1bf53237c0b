package gp_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/supervised/gp"
)

// differentiable returns a kernel on vectors with its gradient.
func differentiable(t testing.TB, text string) kernel.Differentiable[[]float64] {
	t.Helper()
	k, ok := kernel.Gradient(parse(t, text))
	if !ok {
		t.Fatalf("%s has no gradient", text)
	}
	return k
}

// Blocks of rows, one or many, the last one short or not, contract what the matrix does.
func TestContractInBlocks(t *testing.T) {
	const n = 60
	rng := testkit.Rand(t, 31)
	xs, _ := wave(rng, n, 2)
	u, v, whole := mat.NewDense(n, 3, nil), mat.NewDense(n, 3, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range 3 {
			u.Set(i, j, rng.NormFloat64())
			v.Set(i, j, rng.NormFloat64())
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			whole.SetSym(i, j, (mat.Dot(u.RowView(i), v.RowView(j))+mat.Dot(u.RowView(j), v.RowView(i)))/2)
		}
	}
	k := differentiable(t, "1.5*rbf(sigma=[1,2]) + 0.3*linear()")
	want := gradientOf(t, k, xs, whole)
	for _, block := range []int{7, 15, 20, 31, n, 2 * n} {
		got, err := gp.ContractOuter(t.Context(), u, v, k, xs, block)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "contraction", got, want, 1e-11)
	}
}

// The estimate of the derivative is within five standard deviations of it. With P = A, which
// the rank allows here, a probe is zᵀCz with C = S⁻¹∂A S⁻ᵀ, whose variance is at most
// 2‖C‖² = 2 tr(A⁻¹∂A A⁻¹∂A); half of the trace enters, and the mean of m probes.
func TestSlopeByProducts(t *testing.T) {
	const n, probes, step = 110, 100, 1e-5
	rng := testkit.Rand(t, 32)
	xs, y := wave(rng, n, 2)
	o := gp.Options{Noise: 0.1, RowNoise: positive(rng, n), Weights: positive(rng, n), Probes: probes}
	o.Weights[5] = 0
	k := differentiable(t, "2*matern(nu=2.5, sigma=[1,2])")
	for _, mean := range []gp.Mean{gp.Zero, gp.Constant} {
		o.Mean = mean
		value, theta, noise, err := gp.SlopeByProducts(t.Context(), k, xs, y, byProducts(o))
		if err != nil {
			t.Fatal(err)
		}
		exact, err := gp.Gradient(t.Context(), matrix(k, xs), y, o)
		if err != nil {
			t.Fatal(err)
		}
		// The rank leaves next to nothing of K, so that the value has next to no chance.
		testkit.Close(t, "log evidence", value, exact.LogEvidence, 1e-4)
		want := gradientOf(t, k, xs, exact.DK)
		inverse := inverseOf(t, k, xs, o)
		within := func(what string, got, want float64, dA mat.Matrix) {
			t.Helper()
			var c, square mat.Dense
			c.Mul(inverse, dA)
			square.Mul(&c, &c)
			deviation := math.Sqrt(2*mat.Trace(&square)/probes) / 2
			if off := math.Abs(got - want); off > 5*deviation || deviation > 0.3*math.Abs(mat.Trace(&c)) {
				t.Errorf("%s: %.4f, want %.4f: off by %.2g, the standard deviation is %.2g", what, got, want, off, deviation)
			}
		}
		for i, q := range k.Parameters() {
			at := func(step float64) *mat.SymDense {
				moved, err := kerneltest.Moved(k, i, step)
				if err != nil {
					t.Fatal(err)
				}
				return matrix(moved, xs)
			}
			var dA mat.Dense
			dA.Sub(at(step), at(-step))
			dA.Scale(1/(2*step), &dA)
			within(q.Name, theta[i], want[i], &dA)
		}
		dA := mat.NewDiagDense(n, nil)
		for i, w := range o.Weights {
			if w > 0 {
				dA.SetDiag(i, o.Noise/w)
			}
		}
		within("noise", noise, exact.DLogNoise, dA)
	}
}

// inverseOf returns A⁻¹ with zeros in rows of weight zero.
func inverseOf(t testing.TB, k kernel.Kernel[[]float64], xs data.Vectors, o gp.Options) *mat.Dense {
	t.Helper()
	a := matrix(k, xs)
	n := a.SymmetricDim()
	for i, w := range o.Weights {
		for j := 0; w == 0 && j < n; j++ {
			a.SetSym(i, j, 0)
		}
		if w == 0 {
			a.SetSym(i, i, 1)
			continue
		}
		a.SetSym(i, i, a.At(i, i)+(o.Noise+o.RowNoise[i])/w)
	}
	inverse := new(mat.Dense)
	if err := inverse.Inverse(a); err != nil {
		t.Fatal(err)
	}
	for i, w := range o.Weights {
		if w == 0 {
			inverse.Set(i, i, 0)
		}
	}
	return inverse
}

// The kernel that a search by products finds has nearly the largest evidence of all, by a
// factor: what the chance of the probes costs is the square of the gradient's error, below 5
// here, over twice the curvature, some hundreds. The search finds it again with any number
// of workers.
func TestTuneByProducts(t *testing.T) {
	rng := testkit.Rand(t, 33)
	xs, y := wave(rng, 260, 2)
	o := gp.TuneOptions{Options: gp.Options{Noise: 0.5}}
	_, _, want := tuneOn(t, "rbf(sigma=[0.3,0.3])", xs, y, o)
	o.Solver = gp.CG
	first := ""
	for _, workers := range []int{1, 3} {
		o.Compute = compute.Options{Workers: workers}
		k, noise, r := tuneOn(t, "rbf(sigma=[0.3,0.3])", xs, y, o)
		if first == "" {
			first = k.String()
		}
		if k.String() != first {
			t.Errorf("%d workers: %s, with one %s", workers, k, first)
		}
		_, got, err := gp.Fit(t.Context(), k, xs, y, gp.Options{Noise: noise})
		if err != nil {
			t.Fatal(err)
		}
		if got.LogEvidence < want.LogEvidence-0.3 || got.LogEvidence > want.LogEvidence+1e-6 || !(want.LogEvidence > want.Start+50) {
			t.Errorf("log evidence %.4f at %s, noise %.4g; the search with a factor found %.4f from %.4f", got.LogEvidence, k, noise, want.LogEvidence, want.Start)
		}
		if !r.Converged {
			t.Errorf("%+v", r)
		}
	}
}
