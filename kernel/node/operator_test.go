package node_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/gramtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/node"
)

var _ gram.Operator = (*node.Operator)(nil)

// TestScaledBessel compares with scipy 1.17.1, scipy.special.ive.
func TestScaledBessel(t *testing.T) {
	for _, c := range []struct {
		tau  float64
		want map[int]float64
	}{
		{0.01, map[int]float64{0: 0.9900745851497074, 1: 0.004950311047118277, 5: 2.5782655181358737e-14}},
		{1, map[int]float64{0: 0.4657596075936404, 1: 0.20791041534970842, 5: 9.9865714112087e-05, 20: 1.4593174056818663e-25}},
		{10, map[int]float64{0: 0.12783333716342862, 1: 0.12126268138445552, 5: 0.03528429361493396, 20: 5.67862201452152e-09}},
		{1000, map[int]float64{0: 0.012617240455891255, 1: 0.012610930256928629, 5: 0.012460428940768863, 20: 0.010329157758475196}},
	} {
		b := node.ScaledBessel(c.tau)
		for k, want := range c.want {
			testkit.Close(t, fmt.Sprintf("I_%d(%g)", k, c.tau), b[k], want, 1e-13*want+1e-300)
		}
	}
}

// TestRadius wants a bound that encloses the spectrum, and not by much.
func TestRadius(t *testing.T) {
	n, edges, weights := random(t, 40, 2)
	net := network(t, n, edges, weights)
	a, l := adjacency(n, edges, weights)
	for _, c := range []struct {
		m    node.Matrix
		of   *mat.Dense
		most float64 // times the largest eigenvalue; |L| may have a larger radius than L
	}{{node.Adjacency, a, 1.05}, {node.Laplacian, l, 1.3}} {
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range n {
				sym.SetSym(i, j, c.of.At(i, j))
			}
		}
		var e mat.EigenSym
		e.Factorize(sym, false)
		largest := 0.0
		for _, v := range e.Values(nil) {
			largest = max(largest, math.Abs(v))
		}
		if bound := net.Radius(c.m); !(bound >= largest && bound <= c.most*largest) {
			t.Errorf("matrix %d: bound %v of %v", c.m, bound, largest)
		}
	}
}

// TestOperator compares products with those of the matrix from the eigendecomposition, at
// several tolerances: the error is the bound plus rounding.
func TestOperator(t *testing.T) {
	n, edges, weights := random(t, 60, 9)
	net := network(t, n, edges, weights)
	rnd := testkit.Rand(t, 4)
	x := mat.NewDense(n, 3, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rnd.NormFloat64()
	}
	for _, f := range filters() {
		k := kernelOf(t, net, f)
		dense := gramOf(k)
		var want mat.Dense
		want.Mul(dense, x)
		for _, tolerance := range []float64{0, 1e-3, 1e-8} {
			op, err := k.Operator(node.Options{Tolerance: tolerance})
			if err != nil {
				t.Fatal(err)
			}
			var got mat.Dense
			if err := op.Mul(t.Context(), &got, x); err != nil {
				t.Fatal(err)
			}
			allowed := (op.Bound() + 1e-13*float64(n)*mat.Norm(dense, 2)) * mat.Norm(x, 2)
			if _, solves := f.(node.CommuteTime); solves {
				allowed = max(tolerance, 1e-10) * mat.Norm(dense, 2) * mat.Norm(x, 2)
			} else if op.Bound() > max(tolerance, 1e-14)*1.01*mat.Norm(dense, 2)*2 {
				t.Errorf("%+v: bound %v at tolerance %v and norm %v", f, op.Bound(), tolerance, mat.Norm(dense, 2))
			}
			near(t, fmt.Sprintf("%+v at %g, %d products", f, tolerance, op.Products()), &got, &want, allowed)
		}
	}
}

// TestChosenNodes multiplies by rows and columns of some nodes, one of them twice, and
// compares columns that are computed in blocks.
func TestChosenNodes(t *testing.T) {
	n, edges, weights := random(t, 30, 6)
	net := network(t, n, edges, weights)
	nodes := []int{4, 9, 30, 4, 0, 22, 13, 2, 7, 28, 11}
	ids := make(data.Slice[string], len(nodes))
	for i, v := range nodes {
		ids[i] = fmt.Sprint(v)
	}
	for _, f := range filters() {
		k := kernelOf(t, net, f)
		dense := gramOf(k)
		want := mat.NewDense(len(nodes), len(nodes), nil)
		for i, a := range nodes {
			for j, b := range nodes {
				want.Set(i, j, dense.At(a, b))
			}
		}
		op, err := k.Operator(node.Options{Nodes: nodes})
		if err != nil {
			t.Fatal(err)
		}
		x := mat.NewDense(len(nodes), len(nodes), nil)
		for i := range nodes {
			x.Set(i, i, 1)
		}
		var got mat.Dense
		if err := op.Mul(t.Context(), &got, x); err != nil {
			t.Fatal(err)
		}
		allowed := 1e-10 * mat.Norm(dense, 2)
		near(t, fmt.Sprintf("%+v", f), &got, want, allowed)
		near(t, fmt.Sprintf("%+v by columns", f), matrixOf(node.Columns(k, ids, ids)), want, allowed)
		near(t, fmt.Sprintf("%+v in part", f), matrixOf(kernelOf(t, net, f).Bind(ids[:6], ids)), want.Slice(0, 6, 0, len(ids)), allowed)
		testkit.Close(t, "an element", k.Element(9, 4), dense.At(4, 9), allowed)
		if k.Element(9, 4) != k.Element(4, 9) {
			t.Errorf("%+v: an element is not symmetric", f)
		}
	}
}

// TestConformance runs the suite of operators.
func TestConformance(t *testing.T) {
	n, edges, weights := random(t, 30, 6)
	k := kernelOf(t, network(t, n, edges, weights), node.Diffusion{T: 1})
	var ops []gramtest.Operator
	for _, workers := range []int{1, 2, 3, 8} {
		op, err := k.Operator(node.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		ops = append(ops, op)
	}
	gramtest.Run(t, ops[0], gramOf(k), ops[1:]...)
}

// TestWorkers wants the same bits for any number of workers.
func TestWorkers(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 1500
	}
	rnd := testkit.Rand(t, 8)
	net := network(t, n+1, randomEdges(rnd, n), randomWeights(rnd, n))
	x := mat.NewDense(n+1, 2, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rnd.NormFloat64()
	}
	for _, f := range []node.Filter{node.Diffusion{T: 1}, node.CommuteTime{}} {
		var first *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			op, err := kernelOf(t, net, f).Operator(node.Options{Workers: workers, Tolerance: 1e-6})
			if err != nil {
				t.Fatal(err)
			}
			got := new(mat.Dense)
			if err := op.Mul(t.Context(), got, x); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !mat.Equal(first, got) {
				t.Errorf("%+v: %d workers give other bits", f, workers)
			}
		}
	}
}

// TestCancelProduct ends a product that would take minutes. That it has not come to its end is in
// the error.
func TestCancelProduct(t *testing.T) {
	const n = 20000
	rnd := testkit.Rand(t, 8)
	net := network(t, n+1, randomEdges(rnd, n), randomWeights(rnd, n))
	op, err := kernelOf(t, net, node.Diffusion{T: 1e6}).Operator(node.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Mul(testkit.Countdown(t.Context(), 50), new(mat.Dense), mat.NewDense(n+1, 8, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestOperatorErrors refuses what cannot be multiplied.
func TestOperatorErrors(t *testing.T) {
	net := network(t, 5, path(5), nil)
	k := kernelOf(t, net, node.Diffusion{T: 1})
	for _, o := range []node.Options{{Nodes: []int{5}}, {Nodes: []int{-1}}, {Tolerance: -1}} {
		if _, err := k.Operator(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	for _, f := range []node.Filter{node.Diffusion{T: 1e12}, node.RegularisedLaplacian{T: 1e12}} {
		if _, err := kernelOf(t, net, f).Operator(node.Options{}); err == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
	op, err := k.Operator(node.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Mul(t.Context(), new(mat.Dense), mat.NewDense(4, 1, nil)); err == nil {
		t.Error("a vector of 4 numbers is multiplied by 5×5")
	}
	if err := op.Mul(t.Context(), mat.NewDense(5, 2, nil), mat.NewDense(5, 1, nil)); err == nil {
		t.Error("the result does not fit and is stored")
	}
}

// TestEdgeless multiplies on a graph without edges, where L = 0.
func TestEdgeless(t *testing.T) {
	net := network(t, 3, nil, nil)
	x := mat.NewDense(3, 1, []float64{1, 2, 3})
	for _, c := range []struct {
		f      node.Filter
		factor float64
	}{{node.Diffusion{T: 1}, 1}, {node.RegularisedLaplacian{T: 1}, 1}, {node.Exponential{T: 1}, 1}, {node.CommuteTime{}, 0}, {node.Walk{A: 2, P: 3}, 8}} {
		op, err := kernelOf(t, net, c.f).Operator(node.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got, want mat.Dense
		if err := op.Mul(t.Context(), &got, x); err != nil {
			t.Fatal(err)
		}
		want.Scale(c.factor, x)
		near(t, fmt.Sprintf("%+v", c.f), &got, &want, 1e-14)
	}
}
