package vec

import (
	"context"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/explanation"
)

// Functions of the kernels that are sums over coordinates, k(x, y) = Σⱼ κ(xⱼ, yⱼ), are sums of
// functions of one coordinate: gⱼ(xⱼ) = Σᵢ cᵢ κ(xⱼ, xᵢⱼ), a bin of a histogram each.

// Explain returns g as a sum over coordinates, with the weights wⱼ = Σᵢ cᵢ xᵢⱼ.
func (k Linear) Explain(ctx context.Context, points data.Set[[]float64], coef []float64) (explanation.Function[[]float64], error) {
	return explanation.Additive{Term: k.String(), Of: k.Eval, Points: points, Coef: coef, Linear: true}, ctx.Err()
}

// Explain returns g as a sum over coordinates.
func (k GIntersection) Explain(ctx context.Context, points data.Set[[]float64], coef []float64) (explanation.Function[[]float64], error) {
	return explanation.Additive{Term: k.String(), Of: k.Eval, Points: points, Coef: coef}, ctx.Err()
}

// Explain returns g as a sum over coordinates for the kernels that are one: [Min],
// [Chi2Add], [JSAdd] and [Hellinger].
func (k Number) Explain(ctx context.Context, points data.Set[[]float64], coef []float64) (explanation.Function[[]float64], error) {
	if !k.of.additive {
		return nil, explanation.NoFeatures(k)
	}
	return explanation.Additive{Term: k.String(), Of: k.Eval, Points: points, Coef: coef}, ctx.Err()
}

// Explain returns the explanation of the kernel on the chosen coordinates, by their names.
func (k Columns) Explain(ctx context.Context, points data.Set[[]float64], coef []float64) (explanation.Function[[]float64], error) {
	of, ok := k.Of.(kernel.Explainable[[]float64])
	if !ok {
		return nil, explanation.NoFeatures(k)
	}
	g, err := of.Explain(ctx, k.projected(points), coef)
	if err != nil {
		return nil, err
	}
	suffix := strings.TrimPrefix(k.String(), kernel.Operand(k.Of))
	return explanation.Named[[]float64, []float64]{Mapping: explanation.Mapping[[]float64, []float64]{Of: g, By: k.project, Edit: func(s *explanation.Split) {
		s.Term += suffix
		s.Name(k.names())
	}}, Names: k.names()}, nil
}
