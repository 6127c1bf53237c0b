package node_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/graph"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/node"
)

// TestClosedForms compares with the eigenvalues and values that are known of paths, cycles
// and complete graphs. The error of K is a small multiple of n·ε·‖K‖, n = 24.
func TestClosedForms(t *testing.T) {
	const n, time, tolerance = 24, 0.3, 24 * 8 * 0x1p-52
	trace := func(name string, k *node.Kernel, eigenvalue func(i int) float64, f func(lambda float64) float64) {
		want, largest := 0.0, 0.0
		for i := range n {
			v := f(eigenvalue(i))
			want += v
			largest = max(largest, v)
		}
		testkit.Close(t, name, mat.Trace(gramOf(k)), want, n*tolerance*largest)
	}
	onPath := func(i int) float64 { return 2 - 2*math.Cos(math.Pi*float64(i)/n) }
	onCycle := func(i int) float64 { return 2 - 2*math.Cos(2*math.Pi*float64(i)/n) }
	heat := func(lambda float64) float64 { return math.Exp(-time * lambda) }
	resolvent := func(lambda float64) float64 { return 1 / (1 + time*lambda) }
	p, c, full := network(t, n, path(n), nil), network(t, n, cycle(n), nil), network(t, n, complete(n), nil)
	trace("heat on a path", kernelOf(t, p, node.Diffusion{T: time}), onPath, heat)
	trace("resolvent on a path", kernelOf(t, p, node.RegularisedLaplacian{T: time}), onPath, resolvent)
	trace("heat on a cycle", kernelOf(t, c, node.Diffusion{T: time}), onCycle, heat)
	trace("exp(tA) on a cycle", kernelOf(t, c, node.Exponential{T: time}), onCycle, func(l float64) float64 { return math.Exp(time * (2 - l)) })
	trace("walks on a cycle", kernelOf(t, c, node.Walk{A: 2, P: 4}), onCycle, func(l float64) float64 { return math.Pow(2-l/2, 4) })
	trace("pseudo-inverse on a path", kernelOf(t, p, node.CommuteTime{}), onPath, func(l float64) float64 {
		if l == 0 {
			return 0
		}
		return 1 / l
	})

	k := gramOf(kernelOf(t, full, node.Diffusion{T: time}))
	decay := math.Exp(-n * time)
	testkit.Close(t, "heat stays", k.At(3, 3), (1+(n-1)*decay)/n, tolerance)
	testkit.Close(t, "heat goes", k.At(3, 4), (1-decay)/n, tolerance)
	k = gramOf(kernelOf(t, full, node.CommuteTime{}))
	testkit.Close(t, "pseudo-inverse of a complete graph", k.At(2, 2), float64(n-1)/n/n, tolerance)
	testkit.Close(t, "beside its diagonal", k.At(2, 5), -1.0/n/n, tolerance)
}

// TestDefinitions compares with matrix exponentials, inverses, powers and Penrose's
// conditions, on a weighted graph with loops, parallel edges and three components.
func TestDefinitions(t *testing.T) {
	n, edges, weights := random(t, 18, 7)
	net := network(t, n, edges, weights)
	a, l := adjacency(n, edges, weights)
	normalized := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			if l.At(i, j) != 0 {
				normalized.Set(i, j, l.At(i, j)/math.Sqrt(l.At(i, i)*l.At(j, j)))
			}
		}
	}
	identity := mat.NewDiagDense(n, nil)
	for i := range n {
		identity.SetDiag(i, 1)
	}
	exp := func(t float64, m *mat.Dense) *mat.Dense {
		var scaled, out mat.Dense
		scaled.Scale(t, m)
		out.Exp(&scaled)
		return &out
	}
	resolvent := func(time float64, m *mat.Dense) *mat.Dense {
		var sum, out mat.Dense
		sum.Scale(time, m)
		sum.Add(identity, &sum)
		if err := out.Inverse(&sum); err != nil {
			t.Fatal(err)
		}
		return &out
	}
	power := func(c float64, p int) *mat.Dense {
		var base, out mat.Dense
		base.Scale(-1, normalized)
		for i := range n {
			base.Set(i, i, base.At(i, i)+c)
		}
		out.Pow(&base, p)
		return &out
	}
	for _, c := range []struct {
		f    node.Filter
		want *mat.Dense
	}{
		{node.Diffusion{T: 0.7}, exp(-0.7, l)}, {node.Diffusion{T: 3, Normalized: true}, exp(-3, normalized)},
		{node.RegularisedLaplacian{T: 2}, resolvent(2, l)}, {node.RegularisedLaplacian{T: 5, Normalized: true}, resolvent(5, normalized)},
		{node.Walk{A: 2, P: 3}, power(2, 3)}, {node.Walk{A: 2.5, P: 6}, power(2.5, 6)}, {node.Exponential{T: 0.4}, exp(0.4, a)},
	} {
		k := gramOf(kernelOf(t, net, c.f))
		// Both sides err by a few n·ε times the norm of the result.
		near(t, fmt.Sprintf("%+v", c.f), k, c.want, 1e-13*float64(n)*mat.Norm(c.want, 2))
	}
	plus := gramOf(kernelOf(t, net, node.CommuteTime{}))
	var lp, lpl, plp mat.Dense
	lp.Mul(l, plus)
	lpl.Mul(&lp, l)
	plp.Mul(plus, &lp)
	near(t, "L L⁺ L = L", &lpl, l, 1e-11)
	near(t, "L⁺ L L⁺ = L⁺", &plp, plus, 1e-11)
	near(t, "L L⁺ is symmetric", &lp, lp.T(), 1e-11)
}

// TestCommuteTimes compares with expected hitting times, each the solution of h(i) = 1 + Σⱼ P(i, j)
// h(j), h(target) = 0.
func TestCommuteTimes(t *testing.T) {
	rnd := testkit.Rand(t, 5)
	const n = 9
	edges := append(path(n), graph.Edge{From: 0, To: 4}, graph.Edge{From: 2, To: 8})
	weights := make([]float64, len(edges))
	for i := range weights {
		weights[i] = 0.5 + rnd.Float64()
	}
	_, l := adjacency(n, edges, weights)
	k := gramOf(kernelOf(t, network(t, n, edges, weights), node.CommuteTime{}))
	volume := mat.Trace(l)
	hitting := func(from, target int) float64 {
		m, ones := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			m.Set(i, i, 1)
			if i == target {
				continue
			}
			ones.SetVec(i, 1)
			for j := range n {
				if j != i {
					m.Set(i, j, l.At(i, j)/l.At(i, i))
				}
			}
		}
		var h mat.VecDense
		if err := h.SolveVec(m, ones); err != nil {
			t.Fatal(err)
		}
		return h.AtVec(from)
	}
	for i := range n {
		for j := range i {
			want := hitting(i, j) + hitting(j, i)
			testkit.Close(t, fmt.Sprintf("commute time %d–%d", i, j), volume*(k.At(i, i)+k.At(j, j)-2*k.At(i, j)), want, 1e-10*want)
		}
	}
}

// TestSemigroup: exp(−sL)exp(−tL) = exp(−(s+t)L).
func TestSemigroup(t *testing.T) {
	n, edges, weights := random(t, 30, 3)
	net := network(t, n, edges, weights)
	for _, normalized := range []bool{false, true} {
		heat := func(time float64) *mat.Dense {
			return gramOf(kernelOf(t, net, node.Diffusion{T: time, Normalized: normalized}))
		}
		var product mat.Dense
		product.Mul(heat(0.4), heat(1.1))
		near(t, "semigroup", &product, heat(1.5), 1e-12)
	}
}

// TestPermutation renumbers the nodes.
func TestPermutation(t *testing.T) {
	n, edges, weights := random(t, 15, 11)
	rnd := testkit.Rand(t, 1)
	to := rnd.Perm(n)
	moved := make([]graph.Edge, len(edges))
	for i, e := range edges {
		moved[i] = graph.Edge{From: int32(to[e.To]), To: int32(to[e.From])}
	}
	for _, f := range filters() {
		k, m := gramOf(kernelOf(t, network(t, n, edges, weights), f)), gramOf(kernelOf(t, network(t, n, moved, weights), f))
		want := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				want.Set(to[i], to[j], k.At(i, j))
			}
		}
		near(t, fmt.Sprintf("%+v", f), m, want, 1e-11*mat.Norm(k, 2))
	}
}

// TestComponents wants zeros between components, and in each the kernel of it alone.
func TestComponents(t *testing.T) {
	both := append(cycle(5), graph.Edge{From: 5, To: 6}, graph.Edge{From: 6, To: 7})
	for _, f := range filters() {
		k := gramOf(kernelOf(t, network(t, 9, both, nil), f))
		first, second := gramOf(kernelOf(t, network(t, 5, cycle(5), nil), f)), gramOf(kernelOf(t, network(t, 3, path(3), nil), f))
		want := mat.NewDense(9, 9, nil)
		want.Slice(0, 5, 0, 5).(*mat.Dense).Copy(first)
		want.Slice(5, 8, 5, 8).(*mat.Dense).Copy(second)
		want.Set(8, 8, k.At(8, 8))
		near(t, fmt.Sprintf("%+v", f), k, want, 1e-12*mat.Norm(k, 2))
		for i := range 5 {
			for j := 5; j < 9; j++ {
				if k.At(i, j) != 0 {
					t.Errorf("%+v: element (%d, %d) between components is %v", f, i, j, k.At(i, j))
				}
			}
		}
	}
	if k := gramOf(kernelOf(t, network(t, 9, both, nil), node.CommuteTime{})); k.At(8, 8) != 0 {
		t.Errorf("the pseudo-inverse of a single node is %v", k.At(8, 8))
	}
}
