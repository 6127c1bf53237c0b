package graph_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"example.org/mercer/data/graph"
)

// TestLayout places a path in a line, a square as a square, nodes with the same neighbours and
// two components apart, and one node.
func TestLayout(t *testing.T) {
	place := func(nodes int, edges ...graph.Edge) (func(i, j int) float64, []float64) {
		ids := make([]string, nodes)
		for i := range ids {
			ids[i] = string(rune('a' + i))
		}
		g, err := graph.New("net", false, ids, edges, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, y, err := g.Layout(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		again, _, _ := g.Layout(t.Context())
		if !slices.Equal(x, again) {
			t.Error("the same graph has two pictures")
		}
		return func(i, j int) float64 { return math.Hypot(x[i]-x[j], y[i]-y[j]) }, x
	}
	near := func(what string, got, want, tolerance float64) {
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	// A path has a layout without stress, to which the moves of at most 1e-4 lead.
	line, _ := place(4, graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2}, graph.Edge{From: 2, To: 3})
	for i := range 4 {
		for j := range 4 {
			near("path", line(i, j), math.Abs(float64(i-j)), 0.02)
		}
	}
	// Of a square with side s the stress is 4(s−1)² + 2(√2s−2)²/4, least at s = (4 + √2)/5.
	square, _ := place(4, graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2}, graph.Edge{From: 2, To: 3}, graph.Edge{From: 3, To: 0})
	for i := range 4 {
		near("square", square(i, (i+1)%4), (4+math.Sqrt2)/5, 0.01)
	}
	star, _ := place(5, graph.Edge{From: 0, To: 1}, graph.Edge{From: 0, To: 2}, graph.Edge{From: 0, To: 3}, graph.Edge{From: 0, To: 4})
	for i := 1; i < 5; i++ {
		for j := range i {
			if star(i, j) < 0.5 {
				t.Errorf("nodes %d and %d of a star are at one place", i, j)
			}
		}
	}
	if apart, _ := place(4, graph.Edge{From: 0, To: 1}, graph.Edge{From: 2, To: 3}); apart(0, 2) < 1 {
		t.Error("two components lie over one another")
	}
	if _, x := place(1); math.IsNaN(x[0]) {
		t.Error("a single node has no place")
	}
}

// TestLayoutEnds with the context, and with too many nodes.
func TestLayoutEnds(t *testing.T) {
	g, err := graph.New("net", false, nil, []graph.Edge{{From: 0, To: graph.LayoutLimit}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.Layout(t.Context()); err == nil {
		t.Error("too many nodes are placed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	small, err := graph.New("net", false, nil, []graph.Edge{{From: 0, To: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := small.Layout(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
