package newton

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/compensated"
)

// Loss is a loss of one target y and one value f; see package loss.
type Loss interface {
	Value(y, f float64) float64
	Gradient(y, f float64) float64  // ∂/∂f
	Curvature(y, f float64) float64 // ∂²/∂f², one of its values where it jumps
}

// Majorant is a loss with weights for [Majorizer].
type Majorant interface {
	Majorize(y, f float64) float64
}

// Rows is the model Σ wᵢ ℓ(yᵢ, ηᵢ + oᵢ) of one output. Rows of weight zero are not
// looked at.
type Rows struct {
	Loss    Loss
	Y       []float64
	Weights []float64 // nil: ones
	Offsets []float64 // oᵢ; nil: zeros
	Workers int       // goroutines; 0: one for each core
}

func (r *Rows) weight(i int) float64 {
	if r.Weights == nil {
		return 1
	}
	return r.Weights[i]
}

// each calls do with every row of positive weight of some rows: its weight and value.
func (r *Rows) each(eta *mat.Dense, from, to int, do func(i int, w, f float64)) {
	for i := from; i < to; i++ {
		w := r.weight(i)
		if w == 0 {
			continue
		}
		f := eta.At(i, 0)
		if r.Offsets != nil {
			f += r.Offsets[i]
		}
		do(i, w, f)
	}
}

// all calls do with every row of positive weight, in any order.
func (r *Rows) all(eta *mat.Dense, do func(i int, w, f float64)) {
	eachBlock(r.Workers, len(r.Y), func(from, to int) { r.each(eta, from, to, do) })
}

// Value returns Σ wᵢ ℓ(yᵢ, fᵢ).
func (r *Rows) Value(eta *mat.Dense) float64 {
	return sumBlocks(r.Workers, len(r.Y), func(from, to int) (sum compensated.Sum) {
		r.each(eta, from, to, func(i int, w, f float64) { sum.Add(w * r.Loss.Value(r.Y[i], f)) })
		return sum
	})
}

// Gradient stores wᵢ ℓ′(yᵢ, fᵢ).
func (r *Rows) Gradient(dst, eta *mat.Dense) {
	dst.Zero()
	r.all(eta, func(i int, w, f float64) { dst.Set(i, 0, w*r.Loss.Gradient(r.Y[i], f)) })
}

// Weigh stores wᵢ ℓ″(yᵢ, fᵢ), or 0 where that is negative.
func (r *Rows) Weigh(v []float64, eta *mat.Dense) {
	clear(v)
	r.all(eta, func(i int, w, f float64) { v[i] = w * math.Max(0, r.Loss.Curvature(r.Y[i], f)) })
}

// majorized is [Rows] with a loss that has weights for majorization.
type majorized struct {
	*Rows
	by Majorant
}

// Model returns the model: a [Majorizer] if the loss is a [Majorant].
func (r *Rows) Model() Model {
	if by, ok := r.Loss.(Majorant); ok {
		return majorized{r, by}
	}
	return r
}

// Majorize stores wᵢ times the weights of the loss.
func (m majorized) Majorize(v []float64, eta *mat.Dense) {
	clear(v)
	m.all(eta, func(i int, w, f float64) { v[i] = w * m.by.Majorize(m.Y[i], f) })
}
