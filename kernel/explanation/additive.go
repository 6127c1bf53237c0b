package explanation

import (
	"context"
	"strconv"

	"example.org/mercer/data"
)

// Additive is g of a kernel on vectors that is the sum of itself over single coordinates.
type Additive struct {
	Term   string                       // the text of the kernel
	Of     func(x, y []float64) float64 // the kernel
	Points data.Set[[]float64]
	Coef   []float64
	Linear bool // the functions of coordinates are multiples of them
}

// Split returns gⱼ(xⱼ) for every coordinate. Their names are those of a selection of columns,
// or none.
func (g Additive) Split(ctx context.Context, x []float64) ([]Split, error) {
	s := Split{Term: g.Term, Rule: ByFeatures, Places: make([]Place, len(x))}
	for j, v := range x {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Places[j].Symbol = strconv.FormatFloat(v, 'g', -1, 64)
		sum := 0.0
		for i, c := range g.Coef {
			sum += c * g.Of(x[j:j+1], g.Points.At(i)[j:j+1])
		}
		s.Add("", sum, []int{j})
	}
	return []Split{s}, nil
}

// Weights returns wⱼ of the linear kernel, without names; the functions gⱼ of the others are no
// weights.
func (g Additive) Weights(ctx context.Context) ([]Weights, error) {
	w := Weights{Term: g.Term}
	if !g.Linear {
		w.Why = "each coordinate adds a function of its value, and not a multiple of it"
		return []Weights{w}, nil
	}
	for i, c := range g.Coef {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := g.Points.At(i)
		if w.Features == nil {
			w.Features = make([]Weight, len(x))
		}
		for j, v := range x {
			w.Features[j].Value += c * v
			if v != 0 {
				w.Features[j].Times++
			}
		}
	}
	return []Weights{w}, nil
}

// Named names the weights of coordinates.
type Named[T, S any] struct {
	Mapping[T, S]
	Names []string
}

// Weights are those of the mapping, with names.
func (g Named[T, S]) Weights(ctx context.Context) ([]Weights, error) {
	out, err := g.Mapping.Weights(ctx)
	for i := range out {
		out[i].Name(g.Names)
	}
	return out, err
}
