package gradients

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
)

const (
	// stripRows is how many rows have their gradients computed at a time.
	stripRows = 64
	// Points whose squared distance is less than near, in widths, are subtracted one by one.
	near = 1e-6
	// factorBytes is about what the second factor of a product takes: outputs are divided so.
	factorBytes = 4 << 20
)

// StripBytes is about what gradients take beside the points: a strip of each worker.
func StripBytes(points, workers int) int64 {
	return int64(workers) * (2*8*stripRows*int64(points) + factorBytes)
}

// Of computes the gradients of a strip of rows x as products of matrices:
//
//  1. Take the values and the q of all pairs, and of them the w.
//  2. Multiply the matrix of the w with the rows (βᵢ꜀zᵢ, βᵢ꜀) of some outputs c.
//  3. Combine: ∇f_c(x) = ((Σᵢ wᵢβᵢ꜀)·x − Σᵢ wᵢβᵢ꜀zᵢ)/σ².
//
// The difference in step 3 would lose digits where x is near zᵢ: these pairs are left out of the
// product, and added afterwards. Coordinates are counted from the mean of the zᵢ, which loses the
// fewest.
func (k Radial) Of(f *model.Expansion[[]float64], rows data.Set[[]float64]) Gradient {
	return k.prepared(f, rows).gradients
}

// Weighted is [Radial.Of] with other weights for every row: w·M in the place of w.
func (k Radial) Weighted(of kernel.Kernel[[]float64], xs data.Set[[]float64], m kernel.Tile) Gradient {
	ones := mat.NewDense(xs.Len(), 1, nil)
	for i := range xs.Len() {
		ones.Set(i, 0, 1)
	}
	r := k.prepared(&model.Expansion[[]float64]{Kernel: of, Points: xs, Coef: ones}, xs)
	r.matrix = &m
	return r.gradients
}

func (k Radial) prepared(f *model.Expansion[[]float64], rows data.Set[[]float64]) *radial {
	d := len(f.Points.At(0))
	r := &radial{Radial: k, f: f, rows: rows, values: kernel.Bind(f.Kernel, rows, f.Points), squared: k.Squared(rows, f.Points), by: make([]float64, d), centre: make([]float64, d)}
	for j := range r.by {
		sigma := k.Sigmas[min(j, len(k.Sigmas)-1)]
		r.by[j] = 1 / (sigma * sigma)
	}
	for i := range f.Points.Len() {
		addScaled(r.centre, 1/float64(f.Points.Len()), f.Points.At(i))
	}
	r.outputs = max(1, min(f.Outputs(), factorBytes/(8*f.Points.Len()*(d+1))))
	r.strips.New = func() any { return new(strip) }
	return r
}

// radial computes gradients of one expansion.
type radial struct {
	Radial
	f               *model.Expansion[[]float64]
	rows            data.Set[[]float64]
	values, squared kernel.Pairs // of the rows with the points
	by              []float64    // 1/σⱼ²
	centre          []float64    // the mean of the points
	outputs         int          // of one product
	matrix          *kernel.Tile // that multiplies the w of the pairs; nil: nothing does
	strips          sync.Pool
}

// strip is the memory of one strip of rows.
type strip struct {
	weights, squared kernel.Tile
	near             []pair
	factor, product  []float64
}

// pair is a row, a point next to it, and their w.
type pair struct {
	row, point int
	weight     float64
}

func (r *radial) gradients(dst *mat.Dense, first int) {
	s := r.strips.Get().(*strip)
	defer r.strips.Put(s)
	count, _ := dst.Dims()
	r.weigh(s, first, count)
	for c := 0; c < r.f.Outputs(); c += r.outputs {
		r.multiply(s, dst, first, c, min(c+r.outputs, r.f.Outputs()))
	}
	d := len(r.by)
	for _, p := range s.near {
		x, z := r.rows.At(first+p.row), r.f.Points.At(p.point)
		for c, beta := range r.f.Coef.RawRowView(p.point) {
			g := dst.RawRowView(p.row)[c*d : (c+1)*d]
			for j := range g {
				g[j] += beta * p.weight * (x[j] - z[j]) * r.by[j]
			}
		}
	}
}

// weigh computes the w of a strip, and takes those of near points out.
func (r *radial) weigh(s *strip, first, n int) {
	m := r.f.Points.Len()
	if len(s.weights.Data) < n*m {
		s.weights, s.squared = kernel.NewTile(n, m), kernel.NewTile(n, m)
	}
	s.weights.Rows, s.squared.Rows = n, n
	r.values.Tile(s.weights, first, 0)
	r.squared.Tile(s.squared, first, 0)
	s.near = s.near[:0]
	for i := range n {
		w, q := s.weights.Row(i), s.squared.Row(i)
		r.Weights(w, q)
		if r.matrix != nil {
			floats.Mul(w, r.matrix.Row(first+i))
		}
		for j, v := range q {
			if v > near {
				continue
			}
			if v > 0 {
				s.near = append(s.near, pair{i, j, w[j]})
			}
			w[j] = 0
		}
	}
}

// multiply stores the gradients of the outputs from … to.
func (r *radial) multiply(s *strip, dst *mat.Dense, first, from, to int) {
	n, m, d := s.weights.Rows, r.f.Points.Len(), len(r.by)
	width := (to - from) * (d + 1)
	s.factor, s.product = sized(s.factor, m*width), sized(s.product, n*width)
	for i := range m {
		z, beta, row := r.f.Points.At(i), r.f.Coef.RawRowView(i)[from:to], s.factor[i*width:(i+1)*width]
		for c, b := range beta {
			at := row[c*(d+1) : (c+1)*(d+1)]
			for j, v := range z {
				at[j] = b * (v - r.centre[j])
			}
			at[d] = b
		}
	}
	weights := blas64.General{Rows: n, Cols: m, Stride: s.weights.Stride, Data: s.weights.Data}
	factor := blas64.General{Rows: m, Cols: width, Stride: width, Data: s.factor}
	product := blas64.General{Rows: n, Cols: width, Stride: width, Data: s.product}
	level3.Implementation{Workers: 1}.Gemm(blas.NoTrans, blas.NoTrans, 1, weights, factor, 0, product)
	for i := range n {
		x, out := r.rows.At(first+i), dst.RawRowView(i)[from*d:to*d]
		for c := range to - from {
			sums := s.product[i*width+c*(d+1):][:d+1]
			for j, v := range x {
				out[c*d+j] = (sums[d]*(v-r.centre[j]) - sums[j]) * r.by[j]
			}
		}
	}
}

// sized returns n numbers, of the memory of v where it is enough.
func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// addScaled is that of floats, which takes longer to call than few coordinates take.
func addScaled(dst []float64, c float64, v []float64) {
	dst = dst[:len(v)]
	for j, x := range v {
		dst[j] += c * x
	}
}
