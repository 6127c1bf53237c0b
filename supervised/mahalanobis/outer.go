package mahalanobis

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/model"
)

// Slope adds c·∇ₓk(x, y), the gradient of a kernel in its first point, to dst.
type Slope func(dst []float64, c float64, x, y []float64)

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
	n, d := xs.Len(), len(f.Points.At(0))
	sums, totals := make([]*mat.SymDense, min(lanes, n)), make([]float64, min(lanes, n))
	err := parallel.Each(ctx, workers, len(sums), func(_, lane int) {
		sums[lane] = mat.NewSymDense(d, nil)
		at := newSteepness(f, slope)
		for i := lane * n / len(sums); i < (lane+1)*n/len(sums) && ctx.Err() == nil; i++ {
			w := model.Weight(weights, i)
			totals[lane] += w
			if w == 0 {
				continue
			}
			for _, g := range at.gradients(xs.At(i)) {
				addOuter(sums[lane], w, g)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	total := floats.Sum(totals)
	if !(total > 0) {
		return nil, fmt.Errorf("mahalanobis: the weights of the %d rows sum to %v: at least one must be positive", n, total)
	}
	out := mat.NewSymDense(d, nil)
	for _, s := range sums {
		out.AddSym(out, s)
	}
	out.ScaleSym(1/total, out)
	return out, nil
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

// steepness computes gradients of an expansion, in memory of its own.
type steepness struct {
	f     *model.Expansion[[]float64]
	slope Slope
	of    []float64   // that of the kernel
	all   [][]float64 // of the outputs
}

func newSteepness(f *model.Expansion[[]float64], slope Slope) *steepness {
	d := len(f.Points.At(0))
	s := &steepness{f: f, slope: slope, of: make([]float64, d), all: make([][]float64, f.Outputs())}
	for c := range s.all {
		s.all[c] = make([]float64, d)
	}
	return s
}

// gradients returns ∇f_c(x) of every output, valid until the next call.
func (s *steepness) gradients(x []float64) [][]float64 {
	for _, g := range s.all {
		clear(g)
	}
	for j := range s.f.Points.Len() {
		clear(s.of)
		s.slope(s.of, 1, x, s.f.Points.At(j))
		for c, beta := range s.f.Coef.RawRowView(j) {
			floats.AddScaled(s.all[c], beta, s.of)
		}
	}
	return s.all
}
