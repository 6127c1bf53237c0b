package onnx

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/deep"
)

// activations are those of the units of a network.
var activations = map[deep.Activation]func(g *Graph, sums Value) Value{
	deep.Tanh: func(g *Graph, sums Value) Value { return g.Apply("Tanh", sums) },
	deep.ReLU: func(g *Graph, sums Value) Value { return g.Apply("Max", sums, g.Scalar(0)) },
	deep.SiLU: func(g *Graph, sums Value) Value { // s/(1 + e^−s)
		return g.Apply("Div", sums, g.Apply("Add", g.Apply("Exp", g.affine(-1, sums, 0)), g.Scalar(1)))
	},
}

// Network replaces rows and points by their images: those of the points are computed here, those of
// the rows by a product of matrices and an activation for each layer but the last, which has none.
func (g *Graph) Network(n deep.Network, rows Value, points Points) (Value, Points, error) {
	activate, ok := activations[n.Activation]
	if !ok {
		return "", points, &Unsupported{fmt.Sprintf("the activation %q", n.Activation), "no standard operators are written for it"}
	}
	xs, err := data.NewVectors(points.Count, points.Dim, points.Numbers)
	if err != nil {
		return "", points, err
	}
	images := n.Images(xs)
	weights, inputs := n.Weights, n.Inputs
	for i, width := range n.Widths {
		matrix, constants := weights[:width*inputs], weights[width*inputs:width*inputs+width]
		rows = g.Apply("Add", g.Apply("MatMul", rows, g.Matrix(inputs, width, transposed(matrix, width, inputs))), g.Row(constants))
		if i+1 < len(n.Widths) {
			rows = activate(g, rows)
		}
		weights, inputs = weights[width*inputs+width:], width
	}
	return rows, Points{Count: points.Count, Dim: images.Dim(), Numbers: images.Raw()}, nil
}
