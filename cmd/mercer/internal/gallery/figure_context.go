package gallery

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/task"
)

// Options say what to draw from. The zero value is ready.
type Options struct {
	Seed    uint64          // of everything that is generated
	Data    string          // folder with the public data sets; "" generates stand-ins
	Points  *Points         // the user's, for figures that take them
	Compute compute.Options // workers and memory limit
}

// figureContext is one figure while it is drawn.
type figureContext struct {
	Options
	name string
	note string // what the caption must add, such as that a data set is a stand-in
}

// random returns the generator of a figure: figures do not depend on one another.
func (s *figureContext) random() *random {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.name))
	return rand.New(rand.NewPCG(s.Seed, h.Sum64()))
}

// points returns the user's points, or the sample.
func (s *figureContext) points(sample sampleFunc) *Points {
	if s.Points != nil {
		return s.Points
	}
	return sample(s.random())
}

// gaussian returns the Gaussian kernel of a sample; on the user's points its width is the
// median of their distances.
func (s *figureContext) gaussian(ctx context.Context, p *Points, sigma float64) (vec.RBF, error) {
	if s.Points == nil {
		return vec.RBF{Sigma: sigma}, nil
	}
	k, err := median(ctx, p.X)
	if err != nil {
		return k, fmt.Errorf("%s: %w", p.Source, err)
	}
	return rounded(k.Sigma), nil
}

// lattice is a grid over the plane.
type lattice struct {
	xs, ys []float64
	points data.Vectors // row by row from below
	bounds *figure.Bounds
}

// linspace returns n numbers from a to b.
func linspace(a, b float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = a + (b-a)*float64(i)/float64(n-1)
	}
	return out
}

// over returns a grid over the given points with a margin, n columns wide.
func over(x data.Vectors, margin float64, n int) lattice {
	lo, hi := []float64{math.Inf(1), math.Inf(1)}, []float64{math.Inf(-1), math.Inf(-1)}
	for i := range x.Len() {
		for j, v := range x.At(i)[:2] {
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	return within(figure.Bounds{X0: lo[0] - margin*(hi[0]-lo[0]), X1: hi[0] + margin*(hi[0]-lo[0]),
		Y0: lo[1] - margin*(hi[1]-lo[1]), Y1: hi[1] + margin*(hi[1]-lo[1])}, n)
}

// within returns a grid of n×n points over a rectangle.
func within(b figure.Bounds, n int) lattice {
	g := lattice{xs: linspace(b.X0, b.X1, n), ys: linspace(b.Y0, b.Y1, n), points: data.MakeVectors(n*n, 2), bounds: &b}
	for j, y := range g.ys {
		for i, x := range g.xs {
			p := g.points.At(j*n + i)
			p[0], p[1] = x, y
		}
	}
	return g
}

// field arranges values at the points of the grid.
func (g lattice) field(value func(i int) float64) figure.Field {
	f := figure.Field{Xs: g.xs, Ys: g.ys}
	for j := range g.ys {
		row := make([]float64, len(g.xs))
		for i := range row {
			row[i] = value(j*len(g.xs) + i)
		}
		f.Z = append(f.Z, row)
	}
	return f
}

// output is field for a column of predicted values, with signs.
func (g lattice) output(values *mat.Dense, j int) figure.Field {
	f := g.field(func(i int) float64 { return values.At(i, j) })
	f.Signed = true
	return f
}

// evaluate returns a function of one variable at some numbers.
func (s *figureContext) evaluate(ctx context.Context, f model.Predictor[[]float64], at []float64) ([]float64, error) {
	values, err := f.Predict(ctx, numbers(at), s.Compute)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, values), nil
}

// numbers makes vectors of one coordinate.
func numbers(x []float64) data.Vectors {
	out := data.MakeVectors(len(x), 1)
	copy(out.Raw(), x)
	return out
}

// vectors copies rows of equal length.
func vectors(rows ...[]float64) data.Vectors {
	out := data.MakeVectors(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(out.At(i), row)
	}
	return out
}

// column returns a coordinate of all points.
func column(x data.Vectors, j int) []float64 {
	out := make([]float64, x.Len())
	for i := range out {
		out[i] = x.At(i)[j]
	}
	return out
}

// median returns the Gaussian kernel whose width is the median distance of points.
func median(ctx context.Context, x data.Vectors) (vec.RBF, error) {
	parsed, err := task.Parse("rbf(sigma=median)")
	if err != nil {
		return vec.RBF{}, err
	}
	k, err := task.VectorKernel(ctx, parsed, x, vec.Schema{})
	if err != nil {
		return vec.RBF{}, err
	}
	return k.(vec.RBF), nil
}

// rounded keeps three digits of the width: what a title says is what was used.
func rounded(sigma float64) vec.RBF {
	digits := math.Pow(10, 2-math.Floor(math.Log10(sigma)))
	return vec.RBF{Sigma: math.Round(sigma*digits) / digits}
}
