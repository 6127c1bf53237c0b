package krr_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

// copyOf returns storage that PointAt and Gradient may overwrite.
func copyOf(k *mat.SymDense) *mat.SymDense {
	c := mat.NewSymDense(k.SymmetricDim(), nil)
	c.CopySym(k)
	return c
}

func TestPointAtEqualsPath(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 31), 30, 2, m, weighted)
		o := krr.PathOptions{NoIntercept: !intercept, Weights: p.weights}
		path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := path.AtRidge(t.Context(), 0.2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := krr.PointAt(t.Context(), copyOf(p.k), p.y, 0.2, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "LOO", got.LOOResiduals.RawMatrix().Data, want.LOOResiduals.RawMatrix().Data, 1e-10)
		for _, c := range krr.Criteria {
			testkit.Close(t, string(c), c.Of(got), c.Of(want), 1e-10)
		}
	})
}

// Central differences of step h = 1e-5 in ln R and in ln σ (through kernel.Contract):
// truncation h²≈1e-10 and rounding 1e-13/h ≈ 1e-8 relative to the criterion.
func TestGradientIsTheDerivative(t *testing.T) {
	const h, ridge, sigma = 1e-5, 0.2, 1.1
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 32), 150, 2, m, weighted) // straddles the block of 128 rows
		o := krr.PathOptions{NoIntercept: !intercept, Weights: p.weights}
		for _, c := range krr.Criteria {
			value := func(lnSigma, lnRidge float64) float64 {
				point, err := krr.PointAt(t.Context(), matrix(t, gauss{math.Exp(lnSigma)}, p.xs), p.y, math.Exp(lnRidge), o)
				if err != nil {
					t.Fatal(err)
				}
				return c.Of(point)
			}
			s, err := krr.Gradient(t.Context(), matrix(t, gauss{sigma}, p.xs), p.y, ridge, c, o)
			if err != nil {
				t.Fatal(err)
			}
			ls, lr := math.Log(sigma), math.Log(ridge)
			testkit.Close(t, string(c)+" value", s.Value, value(ls, lr), 1e-12)
			scale := math.Max(1, math.Abs(s.Value))
			wantRidge := (value(ls, lr+h) - value(ls, lr-h)) / (2 * h)
			testkit.Close(t, string(c)+" ∂/∂ln R", s.DRidge*ridge/scale, wantRidge/scale, 3e-8)
			raw := s.DK.RawSymmetric()
			tile := kernel.Tile{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}
			got, err := kernel.Contract(t.Context(), gauss{sigma}, p.xs, tile, 0)
			if err != nil {
				t.Fatal(err)
			}
			wantSigma := (value(ls+h, lr) - value(ls-h, lr)) / (2 * h)
			testkit.Close(t, string(c)+" ∂/∂ln σ", got[0]/scale, wantSigma/scale, 3e-8)
			if wantRidge == 0 || wantSigma == 0 {
				t.Errorf("%s does not depend on its parameters: the test shows nothing", c)
			}
		}
	})
}

func TestCriteriaRefuse(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 33), 10, 2, 1, false)
	negative := mat.NewSymDense(10, nil)
	for i := range 10 {
		negative.SetSym(i, i, -1)
	}
	for _, c := range []struct {
		k         *mat.SymDense
		y         *mat.Dense
		criterion krr.Criterion
		want      string
	}{
		{p.k, p.y, "luck", `criterion "luck" is not known`},
		{p.k, mat.NewDense(3, 1, nil), krr.LOO, "y is 3×1"},
		{negative, p.y, krr.LOO, "not positive definite"},
		{mat.NewSymDense(1, []float64{1}), mat.NewDense(1, 1, []float64{1}), krr.GCV, "at least two rows"},
	} {
		if _, err := krr.Gradient(t.Context(), copyOf(c.k), c.y, 0.1, c.criterion, krr.PathOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("gradient: %v, want %q", err, c.want)
		}
		if c.criterion == "luck" {
			continue
		}
		if _, err := krr.PointAt(t.Context(), copyOf(c.k), c.y, 0.1, krr.PathOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("point: %v, want %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := krr.Gradient(ctx, copyOf(p.k), p.y, 0.1, krr.LOO, krr.PathOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}
