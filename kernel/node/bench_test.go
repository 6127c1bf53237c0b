package node_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/node"
)

// BenchmarkProduct measures K·x on generated graphs with 2 edges a node, to the default tolerance:
//
//	go test ./kernel/node -run '^$' -bench Product -benchtime 1x
func BenchmarkProduct(b *testing.B) {
	for _, n := range []int{1e5, 1e6} {
		size, edges, _ := random(b, n, 1)
		net := network(b, size, edges, nil)
		x := mat.NewDense(size, 1, nil)
		rnd := testkit.Rand(b, 2)
		for i := range size {
			x.Set(i, 0, rnd.NormFloat64())
		}
		for _, f := range []node.Filter{node.Diffusion{T: 1}, node.RegularisedLaplacian{T: 1}, node.Walk{A: 2, P: 8}} {
			op, err := kernelOf(b, net, f).Operator(node.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%T/%d", f, n), func(b *testing.B) {
				for b.Loop() {
					if err := op.Mul(b.Context(), new(mat.Dense), x); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(op.Products()), "products")
			})
		}
	}
}
