package gmm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// blockRows is the number of rows that are whitened at a time.
const blockRows = pass.BlockRows

// whitening maps rows to coordinates in which a component is a standard normal:
// y_j = L_j⁻¹(x − μ_j) with Σ_j = L_jL_jᵀ. Both steps of EM happen there.
type whitening struct {
	m    *Mixture
	k, d int
	// factors are the L_j of [Full], the one of [Tied]; inverses their L_j⁻ᵀ side by side,
	// d×kd or d×d, and offsets the L_j⁻¹(μ_j − centre), kd numbers.
	factors  []*mat.TriDense
	inverses []float64
	offsets  []float64
	centre   []float64        // Σ π_jμ_j, the origin of products: far means would cost digits
	roots    []float64        // of the variances
	logs     []float64        // ln π_j − ½ ln |2πΣ_j|
	maps     *simd.Whitenings // the same as inverses and offsets, of [Full]
	product  level3.Implementation
}

// buffer is what a worker computes in. Columns have space for stride rows.
type buffer struct {
	x     []float64 // d + 1 columns: rows around the centre, and ones
	q     []float64 // k columns
	row   []float64 // three columns
	y     []float64 // rows × kd; nil where it is not needed
	z     []float64 // rows × d
	some  []float64 // rows × d
	stack *stack    // nil where it is not needed
}

// stride is the space for a block in a column: some lines more, as columns that are a power
// of two apart would take one another's place in the cache.
const stride = blockRows + 16

func newBuffer(m *Mixture) *buffer {
	k, d := m.Means.Len(), m.Means.Dim()
	return &buffer{x: make([]float64, (d+1)*stride), q: make([]float64, k*stride), row: make([]float64, 3*stride),
		z: make([]float64, blockRows*d), some: make([]float64, blockRows*d)}
}

func newWhitening(m *Mixture) (*whitening, error) {
	w := &whitening{m: m, k: m.Means.Len(), d: m.Means.Dim(), product: level3.Implementation{Workers: 1}}
	w.logs = make([]float64, w.k)
	for j, p := range m.Weights {
		w.logs[j] = math.Log(p) - float64(w.d)/2*math.Log(2*math.Pi)
	}
	if !m.Shape.matrices() {
		w.roots = make([]float64, len(m.Variances.Raw()))
		for i, v := range m.Variances.Raw() {
			w.roots[i] = math.Sqrt(v)
		}
		for j := range w.k {
			for c := range w.d {
				w.logs[j] -= math.Log(w.root(j, c))
			}
		}
		return w, nil
	}
	return w, w.factor()
}

// root is the standard deviation of column c of component j.
func (w *whitening) root(j, c int) float64 {
	if w.m.Shape == Spherical {
		return w.roots[j]
	}
	return w.roots[j*w.d+c]
}

// factor decomposes the covariances.
func (w *whitening) factor() error {
	count := len(w.m.Covariances)
	w.inverses, w.offsets, w.centre = make([]float64, w.d*count*w.d), make([]float64, w.k*w.d), make([]float64, w.d)
	for j, p := range w.m.Weights {
		floats.AddScaled(w.centre, p, w.m.Means.At(j))
	}
	for t, c := range w.m.Covariances {
		var chol mat.Cholesky
		if !chol.Factorize(c) {
			return fmt.Errorf("gmm: the covariance of component %d is not positive definite", t)
		}
		l, inverse := new(mat.TriDense), new(mat.TriDense)
		chol.LTo(l)
		if err := inverse.InverseTri(l); err != nil {
			return fmt.Errorf("gmm: the covariance of component %d is singular: %w", t, err)
		}
		for a := range w.d {
			for b := a; b < w.d; b++ {
				w.inverses[a*count*w.d+t*w.d+b] = inverse.At(b, a)
			}
		}
		w.factors = append(w.factors, l)
	}
	for j := range w.k {
		t := min(j, count-1)
		for b := range w.d {
			for a := range b + 1 {
				w.offsets[j*w.d+b] += (w.m.Means.At(j)[a] - w.centre[a]) * w.inverses[a*count*w.d+t*w.d+b]
			}
			w.logs[j] -= math.Log(w.factors[t].At(b, b))
		}
	}
	if w.m.Shape == Full {
		w.maps = simd.NewWhitenings(w.k, w.d)
		row := make([]float64, w.d)
		for j := range w.k {
			for b := range w.d {
				for a := range b + 1 {
					row[a] = w.inverse(j, b, a)
				}
				w.maps.Set(j, b, row, w.offsets[j*w.d+b])
			}
		}
	}
	return nil
}

// inverse is element (b, a) of L_j⁻¹ of [Full].
func (w *whitening) inverse(j, b, a int) float64 { return w.inverses[a*w.k*w.d+j*w.d+b] }

// centred stores the rows [from, to) around the centre in the columns of buf.x, followed by
// ones. Rows that fill up the last panel are zeros.
func (w *whitening) centred(buf *buffer, x data.Vectors, from, to int) {
	rows := to - from
	for i := range rows {
		floats.SubTo(buf.some[i*w.d:(i+1)*w.d], x.At(from+i), w.centre)
	}
	simd.Transpose(buf.x, stride, buf.some, w.d, rows, w.d, 1)
	for c := range w.d + 1 {
		column := buf.x[c*stride : (c+1)*stride]
		clear(column[rows:])
		if c == w.d {
			for i := range rows {
				column[i] = 1
			}
		}
	}
}

// apply stores y_j of the rows [from, to) in the columns of component j of buf.y.
func (w *whitening) apply(buf *buffer, x data.Vectors, from, to int) {
	rows, wide := to-from, w.k*w.d
	if buf.y == nil {
		buf.y = make([]float64, blockRows*wide)
	}
	switch w.m.Shape {
	case Full, Tied:
		out, count := buf.y, len(w.factors)
		if w.m.Shape == Tied {
			out = buf.z
		}
		for i := range rows {
			floats.SubTo(buf.some[i*w.d:(i+1)*w.d], x.At(from+i), w.centre)
		}
		w.product.Gemm(blas.NoTrans, blas.NoTrans, 1, blas64.General{Rows: rows, Cols: w.d, Stride: w.d, Data: buf.some},
			blas64.General{Rows: w.d, Cols: count * w.d, Stride: count * w.d, Data: w.inverses}, 0,
			blas64.General{Rows: rows, Cols: count * w.d, Stride: count * w.d, Data: out})
		for i := range rows {
			y := buf.y[i*wide : (i+1)*wide]
			if w.m.Shape == Tied {
				for j := range w.k {
					copy(y[j*w.d:], buf.z[i*w.d:(i+1)*w.d])
				}
			}
			floats.Sub(y, w.offsets)
		}
	default:
		for i := range rows {
			for j := range w.k {
				y := buf.y[i*wide+j*w.d : i*wide+(j+1)*w.d]
				floats.SubTo(y, x.At(from+i), w.m.Means.At(j))
				if w.m.Shape == Spherical {
					floats.Scale(1/w.roots[j], y)
				} else {
					floats.Div(y, w.roots[j*w.d:(j+1)*w.d])
				}
			}
		}
	}
}

// colour stores L_j·y in dst, the inverse of whitening without the mean.
func (w *whitening) colour(dst, y []float64, j int) {
	if !w.m.Shape.matrices() {
		for c := range dst {
			dst[c] = w.root(j, c) * y[c]
		}
		return
	}
	mat.NewVecDense(w.d, dst).MulVec(w.factors[min(j, len(w.factors)-1)], mat.NewVecDense(w.d, y))
}
