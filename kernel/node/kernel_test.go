package node_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/node"
)

// dictionary is that of one network.
func dictionary(n *node.Network) expr.Dictionary[string] {
	return expr.Dictionary[string]{Kernels: node.Entries(func(name string) (*node.Network, error) {
		if name != n.Name() {
			return nil, fmt.Errorf("there is no graph %q", name)
		}
		return n, nil
	})}
}

// TestConformanceOfKernels runs the suite of kernels on every filter.
func TestConformanceOfKernels(t *testing.T) {
	n, edges, weights := random(t, 20, 1)
	net := network(t, n, edges, weights)
	d := dictionary(net)
	for _, f := range filters() {
		kerneltest.Run(t, kernel.Kernel[string](kernelOf(t, net, f)), net.Graph().IDs, kerneltest.Options[string]{
			Parse: func(text string) (kernel.Kernel[string], error) { return expr.ParseKernel(text, d) },
		})
	}
}

// TestRefusals names the bound.
func TestRefusals(t *testing.T) {
	net := network(t, 4, path(4), nil)
	for _, c := range []struct {
		f    node.Filter
		want string
	}{
		{node.Diffusion{}, "diffusion: t = 0: it must be positive and finite"},
		{node.Diffusion{T: math.NaN()}, "diffusion: t = NaN: it must be positive and finite"},
		{node.RegularisedLaplacian{T: -1}, "regularised_laplacian: t = -1: it must be positive and finite"},
		{node.Walk{A: 1.5, P: 2}, "walk: a = 1.5: it must be at least 2, because the eigenvalues of the normalised Laplacian reach 2 and a − λ must not be negative"},
		{node.Walk{A: 2}, "walk: p = 0: the number of steps is a whole number from 1 to 1000"},
		{node.Walk{A: 10, P: 999}, "walk: a^p = 10^999 is more than a number can hold: take fewer steps"},
		{node.Exponential{T: 1000}, "exponential: t = 1000: exp(tρ) is more than a number can hold, as the eigenvalues of A reach ρ ≤ 1.6"},
	} {
		if _, err := node.New(net, c.f); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v\nwant %s", c.f, err, c.want)
		}
	}
	negative := network(t, 3, path(3), []float64{1, -2})
	for _, f := range filters() {
		_, err := node.New(negative, f)
		if _, ok := f.(node.Exponential); ok {
			if err != nil {
				t.Error(err)
			}
		} else if err == nil || !strings.Contains(err.Error(), `net: the edge "1" – "2" weighs -2, and with negative weights the Laplacian has negative eigenvalues`) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	g, err := graph.New("net", false, nil, path(3), []float64{math.MaxFloat64, math.MaxFloat64})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := node.NewNetwork("net", g); err == nil || !strings.Contains(err.Error(), `node "1" add up to +Inf`) {
		t.Error(err)
	}
}

// TestNotes tells of all that is not as in a simple connected graph.
func TestNotes(t *testing.T) {
	edges := []graph.Edge{{From: 0, To: 1}, {From: 1, To: 0}, {From: 1, To: 1}, {From: 2, To: 3}, {From: 1, To: 0}}
	for _, c := range []struct {
		weights []float64
		heat    float64 // k(0, 0) of exp(−L): (1 + exp(−2w))/2
		how     string
	}{
		{nil, (1 + math.Exp(-2)) / 2, "each pair of nodes counts once"},
		{[]float64{0.5, 0.25, 3, 1, 0.25}, (1 + math.Exp(-2)) / 2, "their weights are added"},
	} {
		g, err := graph.New("net", true, []string{"a", "b", "c", "d", "e"}, edges, c.weights)
		if err != nil {
			t.Fatal(err)
		}
		net, err := node.NewNetwork("net", g)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"net: its edges have directions, which kernels between nodes do not see",
			"net: 2 edges join nodes that another edge joins already; " + c.how,
			"net: 1 nodes have an edge to themselves, which changes the adjacency matrix but no Laplacian",
			"net: it has 3 components, 1 of them single nodes; a kernel between nodes of two components is 0",
		}
		if !slices.Equal(net.Notes(), want) {
			t.Errorf("%q\nwant %q", net.Notes(), want)
		}
		if got := kernelOf(t, net, node.Diffusion{T: 1}).Eval("a", "a"); math.Abs(got-c.heat) > 1e-15 {
			t.Errorf("heat %v, want %v", got, c.heat)
		}
	}
}

// TestDigest changes with ids, edges and weights, and not with attributes or directions.
func TestDigest(t *testing.T) {
	make := func(ids []string, edges []graph.Edge, weights []float64) *node.Network {
		g, err := graph.New("x", false, ids, edges, weights)
		if err != nil {
			t.Fatal(err)
		}
		n, err := node.NewNetwork("x", g)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	ids := []string{"a", "b", "c"}
	one := make(ids, path(3), nil).Digest()
	if make(ids, []graph.Edge{{From: 2, To: 1}, {From: 1, To: 0}}, []float64{1, 1}).Digest() != one {
		t.Error("the same graph has another digest")
	}
	for _, other := range []*node.Network{make([]string{"a", "b", "d"}, path(3), nil), make(ids, path(2), nil), make(ids, path(3), []float64{1, 2}),
		make(ids, append(path(3), graph.Edge{From: 0, To: 0}), nil)} {
		if other.Digest() == one {
			t.Error("another graph has the same digest")
		}
	}
}

// TestUnknownNode names the id, and one that differs in case or blanks.
func TestUnknownNode(t *testing.T) {
	g, err := graph.New("net.gml", false, []string{"Anna", "Ben"}, path(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := node.NewNetwork("net.gml", g)
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, net, node.Diffusion{T: 1})
	for id, want := range map[string]string{
		"anna ": `net.gml has no node "anna "; did you mean "Anna"?`,
		"Carl":  `net.gml has no node "Carl"; its 2 nodes are named "Anna" … "Ben"`,
	} {
		if err := k.Contains(id); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if v := k.Eval("Anna", "Carl"); !math.IsNaN(v) {
		t.Errorf("the kernel of an unknown node is %v", v)
	}
	unknown := matrixOf(k.Bind(data.Slice[string]{"Anna", "Carl"}, data.Slice[string]{"Ben"}))
	if math.IsNaN(unknown.At(0, 0)) || !math.IsNaN(unknown.At(1, 0)) {
		t.Errorf("%v", unknown.RawMatrix().Data)
	}
}

// TestLanguage reads expressions and refuses wrong ones at their column.
func TestLanguage(t *testing.T) {
	net := network(t, 4, path(4), nil)
	d := dictionary(net)
	for _, text := range []string{
		`diffusion(graph="net", t=2)`, `diffusion(graph="net", t=2, laplacian=normalized)`, `regularised_laplacian(graph="net", t=0.5)`,
		`walk(graph="net", a=2, p=3)`, `exponential(graph="net", t=1)`, `commute(graph="net")`, `0.5*diffusion(graph="net", t=2) + commute(graph="net")`,
		`normalize(of=exponential(graph="net", t=1))`,
	} {
		k, err := expr.ParseKernel(text, d)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if k.String() != text {
			t.Errorf("%s prints itself as %s", text, k)
		}
		if kernel.Derive(k).Verdict != kernel.Definite {
			t.Errorf("%s is not derived: %+v", text, kernel.Derive(k))
		}
	}
	for text, want := range map[string]string{
		`diffusion(graph="other")`:              `there is no graph "other"`,
		`diffusion(t=1)`:                        "diffusion needs the argument graph",
		`diffusion(graph="net", laplacian=odd)`: "use plain or normalized",
		`walk(graph="net", p=1.5)`:              "whole number",
		`walk(graph="net", a=1)`:                "at least 2",
	} {
		if _, err := expr.ParseKernel(text, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
