package kfda_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/linalg"
	"example.org/mercer/space"
	"example.org/mercer/supervised/kfda"
)

// design returns the features of points, and ΦΦᵀ.
func featuresOf(t testing.TB, text string, xs data.Vectors) (design.Matrix, *mat.SymDense) {
	t.Helper()
	k := parse(t, text)
	phi, ok := design.Of(k, xs)
	if !ok {
		t.Fatalf("%s has no features", text)
	}
	return phi, matrix(k, xs)
}

// evaluate returns the functions at the rows of a design.
func evaluate(t testing.TB, phi design.Matrix, f *kfda.Barycentres) *mat.Dense {
	t.Helper()
	all, err := phi.Blocks().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := new(mat.Dense)
	out.Mul(all, f.Coef)
	out.Apply(func(_, j int, v float64) float64 { return v + f.Bias[j] }, out)
	return out
}

// scatter returns (1/N) Σ wᵢ(v − c)² of each column of values around the centres of their classes.
func scatter(p *problem, values *mat.Dense, centres [][]float64) []float64 {
	out, total := make([]float64, len(centres[0])), 0.0
	for i, class := range p.y {
		total += p.weight(i)
		for d, v := range values.RawRowView(i) {
			out[d] += p.weight(i) * (v - centres[class][d]) * (v - centres[class][d])
		}
	}
	floats.Scale(1/total, out)
	return out
}

// The discriminant in the space of the features is that of their Gram matrix: two systems whose
// condition number κ is at most 1 + tr K/Nλ, so that what is made of them is off by a multiple of
// κε.
func TestFeaturesAreTheirMatrix(t *testing.T) {
	const n = 160
	for _, m := range []int{2, 4} {
		for _, weighted := range []bool{false, true} {
			for _, lambda := range []float64{1e-4, 1e-2, 10} {
				t.Run(fmt.Sprint(m, weighted, lambda), func(t *testing.T) {
					p := newProblem(testkit.Rand(t, 21), n, 3, m, weighted)
					phi, k := featuresOf(t, "poly(degree=2, offset=1)", p.xs)
					want, wanted := solve(t, k, p, kfda.Options{Lambda: lambda})
					got, r, err := kfda.Solve(t.Context(), primal(t, phi, compute.Options{}), p.y, kfda.Options{Lambda: lambda, Weights: p.weights})
					if err != nil {
						t.Fatal(err)
					}
					tol := 8 * 0x1p-52 * (1 + mat.Trace(k)/(n*lambda))
					testkit.CloseSlice(t, "ratios", r.Ratios, wanted.Ratios, tol)
					testkit.Close(t, "accuracy", r.Accuracy, wanted.Accuracy, 1e-12)
					for c, row := range r.Decision.Centroids {
						testkit.CloseSlice(t, "centroid", row, wanted.Decision.Centroids[c], tol)
					}
					values := evaluate(t, phi, &kfda.Barycentres{Coef: got.Coef, Bias: got.Bias})
					var some, other []float64
					for i := range n {
						if p.weight(i) > 0 {
							some, other = append(some, values.RawRowView(i)...), append(other, want.Values.RawRowView(i)...)
						}
					}
					testkit.CloseSlice(t, "values", some, other, tol)
					// 1 − λ‖v‖² is the scatter within the classes.
					within := slices.Repeat([]float64{1}, len(r.Norm2))
					floats.AddScaled(within, -lambda, r.Norm2)
					testkit.CloseSlice(t, "scatter", within, scatter(p, values, r.Decision.Centroids), tol)
				})
			}
		}
	}
}

// Where the classes are so far apart that 1 − β is next to ε, ρ = β/(1 − β) keeps its digits: it is
// the ratio of the scatter matrices, here of two points on a line with noise of variance s² within,
// ρ = 1/(s² + λ).
func TestRatiosKeepTheirDigits(t *testing.T) {
	const n, lambda = 4 * design.BlockRows, 1e-12
	xs, y := data.MakeVectors(n, 1), make([]int, n)
	for i := range n {
		y[i] = i % 2
		xs.At(i)[0] = float64(2*y[i]-1) + []float64{-0x1p-20, 0x1p-20}[i/2%2]
	}
	phi, _ := featuresOf(t, "linear()", xs)
	_, r, err := kfda.Solve(t.Context(), primal(t, phi, compute.Options{}), y, kfda.Options{Lambda: lambda})
	if err != nil {
		t.Fatal(err)
	}
	// The solution is off by κε, κ = 1/λ, and G by the square of that; sums by nε.
	testkit.Close(t, "ratio", r.Ratios[0], 1/(0x1p-40+lambda), 1e-6)
	testkit.Close(t, "accuracy", r.Accuracy, 1, 0)
}

// What is held of features that are not is less than they are, and less than any matrix of n rows;
// the bits are those of features that are held.
func TestFeaturesTakeNoMatrix(t *testing.T) {
	const n = 600
	p := newProblem(testkit.Rand(t, 22), n, 2, 3, true)
	phi, k := featuresOf(t, "linear() + poly(degree=2, offset=1)", p.xs)
	want, wanted, err := kfda.SolveBarycentres(t.Context(), space.NewDual(k, linalg.Options{}), p.y, kfda.BarycentreOptions{Weights: p.weights})
	if err != nil {
		t.Fatal(err)
	}
	wantValues := new(mat.Dense)
	wantValues.Mul(k, want.Coef)
	wantValues.Apply(func(_, j int, v float64) float64 { return v + want.Bias[j] }, wantValues)
	var bits []float64
	for _, how := range []compute.Options{{Workers: 1}, {Workers: 2, MaxMemory: 1 << 12}, {Workers: 3}, {Workers: 8, MaxMemory: 1 << 12}} {
		found, r, err := kfda.Solve(t.Context(), primal(t, phi, how), p.y, kfda.Options{Lambda: 1e-2, Weights: p.weights, Compute: how})
		if err != nil {
			t.Fatal(err)
		}
		means, b, err := kfda.SolveBarycentres(t.Context(), primal(t, phi, how), p.y, kfda.BarycentreOptions{Weights: p.weights, Compute: how})
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "values", evaluate(t, phi, means).RawMatrix().Data, wantValues.RawMatrix().Data, n*0x1p-52)
		testkit.CloseSlice(t, "norms", b.Norm2, wanted.Norm2, n*0x1p-52)
		testkit.Close(t, "accuracy", b.Accuracy, wanted.Accuracy, 1e-12)
		all := slices.Concat(found.Coef.RawMatrix().Data, found.Bias, r.Ratios, r.Norm2, []float64{r.Accuracy}, means.Coef.RawMatrix().Data, means.Bias, b.Spread, []float64{b.Accuracy})
		if bits == nil {
			bits = all
		}
		if !slices.Equal(all, bits) {
			t.Errorf("other bits with %d workers and %d bytes", how.Workers, how.MaxMemory)
		}
	}
}

// The spread in features is that of the points, which is known from its definition.
func TestSpreadInFeatures(t *testing.T) {
	p := newProblem(testkit.Rand(t, 23), 50, 2, 3, true)
	k := parse(t, "poly(degree=2, offset=1)")
	_, want, err := kfda.FitBarycentres(t.Context(), k, p.xs, p.y, kfda.BarycentreOptions{Weights: p.weights})
	if err != nil {
		t.Fatal(err)
	}
	phi, _ := featuresOf(t, k.String(), p.xs)
	_, r, err := kfda.SolveBarycentres(t.Context(), primal(t, phi, compute.Options{}), p.y, kfda.BarycentreOptions{Weights: p.weights})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "spread", r.Spread, want.Spread, 1e-11)
}

// A fit that is killed after any of its passes goes on to the same bits.
func TestPassesAreSteps(t *testing.T) {
	p := newProblem(testkit.Rand(t, 24), 300, 2, 3, true)
	phi, _ := featuresOf(t, "poly(degree=2, offset=1)", p.xs)
	path := filepath.Join(t.TempDir(), "c")
	for name, c := range map[string]struct {
		passes int
		fit    func(compute.Options) (*kfda.Barycentres, error)
	}{
		"discriminant": {4, func(o compute.Options) (*kfda.Barycentres, error) {
			f, _, err := kfda.Solve(t.Context(), primal(t, phi, o), p.y, kfda.Options{Lambda: 1e-2, Weights: p.weights, Compute: o})
			if err != nil {
				return nil, err
			}
			return &kfda.Barycentres{Coef: f.Coef, Bias: f.Bias}, nil
		}},
		"barycentres": {2, func(o compute.Options) (*kfda.Barycentres, error) {
			f, _, err := kfda.SolveBarycentres(t.Context(), primal(t, phi, o), p.y, kfda.BarycentreOptions{Weights: p.weights, Compute: o})
			return f, err
		}},
	} {
		want, err := c.fit(compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for after := range c.passes {
			run := func(after int, resume bool) (f *kfda.Barycentres, steps, known int, err error) {
				steps, known, err = checkpointtest.Run(t, path, after, resume, func(s *checkpointtest.Steps) (err error) {
					f, err = c.fit(compute.Options{Workers: 2, Checkpoint: s})
					return err
				})
				return f, steps, known, err
			}
			if _, _, _, err := run(after, false); err == nil {
				t.Fatalf("%s: not killed after pass %d", name, after)
			}
			got, steps, known, err := run(checkpointtest.Never, true)
			if err != nil || steps != c.passes || known != after || !mat.Equal(got.Coef, want.Coef) || !slices.Equal(got.Bias, want.Bias) {
				t.Errorf("%s, killed after pass %d of %d: %d are known, and it ends elsewhere: %v", name, after, steps, known, err)
			}
		}
	}
}

// Errors are those of the matrix: means that coincide, options, and features that are no numbers.
func TestFeaturesRefuse(t *testing.T) {
	same := data.MakeVectors(8, 2)
	for i := range 8 {
		same.At(i)[0], same.At(i)[1] = float64(i/2), 1
	}
	phi, _ := featuresOf(t, "linear()", same)
	y := []int{0, 1, 0, 1, 0, 1, 0, 1}
	if _, _, err := kfda.Solve(t.Context(), primal(t, phi, compute.Options{}), y, kfda.Options{Lambda: 1e-2}); err == nil {
		t.Error("means that coincide are told apart")
	}
	if _, _, err := kfda.Solve(t.Context(), primal(t, phi, compute.Options{}), y, kfda.Options{}); err == nil {
		t.Error("no penalty is taken")
	}
	same.At(3)[0] = math.NaN()
	if _, _, err := kfda.Solve(t.Context(), primal(t, phi, compute.Options{}), y, kfda.Options{Lambda: 1e-2}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("a feature that is no number: %v", err)
	}
	if _, _, err := kfda.SolveBarycentres(t.Context(), primal(t, phi, compute.Options{}), y, kfda.BarycentreOptions{}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("a mean that is no number: %v", err)
	}
	if _, _, err := kfda.SolveBarycentres(t.Context(), primal(t, phi, compute.Options{}), make([]int, 8), kfda.BarycentreOptions{}); err == nil {
		t.Error("one class is taken")
	}
}
