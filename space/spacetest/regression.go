package spacetest

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/space"
)

// checkRegression compares [space.Regress] with (ΦᵀVΦ + R·I)⁻¹ΦᵀVT.
func (s *system) checkRegression(t *testing.T) {
	const columns = 2
	targets := random(t, s.rows(), columns)
	var theta, values, weighted mat.Dense
	weighted.Mul(mat.NewDiagDense(len(s.v), s.v), targets)
	theta.Product(s.inverse, s.features.T(), &weighted)
	values.Mul(s.features, &theta)
	want := mat.DenseCopyOf(targets)
	want.Sub(want, &values)

	g, err := space.Regress(t.Context(), s.Make(t, 2), space.Ridge{Weights: s.v, R: ridge, Constant: s.constant}, space.Targets{Columns: columns, Row: func(dst []float64, i int) error {
		copy(dst, targets.RawRowView(i))
		return nil
	}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.constant {
		s.near(t, "constants of the regression", g.Bias, theta.RawRowView(0))
	} else if !slices.Equal(g.Bias, make([]float64, columns)) {
		t.Errorf("constants %v without a constant", g.Bias)
	}
	residuals := mat.NewDense(s.rows(), columns, nil)
	err = g.Residuals(t.Context(), compute.Options{}, func(from, to int, e *mat.Dense) error {
		residuals.Slice(from, to, 0, columns).(*mat.Dense).Copy(e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.checkResiduals(t, g, residuals, want, targets)
	trace := 0.0
	for i, v := range s.v {
		trace += v * mat.Dot(s.Features.RowView(i), s.Features.RowView(i))
	}
	got, err := g.Factor.Trace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.near(t, "Σ vᵢ‖φ(xᵢ)‖²", []float64{got}, []float64{trace})
	s.checkProducts(t, g, &theta, mat.Norm(&weighted, 2)*mat.Norm(targets, 2)/ridge)
}

// checkResiduals compares residuals, and values as what is left of the targets.
func (s *system) checkResiduals(t *testing.T, g *space.Regression, residuals, want, targets *mat.Dense) {
	t.Helper()
	_, columns := targets.Dims()
	for i, v := range s.v {
		if v == 0 && math.IsNaN(residuals.At(i, 0)) { // not known from coefficients
			residuals.SetRow(i, want.RawRowView(i))
		}
	}
	s.near(t, "residuals of the regression", residuals.RawMatrix().Data, want.RawMatrix().Data)
	sum := mat.NewDense(s.rows(), columns, nil) // of values and residuals: the targets less a constant
	err := g.Rows(t.Context(), compute.Options{}, func(from, to int, f, _ *mat.Dense) error {
		sum.Slice(from, to, 0, columns).(*mat.Dense).Copy(f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sum.Add(sum, want)
	for c := range columns {
		mean, total := 0.0, 0.0
		for i, v := range s.v {
			mean, total = mean+v*targets.At(i, c), total+v
		}
		for i := range s.v {
			sum.Set(i, c, sum.At(i, c)-targets.At(i, c))
			if s.constant {
				sum.Set(i, c, sum.At(i, c)+mean/total)
			}
		}
	}
	s.near(t, "values and residuals less the targets", append([]float64{1}, sum.RawMatrix().Data...), append([]float64{1}, make([]float64, s.rows()*columns)...))
}

// checkProducts compares the inner products of functions with those of their weights. They are at
// most Σ vᵢtᵢ²/R, the objective of f = 0: what is left of sums of that size in the dual.
func (s *system) checkProducts(t *testing.T, g *space.Regression, theta *mat.Dense, most float64) {
	t.Helper()
	got, err := g.Products(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	order, columns := theta.Dims()
	_, dim := s.Features.Dims()
	w := theta.Slice(order-dim, order, 0, columns)
	want := new(mat.Dense)
	want.Mul(w.T(), w)
	for c := range columns {
		for d := range columns {
			s.near(t, "inner product", []float64{most, got.At(c, d)}, []float64{most, want.At(c, d)})
		}
	}
}
