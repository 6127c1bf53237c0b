// Package spacetest is the conformance suite of spaces, for anyone who writes one: [Run] compares
// a space and its factors with the definitions in package space, written out with dense matrices.
package spacetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/space"
)

// ridge is R of every system.
const ridge = 0.7

// Case is a space of rows with the features Φ.
type Case struct {
	// Features are Φ, n×D: the inner product of two rows is that of their features. D is small,
	// because the definition inverts matrices of order D + 1; n should be more than
	// design.BlockRows.
	Features *mat.Dense
	// Make returns a new space of these rows.
	Make func(tb testing.TB, workers int) space.Space
	// Tolerance is the largest difference relative to the largest number of a result.
	Tolerance float64
	// Iterative says that there is no factor in double precision, and no log-determinant.
	Iterative bool
}

// Run checks, each in a subtest, that a space
//
//   - has covectors that are adjoint to its values, adds them, and measures their length;
//   - solves with the Hessian of the definition, with a constant and without, about the caller's
//     origin and centred, with equal weights and with weights of which one is zero, for one
//     right-hand side and for several, also where a row of weight zero has a gradient;
//   - has its variances, leave-one-out factors, log-determinant and trace;
//   - knows the Gaussian process behind the system, if it is a [space.Posterior], and its inverse,
//     if it is a [space.Inverter];
//   - couples functions by a softmax, if it is a [space.Coupling];
//   - is the space of the regression of targets;
//   - gives the same bits for 1, 2, 3 and 8 workers;
//   - refuses weights of another number of rows, and returns the error of a context that has
//     ended.
func Run(t *testing.T, c Case) {
	t.Helper()
	t.Run("covectors", c.checkCovectors)
	for _, origin := range []struct{ constant, centred bool }{{false, false}, {true, false}, {true, true}} {
		for _, weighted := range []bool{false, true} {
			s := c.system(t, origin.constant, origin.centred, weighted)
			t.Run(fmt.Sprintf("constant %v centred %v weighted %v", origin.constant, origin.centred, weighted), s.check)
		}
	}
	t.Run("coupled functions", c.checkCoupled)
	t.Run("same bits", c.checkBits)
	t.Run("refuses", c.checkErrors)
}

func (c Case) rows() int {
	n, _ := c.Features.Dims()
	return n
}

// random returns standard normal numbers.
func random(tb testing.TB, rows, cols int) *mat.Dense {
	rng, x := testkit.Rand(tb, uint64(rows*1000+cols)), mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

// weights returns numbers ≥ 0, of which one is zero.
func (c Case) weights(tb testing.TB) []float64 {
	rng, v := testkit.Rand(tb, 5), make([]float64, c.rows())
	for i := range v {
		v[i] = rng.ExpFloat64()
	}
	v[7] = 0
	return v
}

// near compares with numbers of the definition.
func (c Case) near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	largest := 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	testkit.CloseSlice(t, what, got, want, c.Tolerance*largest)
}

func (c Case) checkCovectors(t *testing.T) {
	s := c.Make(t, 2)
	n, d := s.Dims()
	if n != c.rows() {
		t.Fatalf("%d rows, and there are %d", n, c.rows())
	}
	g, theta, start := random(t, n, 2), random(t, d, 2), random(t, d, 2)
	values, once, twice := mat.NewDense(n, 2, nil), mat.NewDense(d, 2, nil), mat.DenseCopyOf(start)
	for _, err := range []error{s.Values(t.Context(), values, theta), s.Adjoint(t.Context(), once, g), s.Adjoint(t.Context(), twice, g)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	sum := 0.0
	for i := range n {
		for j, v := range values.RawRowView(i) {
			sum += g.At(i, j) * v
		}
	}
	c.near(t, "Σ gᵢf(xᵢ)", []float64{s.Inner(once, theta, values)}, []float64{sum})
	start.Add(start, once)
	c.near(t, "what Adjoint adds", twice.RawMatrix().Data, start.RawMatrix().Data)
	var pulled mat.Dense // Φᵀg
	pulled.Mul(c.Features.T(), g)
	norm, err := s.Norm2(t.Context(), once)
	if err != nil {
		t.Fatal(err)
	}
	squared := mat.Norm(&pulled, 2)
	c.near(t, "Norm2", []float64{norm}, []float64{squared * squared})
}

// system is a weighted ridge system and its dense definition.
type system struct {
	Case
	constant, centred bool
	v                 []float64
	features          *mat.Dense // Φ, with a column of ones in front where there is a constant
	inverse           *mat.Dense // H⁻¹
}

func (c Case) system(t *testing.T, constant, centred, weighted bool) *system {
	s := &system{Case: c, constant: constant, centred: centred, v: make([]float64, c.rows()), features: c.Features}
	for i := range s.v {
		s.v[i] = 1
	}
	if weighted {
		s.v = c.weights(t)
	}
	_, dim := c.Features.Dims()
	if constant {
		s.features = mat.NewDense(c.rows(), dim+1, nil)
		for i := range s.v {
			s.features.SetRow(i, append([]float64{1}, c.Features.RawRowView(i)...))
		}
	}
	var weightedRows, h mat.Dense
	weightedRows.Mul(mat.NewDiagDense(len(s.v), s.v), s.features)
	h.Mul(s.features.T(), &weightedRows)
	_, order := h.Dims()
	for d := order - dim; d < order; d++ {
		h.Set(d, d, h.At(d, d)+ridge)
	}
	s.inverse = new(mat.Dense)
	if err := s.inverse.Inverse(&h); err != nil {
		t.Fatal(err)
	}
	return s
}

// factor returns a new space and its factor.
func (s *system) factor(tb testing.TB, workers int) (space.Space, space.Factor) {
	tb.Helper()
	in := s.Make(tb, workers)
	if s.centred {
		if err := in.Centre(tb.Context(), s.v, compute.Options{}); err != nil {
			tb.Fatal(err)
		}
	}
	f, _, err := in.Weigh(tb.Context(), s.v, ridge, s.constant, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return in, f
}

func (s *system) check(t *testing.T) {
	in, f := s.factor(t, 2)
	for _, functions := range []int{1, 2, 3} {
		s.checkSolve(t, in, f, functions)
		s.checkGradient(t, functions)
	}
	s.checkRows(t, f)
	s.checkPosterior(t, f)
	if s.Iterative {
		if !math.IsNaN(f.LogDet()) {
			t.Errorf("log-determinant %v without a factor", f.LogDet())
		}
		return
	}
	s.checkDeterminant(t, f)
	s.checkRegression(t)
}

// checkSolve compares the function at which the Hessian gives the slopes of some gradients.
func (s *system) checkSolve(t *testing.T, in space.Space, f space.Factor, functions int) {
	t.Helper()
	g := random(t, s.rows(), functions)
	var want, theta mat.Dense
	theta.Product(s.inverse, s.features.T(), g)
	want.Mul(s.features, &theta)
	got := space.Zero(in, functions, s.constant)
	covector := mat.DenseCopyOf(got.Theta)
	if err := in.Adjoint(t.Context(), covector, g); err != nil {
		t.Fatal(err)
	}
	var beta []float64
	for c := range got.Bias {
		beta = append(beta, mat.Sum(g.ColView(c)))
	}
	var err error
	if got.Theta, got.Bias, err = f.Solve(t.Context(), covector, beta); err != nil {
		t.Fatal(err)
	}
	if err := in.Values(t.Context(), got.Values, got.Theta); err != nil {
		t.Fatal(err)
	}
	values := mat.NewDense(s.rows(), functions, nil)
	got.Predictor(values)
	s.near(t, fmt.Sprintf("values of %d functions", functions), values.RawMatrix().Data, want.RawMatrix().Data)
	if s.constant {
		s.near(t, fmt.Sprintf("constants of %d functions", functions), in.Constants(got.Theta, got.Bias), theta.RawRowView(0))
	} else if got.Bias != nil {
		t.Errorf("constants %v without a constant", got.Bias)
	}
}

// checkGradient compares the covector that comes with a factor, and the factor, with those alone.
func (s *system) checkGradient(t *testing.T, functions int) {
	t.Helper()
	in, f := s.factor(t, 2)
	g, covector := random(t, s.rows(), functions), space.Zero(in, functions, false).Theta
	if err := in.Adjoint(t.Context(), covector, g); err != nil {
		t.Fatal(err)
	}
	beta := make([]float64, functions)
	alone, _, err := f.Solve(t.Context(), covector, beta)
	if err != nil {
		t.Fatal(err)
	}
	f, with, err := in.Weigh(t.Context(), s.v, ridge, s.constant, g)
	if err != nil {
		t.Fatal(err)
	}
	s.near(t, "gradient", with.RawMatrix().Data, covector.RawMatrix().Data)
	theta, _, err := f.Solve(t.Context(), covector, beta)
	if err != nil {
		t.Fatal(err)
	}
	s.near(t, "solution", theta.RawMatrix().Data, alone.RawMatrix().Data)
}

// checkRows compares variances and leave-one-out factors.
func (s *system) checkRows(t *testing.T, f space.Factor) {
	t.Helper()
	variances, rest := make([]float64, s.rows()), make([]float64, s.rows())
	for i, v := range s.v {
		variances[i] = mat.Inner(s.features.RowView(i), s.inverse, s.features.RowView(i))
		rest[i] = 1 - v*variances[i]
	}
	got := make([]float64, s.rows())
	if err := f.Variances(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	s.near(t, "variances", got, variances)
	if err := f.LeaveOneOut(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	s.near(t, "leave-one-out factors", got, rest)
}

// checkDeterminant compares ln|V^½KV^½ + R·I|, with a constant and the logarithm of
// 1ᵀ(K + R·V⁻¹)⁻¹1 = 1ᵀV^½(V^½KV^½ + R·I)⁻¹V^½1.
func (s *system) checkDeterminant(t *testing.T, f space.Factor) {
	t.Helper()
	n, roots := s.rows(), mat.NewVecDense(s.rows(), nil)
	for i, v := range s.v {
		roots.SetVec(i, math.Sqrt(v))
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, roots.AtVec(i)*roots.AtVec(j)*mat.Dot(s.Features.RowView(i), s.Features.RowView(j)))
		}
		a.SetSym(i, i, a.At(i, i)+ridge)
	}
	var factor mat.Cholesky
	if !factor.Factorize(a) {
		t.Fatal("the matrix is not positive definite")
	}
	want := factor.LogDet()
	if s.constant {
		var u mat.VecDense
		if err := factor.SolveVecTo(&u, roots); err != nil {
			t.Fatal(err)
		}
		want += math.Log(mat.Dot(roots, &u))
	}
	s.near(t, "log-determinant", []float64{f.LogDet()}, []float64{want})
}

// checkBits compares all results for different numbers of workers.
func (c Case) checkBits(t *testing.T) {
	s := c.system(t, true, true, true)
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		in, f := s.factor(t, workers)
		n, d := in.Dims()
		covector, values := mat.NewDense(d, 2, nil), mat.NewDense(n, 2, nil)
		if err := in.Adjoint(t.Context(), covector, random(t, n, 2)); err != nil {
			t.Fatal(err)
		}
		theta, bias, err := f.Solve(t.Context(), covector, []float64{1, -2})
		if err != nil {
			t.Fatal(err)
		}
		variances, rest := make([]float64, n), make([]float64, n)
		for _, err := range []error{in.Values(t.Context(), values, theta), f.Variances(t.Context(), variances), f.LeaveOneOut(t.Context(), rest)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		all := []float64{0}
		if !c.Iterative {
			all[0] = f.LogDet()
		}
		for _, part := range [][]float64{covector.RawMatrix().Data, theta.RawMatrix().Data, values.RawMatrix().Data, bias, variances, rest} {
			all = append(all, part...)
		}
		if first == nil {
			first = all
		}
		for i, v := range all {
			if math.Float64bits(v) != math.Float64bits(first[i]) {
				t.Fatalf("number %d is %v with %d workers, and %v with one", i, v, workers, first[i])
			}
		}
	}
}

func (c Case) checkErrors(t *testing.T) {
	s := c.Make(t, 2)
	n, d := s.Dims()
	if _, _, err := s.Weigh(t.Context(), make([]float64, n+1), ridge, true, nil); err == nil {
		t.Errorf("%d weights for %d rows were accepted", n+1, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Values(ctx, mat.NewDense(n, 1, nil), mat.NewDense(d, 1, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("Values with a cancelled context returned %v", err)
	}
	if err := s.Adjoint(ctx, mat.NewDense(d, 1, nil), mat.NewDense(n, 1, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("Adjoint with a cancelled context returned %v", err)
	}
	if _, _, err := s.Weigh(ctx, c.weights(t), ridge, true, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Weigh with a cancelled context returned %v", err)
	}
}
