package space_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/space"
	"example.org/mercer/space/spacetest"
)

const rows = 300 // more than one block of features

// points returns rows away from the origin, which are their own features.
func points(tb testing.TB) (xs data.Vectors, phi *mat.Dense) {
	tb.Helper()
	rng := testkit.Rand(tb, 1)
	xs, phi = data.MakeVectors(rows, 3), mat.NewDense(rows, 3, nil)
	for i := range rows {
		for j := range 3 {
			xs.At(i)[j] = 2 + rng.NormFloat64()
		}
		phi.SetRow(i, xs.At(i))
	}
	return xs, phi
}

func linear(tb testing.TB) vec.Kernel {
	tb.Helper()
	k, err := vec.Parse("linear()")
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func dual(tb testing.TB, xs data.Vectors, workers int) space.Space {
	tb.Helper()
	k, err := gram.Dense(tb.Context(), kernel.Bind(linear(tb), xs, xs), compute.Options{Workers: workers})
	if err != nil {
		tb.Fatal(err)
	}
	return space.NewDual(k, linalg.Options{Workers: workers})
}

func primal(tb testing.TB, xs data.Vectors, o compute.Options) space.Space {
	tb.Helper()
	phi, ok := design.Of(linear(tb), xs)
	if !ok {
		tb.Fatal("the linear kernel has no features")
	}
	s, err := space.NewPrimal(tb.Context(), phi, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// small is a limit to the memory that has no room for the features of the rows.
const small = 1000

// solved returns the dual space with a solver.
func solved(tb testing.TB, xs data.Vectors, s space.Solver, o compute.Options) space.Space {
	tb.Helper()
	d, err := space.DualOf(tb.Context(), gram.Of(kernel.Bind(linear(tb), xs, xs), o), space.Options{Solver: s, Tolerance: 1e-12, Compute: o})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// landmarks returns the space of the columns of the kernel at three of the rows, which span all
// functions of the linear kernel.
func landmarks(tb testing.TB, xs data.Vectors, o compute.Options) space.Space {
	tb.Helper()
	k, err := nystrom.New(tb.Context(), linear(tb), xs.Gather([]int{0, 100, 200}), compute.Options{Workers: o.Workers})
	if err != nil {
		tb.Fatal(err)
	}
	in, err := space.Of(tb.Context(), k, xs, space.Options{Solver: space.Features, Compute: o})
	if err != nil {
		tb.Fatal(err)
	}
	return in.Space
}

// The differences are those of matrices of order 300 with a condition of 10⁴: a few hundred times
// 10⁴ units in the last place, or of the residual of 10⁻¹² of a solution that is refined.
func TestConformance(t *testing.T) {
	xs, phi := points(t)
	type made = func(tb testing.TB, workers int) space.Space
	for name, c := range map[string]struct {
		make      made
		tolerance float64
	}{
		"dual": {func(tb testing.TB, workers int) space.Space { return dual(tb, xs, workers) }, 1e-9},
		"packed": {func(tb testing.TB, workers int) space.Space {
			return solved(tb, xs, space.Packed, compute.Options{Workers: workers})
		}, 1e-9},
		"held": {func(tb testing.TB, workers int) space.Space { return primal(tb, xs, compute.Options{Workers: workers}) }, 1e-9},
		"streamed": {func(tb testing.TB, workers int) space.Space {
			return primal(tb, xs, compute.Options{Workers: workers, MaxMemory: small})
		}, 1e-9},
		"landmarks": {func(tb testing.TB, workers int) space.Space {
			return landmarks(tb, xs, compute.Options{Workers: workers})
		}, 1e-9},
		"streamed landmarks": {func(tb testing.TB, workers int) space.Space {
			return landmarks(tb, xs, compute.Options{Workers: workers, MaxMemory: small})
		}, 1e-9},
		"single": {func(tb testing.TB, workers int) space.Space {
			return solved(tb, xs, space.Packed, compute.Options{Workers: workers, Precision: compute.Single})
		}, 1e-8},
		"cg": {func(tb testing.TB, workers int) space.Space {
			return solved(tb, xs, space.CG, compute.Options{Workers: workers})
		}, 1e-8},
		"cg in single precision": {func(tb testing.TB, workers int) space.Space {
			return solved(tb, xs, space.CG, compute.Options{Workers: workers, Precision: compute.Single})
		}, 1e-8},
	} {
		t.Run(name, func(t *testing.T) {
			spacetest.Run(t, spacetest.Case{Features: phi, Make: c.make, Tolerance: c.tolerance, Iterative: c.tolerance > 1e-9})
		})
	}
}

// Features that are held have the bits of those that are computed in every pass.
func TestHeldFeaturesHaveTheSameBits(t *testing.T) {
	xs, _ := points(t)
	rng := testkit.Rand(t, 4)
	theta, g, v := mat.NewDense(3, 2, nil), mat.NewDense(rows, 2, nil), make([]float64, rows)
	for _, a := range []*mat.Dense{theta, g} {
		a.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, a)
	}
	for i := range v {
		v[i] = rng.ExpFloat64()
	}
	var first []*mat.Dense
	for _, limit := range []int64{0, small} {
		s := primal(t, xs, compute.Options{MaxMemory: limit})
		if err := s.Centre(t.Context(), v, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		values, gradient := mat.NewDense(rows, 2, nil), mat.NewDense(3, 2, nil)
		factor, _, err := s.Weigh(t.Context(), v, 0.7, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{s.Values(t.Context(), values, theta), s.Adjoint(t.Context(), gradient, g)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		solved, _, err := factor.Solve(t.Context(), gradient, []float64{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.(space.Gramian).Gram(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := []*mat.Dense{values, gradient, solved, mat.DenseCopyOf(all)}
		if first == nil {
			first = got
		}
		for j := range got {
			if !mat.Equal(got[j], first[j]) {
				t.Errorf("result %d differs where features are not held", j)
			}
		}
	}
}

// The variances of the rows as other points are those of the rows.
func TestVariancesAtRows(t *testing.T) {
	xs, phi := points(t)
	v := make([]float64, rows)
	for i := range v {
		v[i] = float64(i%3) / 2
	}
	f, _, err := dual(t, xs, 0).Weigh(t.Context(), v, 0.7, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, got := make([]float64, rows), make([]float64, rows)
	if err := f.Variances(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	var cross mat.Dense
	cross.Mul(phi, phi.T())
	for i := range got {
		got[i] = cross.At(i, i)
	}
	if _, err := f.(space.Posterior).VariancesAt(t.Context(), got, &cross); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] /= 0.7
	}
	testkit.CloseSlice(t, "variances", got, want, 1e-11)
}

// Where all functions are zero, the constant is that of the weights alone.
func TestConstantSpace(t *testing.T) {
	s := space.Constant(3)
	f, _, err := s.Weigh(t.Context(), []float64{1, 0, 3}, 2, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	theta, bias, err := f.Solve(t.Context(), mat.NewDense(1, 2, nil), []float64{8, -4})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "constants", bias, []float64{2, -1}, 0)
	if mat.Norm(theta, 1) != 0 {
		t.Errorf("coordinates %v", theta)
	}
	rest := make([]float64, 3)
	if err := f.LeaveOneOut(t.Context(), rest); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "leave-one-out factors", rest, []float64{0.75, 1, 0.25}, 1e-15)
	testkit.Close(t, "log-determinant", f.LogDet(), 4*math.Ln2, 1e-15)
}
