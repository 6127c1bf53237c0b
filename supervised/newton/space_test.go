package newton_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/supervised/newton"
)

const (
	rows  = 300 // more than one block of features
	ridge = 0.7
)

// spaces returns the dual and the primal space of the linear kernel on random rows, the
// latter without and with features that are held, the features with the constant 1 in front, and
// weights with a zero among them.
func spaces(t *testing.T, intercept bool) (dual, primal, held newton.Space, phi *mat.Dense, v []float64) {
	t.Helper()
	rng := testkit.Rand(t, 1)
	xs, phi := data.MakeVectors(rows, 3), mat.NewDense(rows, 4, nil)
	v = make([]float64, rows)
	for i := range rows {
		phi.Set(i, 0, 1)
		for j := range 3 {
			xs.At(i)[j] = 2 + rng.NormFloat64()
			phi.Set(i, 1+j, xs.At(i)[j])
		}
		v[i] = rng.ExpFloat64()
	}
	v[7] = 0
	parsed, err := vec.Parse("linear()")
	if err != nil {
		t.Fatal(err)
	}
	k := mat.NewSymDense(rows, nil)
	for i := range rows {
		for j := i; j < rows; j++ {
			k.SetSym(i, j, parsed.Eval(xs.At(i), xs.At(j)))
		}
	}
	features, ok := gram.DesignOf[[]float64](parsed, xs)
	if !ok || features.Dim != 3 {
		t.Fatalf("features %d, %v", features.Dim, ok)
	}
	primal, err = newton.NewPrimal(t.Context(), features, nil, ridge, intercept, false, linalg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held, err = newton.NewPrimal(t.Context(), features, nil, ridge, intercept, true, linalg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return newton.NewDual(k, ridge, intercept, linalg.Options{}), primal, held, phi, v
}

// hessian is ΦᵀVΦ + R·I without a penalty of the constant, inverted as a matrix; the
// constant has no row where there is no intercept.
func hessian(t *testing.T, phi *mat.Dense, v []float64, intercept bool) (features *mat.Dense, inverse *mat.Dense) {
	t.Helper()
	first := 0
	if !intercept {
		first = 1
	}
	features = mat.DenseCopyOf(phi.Slice(0, rows, first, 4))
	h, weighted := new(mat.Dense), new(mat.Dense)
	weighted.Mul(mat.NewDiagDense(rows, v), features)
	h.Mul(features.T(), weighted)
	for d := 1 - first; d < 4-first; d++ {
		h.Set(d, d, h.At(d, d)+ridge)
	}
	inverse = new(mat.Dense)
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	return features, inverse
}

// Both factors solve with the Hessian of the definition: for the covector of gradients
// g, the values move by Φ·H⁻¹·Φᵀg.
func TestFactorsSolveWithTheHessian(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		dual, primal, held, phi, v := spaces(t, intercept)
		features, inverse := hessian(t, phi, v, intercept)
		rng := rand.New(rand.NewPCG(2, 3))
		g := mat.NewDense(rows, 2, nil)
		g.Apply(func(i, _ int, _ float64) float64 {
			if v[i] == 0 {
				return 0
			}
			return rng.NormFloat64()
		}, g)
		want := new(mat.Dense)
		want.Product(features, inverse, features.T(), g)
		variances := make([]float64, rows)
		for i := range variances {
			variances[i] = mat.Inner(features.RowView(i), inverse, features.RowView(i))
		}
		for name, s := range map[string]newton.Space{"dual": dual, "primal": primal, "held": held} {
			f := newton.Zero(s, 2)
			covector := mat.DenseCopyOf(f.Theta)
			if err := s.Gradient(t.Context(), covector, g, f.Theta); err != nil {
				t.Fatal(err)
			}
			var beta []float64
			if intercept {
				beta = []float64{mat.Sum(g.ColView(0)), mat.Sum(g.ColView(1))}
			}
			factor, err := s.Weigh(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			if f.Theta, f.Bias, err = factor.Solve(t.Context(), covector, beta); err != nil {
				t.Fatal(err)
			}
			if err := s.Values(t.Context(), f.Values, f.Theta); err != nil {
				t.Fatal(err)
			}
			eta := mat.NewDense(rows, 2, nil)
			f.Predictor(eta)
			testkit.CloseSlice(t, name+" values", eta.RawMatrix().Data, want.RawMatrix().Data, 1e-9)
			if intercept { // the constant of the caller's features
				bias := s.Finish(f.Theta, f.Bias)
				direct := new(mat.Dense)
				direct.Product(inverse, features.T(), g)
				testkit.CloseSlice(t, name+" constants", bias, direct.RawRowView(0), 1e-9)
			}
			got := make([]float64, rows)
			if err := factor.Variances(t.Context(), got); err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, name+" variances", got, variances, 1e-9)
			// The norm of a covector is the slope along its own direction.
			norm, err := s.Norm2(t.Context(), covector)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Values(t.Context(), f.Values, covector); err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, name+" norm", norm, s.Inner(covector, covector, f.Values), 1e-12)
		}
	}
}

// Features that are held have the bits of those that are computed in every pass.
func TestHeldFeaturesHaveTheSameBits(t *testing.T) {
	_, primal, held, _, v := spaces(t, true)
	rng := testkit.Rand(t, 4)
	theta, g := mat.NewDense(3, 2, nil), mat.NewDense(rows, 2, nil)
	for _, a := range []*mat.Dense{theta, g} {
		a.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, a)
	}
	var first []*mat.Dense
	for i, s := range []newton.Space{primal, held} {
		values, gradient := mat.NewDense(rows, 2, nil), mat.NewDense(3, 2, nil)
		if err := s.Values(t.Context(), values, theta); err != nil {
			t.Fatal(err)
		}
		if err := s.Gradient(t.Context(), gradient, g, theta); err != nil {
			t.Fatal(err)
		}
		factor, err := s.Weigh(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		solved, _, err := factor.Solve(t.Context(), gradient, []float64{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.(newton.Gramian).Gram(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := []*mat.Dense{values, gradient, solved, mat.DenseCopyOf(all)}
		if i == 0 {
			first = got
		}
		for j := range got {
			if !mat.Equal(got[j], first[j]) {
				t.Errorf("result %d differs where features are held", j)
			}
		}
	}
}
