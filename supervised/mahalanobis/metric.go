package mahalanobis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Shape says which metrics are considered.
type Shape string

const (
	// Diagonal metrics have one relevance for each coordinate.
	Diagonal Shape = "diagonal"
	// Full metrics are any M ⪰ 0: they also turn the coordinates.
	Full Shape = "full"
	// Identity keeps the distance as it is, and learns nothing.
	Identity Shape = "identity"
)

// Shapes are those that are learned.
var Shapes = []Shape{Diagonal, Full}

// Metric is the distance ‖Lx − Ly‖ of a diagonal or symmetric L.
type Metric struct {
	Shape Shape
	root  *mat.SymDense // L, the symmetric root of M: unique, while L is so up to a rotation only
}

// identity is the metric of the coordinates as they are.
func identity(shape Shape, d int) *Metric {
	m := &Metric{Shape: shape, root: mat.NewSymDense(d, nil)}
	for j := range d {
		m.root.SetSym(j, j, 1)
	}
	return m
}

// rootOf returns the metric of Mˢ, L = M^(s/2), for a power s: of the diagonal of M where the
// shape wants that. Eigenvalues that rounding made negative are taken as 0.
func rootOf(shape Shape, m *mat.SymDense, power float64) (*Metric, error) {
	d := m.SymmetricDim()
	out := &Metric{Shape: shape, root: mat.NewSymDense(d, nil)}
	if shape == Diagonal {
		for j := range d {
			out.root.SetSym(j, j, math.Pow(math.Max(0, m.At(j, j)), power/2))
		}
		return out, nil
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(m, true) {
		return nil, fmt.Errorf("mahalanobis: the eigenvalues of the gradient outer product of %d coordinates could not be computed", d)
	}
	var u mat.Dense
	eigen.VectorsTo(&u)
	for i, lambda := range eigen.Values(nil) {
		if lambda > 0 {
			out.root.SymRankOne(out.root, math.Pow(lambda, power/2), u.ColView(i))
		}
	}
	return out, nil
}

// scaledTo returns the metric times a constant, so that the covariance C of rows has
// the trace tr C after the map: tr LCLᵀ = tr C.
func (m *Metric) scaledTo(c *mat.SymDense) error {
	var lc, lcl mat.Dense
	lc.Mul(m.root, c)
	lcl.Mul(&lc, m.root)
	after := mat.Trace(&lcl)
	if !(after > 0) || math.IsInf(after, 1) {
		return fmt.Errorf("mahalanobis: the variance of the rows under the metric is %v: the function that was learned is constant on the rows, so that its gradients say nothing", after)
	}
	m.root.ScaleSym(math.Sqrt(mat.Trace(c)/after), m.root)
	return nil
}

// Scales returns the diagonal of L, for a metric that is diagonal.
func (m *Metric) Scales() []float64 {
	out := make([]float64, m.root.SymmetricDim())
	for j := range out {
		out[j] = m.root.At(j, j)
	}
	return out
}

// Matrix returns L, row after row.
func (m *Metric) Matrix() []float64 {
	d := m.root.SymmetricDim()
	out := make([]float64, 0, d*d)
	for i := range d {
		for j := range d {
			out = append(out, m.root.At(i, j))
		}
	}
	return out
}

// Relevance returns how much of M = LᵀL each coordinate has on the diagonal, with the sum 1.
func (m *Metric) Relevance() []float64 {
	d := m.root.SymmetricDim()
	out, sum := make([]float64, d), 0.0
	for j := range d {
		for i := range d {
			out[j] += m.root.At(i, j) * m.root.At(i, j)
		}
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

// M returns M = LᵀL.
func (m *Metric) M() *mat.SymDense {
	var out mat.SymDense
	out.SymOuterK(1, m.root)
	return &out
}

// Images returns the points Lx.
func (m *Metric) Images(xs data.Set[[]float64]) data.Vectors {
	if m.Shape == Full {
		return data.LinearImages(m.Matrix(), xs)
	}
	scales := m.Scales()
	out := data.MakeVectors(xs.Len(), len(scales))
	for i := range xs.Len() {
		floats.MulTo(out.At(i), scales, xs.At(i))
	}
	return out
}

// pulled returns LᵀAL, the outer product of gradients in x where A is that in Lx.
func (m *Metric) pulled(a *mat.SymDense) *mat.SymDense {
	var la, lal mat.Dense
	la.Mul(m.root, a)
	lal.Mul(&la, m.root)
	return linalg.Symmetrise(&lal)
}

// Covariance returns (1/N) Σ wᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ; weights may be nil.
func Covariance(xs data.Set[[]float64], weights []float64) *mat.SymDense {
	n, d := xs.Len(), len(xs.At(0))
	mean, total := make([]float64, d), 0.0
	for i := range n {
		w := model.Weight(weights, i)
		total += w
		for j, v := range xs.At(i) {
			mean[j] += w * v
		}
	}
	for j := range mean {
		mean[j] /= total
	}
	c, from := mat.NewSymDense(d, nil), make([]float64, d)
	for i := range n {
		for j, v := range xs.At(i) {
			from[j] = v - mean[j]
		}
		c.SymRankOne(c, model.Weight(weights, i)/total, mat.NewVecDense(d, from))
	}
	return c
}

// Leading returns the first unit eigenvector of M ⪰ 0, its largest coordinate positive; ok is false
// where M is 0 or not finite. It takes O(d³).
func Leading(m *mat.SymDense) (v []float64, ok bool) {
	if trace := mat.Trace(m); !(trace > 0) || math.IsInf(trace, 1) {
		return nil, false
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(m, true) {
		return nil, false
	}
	var u mat.Dense
	eigen.VectorsTo(&u)
	v = mat.Col(nil, m.SymmetricDim()-1, &u)
	largest := 0
	for j := range v {
		if math.Abs(v[j]) > math.Abs(v[largest]) {
			largest = j
		}
	}
	if v[largest] < 0 {
		floats.Scale(-1, v)
	}
	return v, true
}

// Restored is the metric of a root L as [Metric.Scales] or [Metric.Matrix] gave it, by its shape.
func Restored(shape Shape, d int, root []float64) *Metric {
	m := &Metric{Shape: shape, root: mat.NewSymDense(d, nil)}
	for i := range d {
		if shape == Diagonal {
			m.root.SetSym(i, i, root[i])
			continue
		}
		for j := i; j < d; j++ {
			m.root.SetSym(i, j, root[i*d+j])
		}
	}
	return m
}
