package onnx_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/mercer/kernel/tile"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/onnx"
)

// TestKernel: the nodes of a kernel have its values.
func TestKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rows, count, dim = 7, 5, 3
	draw := func(n int) []float64 {
		out := make([]float64, n*dim)
		for i := range out {
			out[i] = rng.Float64()
		}
		return out
	}
	x, z := draw(rows), draw(count)
	copy(x[dim:2*dim], make([]float64, dim)) // a row of zeros, and one that is a point
	copy(x[:dim], z[dim:])
	for _, text := range []string{
		"linear()", "rbf(sigma=0.7)", "rbf(lengthscale=[0.5, 1, 2])", "laplace(sigma=2)", "laplace1(sigma=0.8)", "laplace1(lengthscale=[0.5, 1, 2])",
		"laplacepq(sigma=1, p=1.4, q=1)", "laplacepq(sigma=1.5, p=0.75, q=0.75)", "matern(nu=0.5, sigma=1)", "matern(nu=1.5, sigma=0.6)", "matern(nu=2.5, sigma=2)", "rq(alpha=2, sigma=1)",
		"poly(degree=3, offset=1)", "tanh(scale=0.5, offset=-1)", "cosine()", "tanimoto()", "dice()", "min()", "minmax()", "chi2(gamma=2)", "chi2add()", "hellinger()", "gintersection(beta=2)",
		"periodic(period=0.7, sigma=1)", "wendland(k=1, radius=3)", "white(value=2) + constant(value=1)", "0.5*rbf(sigma=1)*linear() + (1 + linear())^2", "exp(of=linear())",
		"rbf(sigma=1)[1] + linear()[0, 2]", "cosdiff()[1]", "geometric()[0]", "exp2prod()[2]", "exp2sum()[0]",
	} {
		t.Run(text, func(t *testing.T) {
			k, err := vec.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := vec.CompileOn(k, dim)
			if err != nil {
				t.Fatal(err)
			}
			g := onnx.New(onnx.Double)
			in := g.Input(onnx.Port{Name: "input", Type: g.Number(), Columns: dim})
			values, err := g.Kernel(plan, in, onnx.Points{Count: count, Dim: dim, Numbers: z})
			if err != nil {
				t.Fatal(err)
			}
			g.Output(values, onnx.Port{Name: "values", Type: g.Number(), Columns: count})
			out, err := g.Run(map[string]onnx.Array{"input": {Dims: []int{rows, dim}, Float: x}})
			if err != nil {
				t.Fatal(err)
			}
			got := out["values"]
			if fmt.Sprint(got.Dims) != fmt.Sprint([]int{rows, count}) {
				t.Fatalf("the values have the shape %v", got.Dims)
			}
			for i := range rows {
				for j := range count {
					want := k.Eval(x[i*dim:(i+1)*dim], z[j*dim:(j+1)*dim])
					// Of squared distances by products 2⁻⁵³ of the squares is lost, of their roots
					// the root of that.
					if v := got.Float[i*count+j]; math.Abs(v-want) > 3e-8*math.Max(1, math.Abs(want)) || math.Abs(v-want) > 1e-13*math.Max(1, math.Abs(want)) && !strings.Contains(text, "laplace") && !strings.Contains(text, "matern") && !strings.Contains(text, "wendland") {
						t.Fatalf("row %d, point %d: %v, want %v", i, j, v, want)
					}
				}
			}
		})
	}
}

// TestUnsupported: what has no standard operators is named.
func TestUnsupported(t *testing.T) {
	for text, want := range map[string]string{
		"matern(nu=2, sigma=1)": "matern(nu=2): there is no standard operator for Bessel functions",
		"arccos()":              "the statistic angle",
		"js()":                  "the statistic jensen-shannon divergence",
		"gcd()[0]":              "the statistic gcd",
	} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := vec.Compile(k)
		if err != nil {
			t.Fatal(err)
		}
		g := onnx.New(onnx.Double)
		_, err = g.Kernel(plan, g.Input(onnx.Port{Name: "input", Type: g.Number(), Columns: 2}), onnx.Points{Count: 1, Dim: 2, Numbers: []float64{1, 2}})
		var u *onnx.Unsupported
		if !errors.As(err, &u) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var none tile.Plan
	none.Program = []tile.Op{{Code: tile.OpConstant, A: 1}, {Code: tile.OpElementary, A: 1}}
	if _, err := onnx.New(onnx.Double).Kernel(&none, "input", onnx.Points{}); err == nil {
		t.Error("elementary polynomials pass")
	}
}
