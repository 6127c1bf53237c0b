package graph_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	kgraph "example.org/mercer/kernel/graph"
)

// adjacency is the matrix A× of a product.
func adjacency(p *kgraph.Product) *mat.Dense {
	n := len(p.Pairs)
	a := mat.NewDense(n, n, nil)
	for i, next := range p.Next {
		for _, j := range next {
			a.Set(i, j, a.At(i, j)+1)
		}
	}
	return a
}

// TestRandomWalkByMatrices compares both series, by definition and bound, with the inverse
// and with the exponential of the matrix.
func TestRandomWalkByMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for trial := range 60 {
		g, h := molecule(t, r, trial%2 == 0), molecule(t, r, trial%2 == 0)
		for _, attribute := range []string{"", "atom"} {
			p, err := kgraph.NewProduct(g, h, attribute)
			if err != nil {
				t.Fatal(err)
			}
			n := len(p.Pairs)
			if n == 0 {
				continue
			}
			for _, exponential := range []bool{false, true} {
				k := kgraph.RandomWalk{Lambda: 0.02, Exponential: exponential, Attribute: attribute}
				var m mat.Dense
				a := adjacency(p)
				a.Scale(k.Lambda, a)
				if exponential {
					m.Exp(a)
				} else {
					eye := mat.NewDense(n, n, nil)
					for i := range n {
						eye.Set(i, i, 1)
					}
					eye.Sub(eye, a)
					if err := m.Inverse(eye); err != nil {
						t.Fatal(err)
					}
				}
				want, tile := mat.Sum(&m), kernel.NewTile(1, 1)
				kernel.Bind(k, data.Slice[*graph.Graph]{g}, data.Slice[*graph.Graph]{h}).Tile(tile, 0, 0)
				for _, got := range []float64{k.Eval(g, h), tile.Data[0]} {
					if math.Abs(got-want) > 1e-12*want {
						t.Fatalf("trial %d: %s is %.17g, by matrices %.17g", trial, k, got, want)
					}
				}
			}
		}
	}
}

// TestBound refuses λ at 1/ρ and accepts it just below: a star of three edges has
// ρ(A) = √3, its product with itself 3; with labels that tell the centre from the ends, the
// walks of the product are pairs of walks that are at the centre at the same time, and ρ is 3
// again.
func TestBound(t *testing.T) {
	star := labelled(t, false, "COOO", graph.Edge{From: 0, To: 1}, graph.Edge{From: 0, To: 2}, graph.Edge{From: 0, To: 3})
	for _, attribute := range []string{"", "atom"} {
		for _, c := range []struct {
			lambda float64
			ok     bool
		}{{1. / 3, false}, {0.34, false}, {0.333, true}} {
			k := kgraph.RandomWalk{Lambda: c.lambda, Attribute: attribute}
			err := k.Contains(star)
			if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "lambda < 1/ρ = 0.333333") {
				t.Errorf("λ = %v: %v", c.lambda, err)
			}
			tile := kernel.NewTile(1, 1)
			kernel.Bind(k, data.Slice[*graph.Graph]{star}, data.Slice[*graph.Graph]{star}).Tile(tile, 0, 0)
			for _, v := range []float64{k.Eval(star, star), tile.Data[0]} {
				if math.IsInf(v, 1) == c.ok {
					t.Errorf("λ = %v: %v", c.lambda, v)
				}
			}
			if k.Exponential = true; k.Contains(star) != nil {
				t.Errorf("λ = %v: the exponential series always has a sum", c.lambda)
			}
		}
	}
}
