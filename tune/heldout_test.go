package tune_test

import (
	"context"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// TestHeldOut: with one row in each split the values are those of the leave-one-out
// residuals in closed form.
func TestHeldOut(t *testing.T) {
	const n = 12
	r := testkit.Rand(t, 2)
	x, y := make([]float64, n), mat.NewDense(n, 1, nil)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		x[i] = r.NormFloat64()
		y.Set(i, 0, r.NormFloat64())
		for j := range i + 1 {
			k.SetSym(i, j, (1+x[i]*x[j])*(1+x[i]*x[j]))
		}
	}
	const ridge = 0.3
	learn := func(ctx context.Context, k gram.Operator, rows []int, o compute.Options) (*tune.Function, error) {
		part := mat.NewDense(len(rows), 1, nil)
		for to, from := range rows {
			part.Set(to, 0, y.At(from, 0))
		}
		in, err := space.DualOf(ctx, k, space.Options{})
		if err != nil {
			return nil, err
		}
		s, _, err := krr.Solve(ctx, in, part, krr.Options{Ridge: ridge})
		if err != nil {
			return nil, err
		}
		return &tune.Function{Coef: s.Coef, Bias: s.Bias}, nil
	}
	splits, err := tune.KFold(n, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	values, err := tune.HeldOut(context.Background(), k, splits, 1, learn, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := space.DualOf(t.Context(), gram.FromMatrix(k), space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, report, err := krr.Solve(t.Context(), in, y, krr.Options{Ridge: ridge, LOO: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		testkit.Close(t, "held-out value", values.At(i, 0), y.At(i, 0)-report.Point.LOOResiduals.At(i, 0), 1e-9)
	}
	if _, err := tune.HeldOut(context.Background(), k, splits, 2, learn, compute.Options{}); err == nil || !strings.Contains(err.Error(), "there are 1 outputs, not 2") {
		t.Errorf("other outputs: %v", err)
	}
	if _, err := tune.HeldOut(context.Background(), k, splits[1:], 1, learn, compute.Options{}); err == nil || !strings.Contains(err.Error(), "held out in 0") {
		t.Errorf("a row that is never held out: %v", err)
	}
}
