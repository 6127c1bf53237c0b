package mahalanobis

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// lanes is the number of sums that the rows are divided among, whatever the number of workers.
const lanes = 32

// Outer returns the average gradient outer product
//
//	(1/N) Σᵢ wᵢ Σ_c ∇f_c(xᵢ) ∇f_c(xᵢ)ᵀ,   ∇f_c(x) = Σⱼ βⱼ꜀ ∇ₓk(x, zⱼ)
//
// of a function over some points zⱼ at rows xᵢ, whose weights are wᵢ ≥ 0 (nil: all 1). For d
// coordinates, m points and p outputs it takes n·m gradients of the kernel, 2nmdp + npd²
// flops, and memory for 32 matrices of d×d. The bits do not depend on the number of workers.
// Errors are those of ctx, and of weights that are all 0.
func Outer(ctx context.Context, f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], weights []float64, workers int) (*mat.SymDense, error) {
	s, err := sumGradients(ctx, f, slope, xs, weights, workers)
	if err != nil {
		return nil, err
	}
	return s.outer, nil
}

// CentredOuter is [Outer] of the gradients less their mean ḡ_c = (1/N) Σᵢ wᵢ ∇f_c(xᵢ),
//
//	(1/N) Σᵢ wᵢ Σ_c (∇f_c(xᵢ) − ḡ_c)(∇f_c(xᵢ) − ḡ_c)ᵀ,
//
// as the difference of two sums, which are right to rounding of the larger one.
func CentredOuter(ctx context.Context, f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], weights []float64, workers int) (*mat.SymDense, error) {
	s, err := sumGradients(ctx, f, slope, xs, weights, workers)
	if err != nil {
		return nil, err
	}
	for _, mean := range s.means {
		addOuter(s.outer, -1, mean)
	}
	return s.outer, nil
}

// gradientSums are means of gradients over weighted rows.
type gradientSums struct {
	outer *mat.SymDense
	means [][]float64 // of each output
	total float64     // Σ wᵢ
}

func newGradientSums(f *model.Expansion[[]float64]) *gradientSums {
	d := len(f.Points.At(0))
	s := &gradientSums{outer: mat.NewSymDense(d, nil), means: make([][]float64, f.Outputs())}
	for c := range s.means {
		s.means[c] = make([]float64, d)
	}
	return s
}

// add adds the gradients at a row.
func (s *gradientSums) add(w float64, gradients [][]float64) {
	for c, g := range gradients {
		addOuter(s.outer, w, g)
		floats.AddScaled(s.means[c], w, g)
	}
}

// sumGradients adds up lanes of rows, and these in their order.
func sumGradients(ctx context.Context, f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], weights []float64, workers int) (*gradientSums, error) {
	n := xs.Len()
	sums := make([]*gradientSums, min(lanes, n))
	err := parallel.Each(ctx, workers, len(sums), func(_, lane int) {
		from, to := lane*n/len(sums), (lane+1)*n/len(sums)
		s, at := newGradientSums(f), newSteepness(f, slope, xs, from, to)
		sums[lane] = s
		for i := from; i < to && ctx.Err() == nil; i++ {
			if w := model.Weight(weights, i); w != 0 {
				s.total += w
				s.add(w, at.gradients(i))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := newGradientSums(f)
	for _, s := range sums {
		out.total += s.total
		out.outer.AddSym(out.outer, s.outer)
		for c, mean := range s.means {
			floats.Add(out.means[c], mean)
		}
	}
	if !(out.total > 0) {
		return nil, fmt.Errorf("mahalanobis: the weights of the %d rows sum to %v: at least one must be positive", n, out.total)
	}
	out.outer.ScaleSym(1/out.total, out.outer)
	for _, mean := range out.means {
		floats.Scale(1/out.total, mean)
	}
	return out, nil
}

// Gradients returns ∇f_c(xᵢ), a matrix of rows × coordinates for each output c. The bits do not
// depend on the number of workers. Errors are those of ctx.
func Gradients(ctx context.Context, f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], workers int) ([]*mat.Dense, error) {
	n, d := xs.Len(), len(f.Points.At(0))
	out := make([]*mat.Dense, f.Outputs())
	for c := range out {
		out[c] = mat.NewDense(n, d, nil)
	}
	blocks := min(lanes, n)
	err := parallel.Each(ctx, workers, blocks, func(_, block int) {
		from, to := block*n/blocks, (block+1)*n/blocks
		at := newSteepness(f, slope, xs, from, to)
		for i := from; i < to && ctx.Err() == nil; i++ {
			for c, g := range at.gradients(i) {
				out[c].SetRow(i, g)
			}
		}
	})
	return out, err
}

// addOuter adds w·ggᵀ to the upper triangle of m.
func addOuter(m *mat.SymDense, w float64, g []float64) {
	raw := m.RawSymmetric()
	for j, v := range g {
		if v != 0 {
			floats.AddScaled(raw.Data[j*raw.Stride+j:(j+1)*raw.Stride], w*v, g[j:])
		}
	}
}

// steepness computes gradients of an expansion at some rows, in memory of its own.
type steepness struct {
	f     *model.Expansion[[]float64]
	slope Slope
	xs    data.Set[[]float64]
	pairs kernel.Pairs // of the rows from first on, with the points
	first int
	tile  kernel.Tile // values of a strip of rows
	strip int         // its first row; −1: there is none
	all   [][]float64 // of the outputs
}

// stripRows is how many rows have their kernel values computed at a time.
const stripRows = 16

// newSteepness computes gradients at the rows from … to of xs.
func newSteepness(f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], from, to int) *steepness {
	rows := data.Subset(xs, data.Range(from, to))
	s := &steepness{f: f, slope: slope, xs: xs, first: from, strip: -1, all: make([][]float64, f.Outputs())}
	s.pairs, s.tile = kernel.Bind(f.Kernel, rows, f.Points), kernel.NewTile(min(stripRows, to-from), f.Points.Len())
	for c := range s.all {
		s.all[c] = make([]float64, len(f.Points.At(0)))
	}
	return s
}

// gradients returns ∇f_c(xᵢ) of every output, valid until the next call.
func (s *steepness) gradients(i int) [][]float64 {
	at := i - s.first
	if strip := at / stripRows * stripRows; strip != s.strip {
		n, _ := s.pairs.Dims()
		s.tile.Rows = min(stripRows, n-strip)
		s.pairs.Tile(s.tile, strip, 0)
		s.strip = strip
	}
	s.slope(s.all, s.xs.At(i), s.tile.Row(at-s.strip), s.f.Points, s.f.Coef)
	return s.all
}
