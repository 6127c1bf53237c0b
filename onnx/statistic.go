package onnx

import (
	"math"
	"slices"

	"example.org/mercer/kernel/tile"
)

// pairs are the rows and the points of a statistic, restricted to its columns, raised and
// multiplied by its matrix.
type pairs struct {
	g      *Graph
	of     tile.Statistic
	rows   Value
	points Points
	found  Value // the statistic, once it is there
}

// pairsOf prepares both sides of a statistic.
func (g *Graph) pairsOf(s tile.Statistic, rows Value, points Points) *pairs {
	if s.Columns != nil {
		rows = g.Columns(rows, s.Columns)
		points = points.mapped(len(s.Columns), func(out, x []float64) {
			for k, j := range s.Columns {
				out[k] = x[j]
			}
		})
	}
	if s.Power != 0 {
		rows = g.Apply("Pow", g.Apply("Abs", rows), g.Scalar(s.Power))
		points = points.mapped(points.Dim, func(out, x []float64) {
			for j, v := range x {
				out[j] = tile.AbsPower(v, s.Power)
			}
		})
	}
	if s.Matrix != nil {
		rows = g.Apply("MatMul", rows, g.Matrix(points.Dim, s.Rank, transposed(s.Matrix, s.Rank, points.Dim)))
		points = points.mapped(s.Rank, func(out, x []float64) {
			for i := range out {
				for j, v := range x {
					out[i] += s.Matrix[i*len(x)+j] * v
				}
			}
		})
	}
	return &pairs{g: g, of: s, rows: rows, points: points}
}

// Linear multiplies rows and points by a square matrix, row by row of it.
func (g *Graph) Linear(matrix []float64, rows Value, points Points) (Value, Points) {
	p := g.pairsOf(tile.Statistic{Matrix: matrix, Rank: points.Dim}, rows, points)
	return p.rows, p.points
}

// mapped returns the points with other coordinates.
func (p Points) mapped(dim int, f func(out, x []float64)) Points {
	out := Points{Count: p.Count, Dim: dim, Numbers: make([]float64, p.Count*dim)}
	for i := range p.Count {
		f(out.Numbers[i*dim:(i+1)*dim], p.at(i))
	}
	return out
}

func (p Points) at(i int) []float64 { return p.Numbers[i*p.Dim : (i+1)*p.Dim] }

// transposed returns a row-major matrix with rows and columns exchanged.
func transposed(a []float64, rows, columns int) []float64 {
	out := make([]float64, len(a))
	for i := range rows {
		for j := range columns {
			out[j*rows+i] = a[i*columns+j]
		}
	}
	return out
}

// value returns the matrix of the statistic.
func (p *pairs) value() (Value, error) {
	if p.found != "" {
		return p.found, nil
	}
	way, ok := statistics[p.of.Kind]
	if !ok {
		return "", &Unsupported{"the statistic " + p.of.Kind.String(), "no standard operators are written for it"}
	}
	p.found = way(p)
	return p.found, nil
}

// statistics are the ways to the statistics of pairs.
var statistics = map[tile.Kind]func(p *pairs) Value{
	tile.InnerProduct:    (*pairs).innerProduct,
	tile.SquaredDistance: (*pairs).squaredDistance,
	tile.Manhattan: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value { return p.weighted(g.Apply("Abs", g.Apply("Sub", x, y))) })
	},
	tile.PowerDistance: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value {
			return p.weighted(g.Apply("Pow", g.Apply("Abs", g.Apply("Sub", x, y)), g.Scalar(p.of.Exponent)))
		})
	},
	tile.SumOfMinima: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value { return g.Apply("Min", x, y) })
	},
	tile.MinOverMax: func(p *pairs) Value {
		least := p.summed(func(g *Graph, x, y Value) Value { return g.Apply("Min", x, y) })
		most := p.summed(func(g *Graph, x, y Value) Value { return g.Apply("Max", x, y) })
		return p.g.quotient(least, most, 1)
	},
	tile.SineSquared: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value {
			s := g.Apply("Sin", g.affine(math.Pi/p.of.Period, g.Apply("Sub", x, y), 0))
			return g.Apply("Mul", s, s)
		})
	},
	tile.ChiSquared: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value {
			d := g.Apply("Sub", x, y)
			return g.quotient(g.Apply("Mul", d, d), g.Apply("Add", x, y), 0)
		})
	},
	tile.HarmonicMeans: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value {
			return g.quotient(g.affine(2, g.Apply("Mul", x, y), 0), g.Apply("Add", x, y), 0)
		})
	},
	tile.Equality: func(p *pairs) Value {
		apart := p.summed(func(g *Graph, x, y Value) Value { return g.Cast(g.Apply("Not", g.Apply("Equal", x, y))) })
		return p.g.Cast(p.g.Apply("Equal", apart, p.g.Scalar(0)))
	},
	tile.SumOfCoordinates: func(p *pairs) Value {
		return p.summed(func(g *Graph, x, y Value) Value { return g.Apply("Add", x, y) })
	},
}

// innerProduct is XZᵀ.
func (p *pairs) innerProduct() Value {
	return p.g.Apply("MatMul", p.rows, p.g.Matrix(p.points.Dim, p.points.Count, transposed(p.points.Numbers, p.points.Count, p.points.Dim)))
}

// squaredDistance is ‖x‖² − 2⟨x, z⟩ + ‖z‖² of rows and points less the mean of the points, because
// digits are lost where both are far from 0; no less than 0.
func (p *pairs) squaredDistance() Value {
	g, dim := p.g, p.points.Dim
	rows, points := p.rows, p.points
	if w := p.of.Weights; w != nil {
		rows = g.Apply("Mul", rows, g.Row(w))
		points = points.mapped(dim, func(out, x []float64) {
			for j, v := range x {
				out[j] = w[j] * v
			}
		})
	}
	centre := make([]float64, dim)
	for i := range points.Count {
		for j, v := range points.at(i) {
			centre[j] += v / float64(points.Count)
		}
	}
	centre = g.rounded(centre)
	rows = g.Apply("Sub", rows, g.Row(centre))
	norms := make([]float64, points.Count)
	points = points.mapped(dim, func(out, x []float64) {
		for j, v := range x {
			out[j] = v - centre[j]
		}
	})
	for i := range norms {
		for _, v := range g.rounded(points.at(i)) {
			norms[i] += v * v
		}
	}
	twice := slices.Clone(points.Numbers)
	for i := range twice {
		twice[i] *= 2
	}
	own := g.sum(g.Apply("Mul", rows, rows), 1, true)
	cross := g.Apply("MatMul", rows, g.Matrix(dim, points.Count, transposed(twice, points.Count, dim)))
	return g.Apply("Max", g.Apply("Add", g.Apply("Sub", own, cross), g.Row(norms)), g.Scalar(0))
}

// summed is Σⱼ f(xⱼ, zⱼ): of rows × 1 × columns and 1 × points × columns. It takes as much memory
// as rows, points and columns together.
func (p *pairs) summed(f func(g *Graph, x, y Value) Value) Value {
	g := p.g
	x := g.Apply("Unsqueeze", p.rows, g.integers(1))
	y := g.constant(Tensor{Type: g.Number(), Dims: []int{1, p.points.Count, p.points.Dim}, Float: g.rounded(p.points.Numbers)})
	return g.sum(f(g, x, y), 2, false)
}

// weighted multiplies the coordinates by their weights.
func (p *pairs) weighted(terms Value) Value {
	if p.of.Weights == nil {
		return terms
	}
	return p.g.Apply("Mul", terms, p.g.Row(p.of.Weights))
}

// quotient is a/b, and something else at 0/0.
func (g *Graph) quotient(a, b Value, otherwise float64) Value {
	zero := g.Apply("Equal", b, g.Scalar(0))
	return g.Apply("Where", zero, g.Scalar(otherwise), g.Apply("Div", a, g.Apply("Where", zero, g.Scalar(1), b)))
}

// normed are the kernels of an inner product that need the norms of both sides.
func (p *pairs) normed(code tile.Code, t Value) Value {
	g := p.g
	squares := make([]float64, p.points.Count)
	for i := range squares {
		for _, v := range p.points.at(i) {
			squares[i] += v * v
		}
	}
	own, other := g.sum(g.Apply("Mul", p.rows, p.rows), 1, true), g.Row(squares)
	switch code {
	case tile.OpCosine:
		return g.quotient(t, g.Apply("Mul", g.Apply("Sqrt", own), g.Apply("Sqrt", other)), 0)
	case tile.OpTanimoto:
		return g.quotient(t, g.Apply("Sub", g.Apply("Add", own, other), t), 1)
	}
	return g.quotient(g.affine(2, t, 0), g.Apply("Add", own, other), 1)
}
