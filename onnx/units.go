package onnx

import (
	"example.org/mercer/data/prep"
	"example.org/mercer/data/prep/transform"
	"example.org/mercer/outcome"
)

// inverses take values of functions of a target back, by the names of these.
var inverses = map[string]func(g *Graph, m *transform.Map, z Value) Value{
	"log":         func(g *Graph, _ *transform.Map, z Value) Value { return g.Apply("Exp", z) },
	"yeo-johnson": (*Graph).yeoJohnson,
}

// inUnits takes the values of targets that are learned by functions of them back, within the bounds
// of these.
func (g *Graph) inUnits(values Value, d outcome.Decision, targets []prep.Target) (Value, error) {
	if !prep.IsTransformed(targets) {
		return values, nil
	}
	var parts []Value
	for j := range d.Outputs {
		m := targets[min(j, len(targets)-1)].Transform // one for each target, or quantiles of one
		column := g.Columns(values, []int{j})
		if m != nil {
			inverse, ok := inverses[m.Name]
			if !ok {
				return "", &Unsupported{m.Named("the target"), "it has many knots: fit with --target-transform log, yeo-johnson or none"}
			}
			column = g.Apply("Min", g.Apply("Max", inverse(g, m, column), g.Scalar(m.Low)), g.Scalar(m.High))
		}
		parts = append(parts, column)
	}
	return g.Side(parts...), nil
}

// yeoJohnson is the inverse of the power λ of 1 + y for y ≥ 0, and of its mirror image with 2 − λ
// below.
func (g *Graph) yeoJohnson(m *transform.Map, z Value) Value {
	lambda, mean, deviation := m.Parameters[0], m.Parameters[1], m.Parameters[2]
	psi := g.affine(deviation, z, mean)
	above := g.affine(1, g.power(lambda, psi), -1)
	below := g.affine(-1, g.power(2-lambda, g.affine(-1, psi, 0)), 1)
	return g.Apply("Where", g.Apply("Greater", g.Scalar(0), psi), below, above)
}

// power is (1 + λψ)^(1/λ), e^ψ for λ = 0, where that is no power of a number below 0.
func (g *Graph) power(lambda float64, psi Value) Value {
	if lambda == 0 {
		return g.Apply("Exp", psi)
	}
	return g.Apply("Pow", g.Apply("Max", g.affine(lambda, psi, 1), g.Scalar(0)), g.Scalar(1/lambda))
}
