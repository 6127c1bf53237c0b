package deep

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg/level3"
)

// passRows is the number of rows that go through the network together.
const passRows = 256

// pass is what a block of rows leaves in the layers.
type pass struct {
	n      Network
	layers []layer
	inputs []blas64.General // of each layer
	slopes []blas64.General // of the units of each layer but the last
	images blas64.General
}

// forward sends a block of rows through the network, as products of matrices.
func (n Network) forward(xs data.Vectors) *pass {
	p := &pass{n: n, layers: n.layers()}
	at := general(xs.Len(), n.Inputs, xs.Raw())
	for i, l := range p.layers {
		out := general(at.Rows, l.width, nil)
		for r := range out.Rows {
			copy(out.Data[r*l.width:], l.constants(n.Weights))
		}
		level3.Implementation{Workers: 1}.Gemm(blas.NoTrans, blas.Trans, 1, at, general(l.width, l.inputs, l.matrix(n.Weights)), 1, out)
		p.inputs = append(p.inputs, at)
		if i < len(p.layers)-1 {
			slopes := general(out.Rows, l.width, nil)
			n.Activation.units(out.Data, slopes.Data)
			p.slopes = append(p.slopes, slopes)
		}
		at = out
	}
	p.images = at
	return p
}

// general is a matrix over its rows; nil data are made.
func general(rows, cols int, data []float64) blas64.General {
	if data == nil {
		data = make([]float64, rows*cols)
	}
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// backward adds what derivatives in the images make in the weights to sum, and returns those in the
// points:
//
//	∂/∂W_l = Gᵀ(inputs),  ∂/∂b_l = Gᵀ1,  G ← (G·W_l)∘a′
//
// from the last layer to the first, with a row of G for each point.
func (p *pass) backward(sum []float64, g blas64.General) blas64.General {
	product := level3.Implementation{Workers: 1}
	for i := len(p.layers) - 1; i >= 0; i-- {
		l := p.layers[i]
		product.Gemm(blas.Trans, blas.NoTrans, 1, g, p.inputs[i], 1, general(l.width, l.inputs, l.matrix(sum)))
		constants := l.constants(sum)
		for r := range g.Rows {
			floats.Add(constants, g.Data[r*g.Stride:r*g.Stride+l.width])
		}
		before := general(g.Rows, l.inputs, nil)
		product.Gemm(blas.NoTrans, blas.NoTrans, 1, g, general(l.width, l.inputs, l.matrix(p.n.Weights)), 0, before)
		if i > 0 {
			floats.Mul(before.Data, p.slopes[i-1].Data)
		}
		g = before
	}
	return g
}

// FastImages returns the φ(x) of points as products of matrices, whose last bits may differ from
// those of [Network.Images].
func (n Network) FastImages(ctx context.Context, xs data.Vectors, workers int) (data.Vectors, error) {
	out := data.MakeVectors(xs.Len(), n.Widths[len(n.Widths)-1])
	blocks := (xs.Len() + passRows - 1) / passRows
	err := parallel.Each(ctx, parallel.Workers(workers), blocks, func(_, b int) {
		from, to := b*passRows, min((b+1)*passRows, xs.Len())
		copy(out.Raw()[from*out.Dim():], n.forward(run(xs, from, to)).images.Data)
	})
	return out, err
}

// Pull returns the derivatives of a function of the images z = φ(x) in the weights and in the
// points, Σᵢ (∂zᵢ/∂weights)ᵀgᵢ and (∂zᵢ/∂xᵢ)ᵀgᵢ, of its derivatives gᵢ in the images: the reverse
// pass. For n points it takes about six times as many flops as the network has weights, n times.
// The bits do not depend on the number of workers. Errors are those of ctx.
func (n Network) Pull(ctx context.Context, xs, slopes data.Vectors, workers int) (weights []float64, points data.Vectors, err error) {
	points = data.MakeVectors(xs.Len(), n.Inputs)
	weights, err = parallel.SumBlocks(ctx, workers, xs.Len(), passRows, len(n.Weights), func(sum []float64, from, to int) {
		g := run(slopes, from, to)
		back := n.forward(run(xs, from, to)).backward(sum, general(g.Len(), g.Dim(), g.Raw()))
		copy(points.Raw()[from*n.Inputs:], back.Data)
	})
	return weights, points, err
}

// Back returns (∂φ/∂x)ᵀg at one point.
func (n Network) Back(x, g []float64) []float64 {
	point, err := data.NewVectors(1, len(x), x)
	if err != nil {
		panic(err) // one point is as long as itself
	}
	return n.forward(point).backward(make([]float64, len(n.Weights)), general(1, len(g), slices.Clone(g))).Data
}

// run returns points from … to.
func run(xs data.Vectors, from, to int) data.Vectors {
	out, err := data.NewVectors(to-from, xs.Dim(), xs.Raw()[from*xs.Dim():to*xs.Dim()])
	if err != nil {
		panic(err) // the numbers are those of to − from points
	}
	return out
}
