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
	return additive{k: k, points: points, coef: coef, linear: true}, ctx.Err()
}

// Explain returns g as a sum over coordinates.
func (k GIntersection) Explain(ctx context.Context, points data.Set[[]float64], coef []float64) (explanation.Function[[]float64], error) {
	return additive{k: k, points: points, coef: coef}, ctx.Err()
}

// Explain returns g as a sum over coordinates for the kernels that are one: [Min],
// [Chi2Add], [JSAdd] and [Hellinger].
func (k Number) Explain(ctx context.Context, points data.Set[[]float64], coef []float64) (explanation.Function[[]float64], error) {
	if !k.of.additive {
		return nil, explanation.NoFeatures(k)
	}
	return additive{k: k, points: points, coef: coef}, ctx.Err()
}

// additive is g of a kernel that is the sum of itself over single coordinates.
type additive struct {
	k      Kernel
	points data.Set[[]float64]
	coef   []float64
	linear bool
}

// Split returns gⱼ(xⱼ) for every coordinate. Their names are those of a selection of columns,
// or none.
func (g additive) Split(ctx context.Context, x []float64) ([]explanation.Split, error) {
	s := explanation.Split{Term: g.k.String(), Rule: explanation.ByFeatures, Places: make([]explanation.Place, len(x))}
	for j, v := range x {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Places[j].Symbol = number(v)
		sum := 0.0
		for i, c := range g.coef {
			sum += c * g.k.Eval(x[j:j+1], g.points.At(i)[j:j+1])
		}
		s.Add("", sum, []int{j})
	}
	return []explanation.Split{s}, nil
}

// Weights returns wⱼ of the linear kernel, without names; the functions gⱼ of the others are no
// weights.
func (g additive) Weights(ctx context.Context) ([]explanation.Weights, error) {
	w := explanation.Weights{Term: g.k.String()}
	if !g.linear {
		w.Why = "each coordinate adds a function of its value, and not a multiple of it"
		return []explanation.Weights{w}, nil
	}
	for i, c := range g.coef {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := g.points.At(i)
		if w.Features == nil {
			w.Features = make([]explanation.Weight, len(x))
		}
		for j, v := range x {
			w.Features[j].Value += c * v
			if v != 0 {
				w.Features[j].Times++
			}
		}
	}
	return []explanation.Weights{w}, nil
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
	return chosen{explanation.Mapping[[]float64, []float64]{Of: g, By: k.project, Edit: func(s *explanation.Split) {
		s.Term += suffix
		s.Name(k.names())
	}}, k.names()}, nil
}

// chosen names the weights of coordinates.
type chosen struct {
	explanation.Mapping[[]float64, []float64]
	names []string
}

func (g chosen) Weights(ctx context.Context) ([]explanation.Weights, error) {
	out, err := g.Mapping.Weights(ctx)
	for i := range out {
		out[i].Name(g.names)
	}
	return out, err
}
