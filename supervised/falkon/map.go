package falkon

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
)

// Map is what stands before the kernel in a descent, z = φ(x), with numbers θ that move.
type Map interface {
	// Start returns θ where the descent starts.
	Start() []float64
	// Images returns the φ(x) at θ.
	Images(ctx context.Context, theta []float64, xs data.Vectors) (data.Vectors, error)
	// Pull returns the derivatives of a function of the images in θ and in the points, of its
	// derivatives in the images: Σᵢ (∂zᵢ/∂θ)ᵀgᵢ and (∂zᵢ/∂xᵢ)ᵀgᵢ.
	Pull(ctx context.Context, theta []float64, xs, slopes data.Vectors) (ofTheta []float64, ofPoints data.Vectors, err error)
}

// linear is the map L, of which a diagonal, everything or nothing moves.
type linear struct {
	of Moving
	l  []float64 // at the start, row after row
	d  int
}

// newLinear returns a map of d coordinates that starts at l, nil being the identity.
func newLinear(of Moving, l []float64, d int) linear {
	if l == nil {
		l = make([]float64, d*d)
		for j := range d {
			l[j*d+j] = 1
		}
	}
	return linear{of, l, d}
}

func (m linear) Start() []float64 {
	switch m.of {
	case MoveLandmarks:
		return nil
	case MoveDiagonal:
		return m.diagonal(m.l)
	}
	return m.l
}

func (m linear) diagonal(l []float64) []float64 {
	out := make([]float64, m.d)
	for j := range out {
		out[j] = l[j*m.d+j]
	}
	return out
}

// matrix returns L at θ.
func (m linear) matrix(theta []float64) []float64 {
	switch m.of {
	case MoveLandmarks:
		return m.l
	case MoveDiagonal:
		l := make([]float64, m.d*m.d)
		for j, v := range theta {
			l[j*m.d+j] = v
		}
		return l
	}
	return theta
}

func (m linear) Images(_ context.Context, theta []float64, xs data.Vectors) (data.Vectors, error) {
	return data.LinearImages(m.matrix(theta), xs), nil
}

// Pull returns Σ gᵢxᵢᵀ, or what of it moves, and Lᵀgᵢ.
func (m linear) Pull(ctx context.Context, theta []float64, xs, slopes data.Vectors) ([]float64, data.Vectors, error) {
	l, points, sum := m.matrix(theta), data.MakeVectors(xs.Len(), m.d), make([]float64, m.d*m.d)
	for i := range xs.Len() {
		for r, g := range slopes.At(i) {
			floats.AddScaled(sum[r*m.d:(r+1)*m.d], g, xs.At(i))
			floats.AddScaled(points.At(i), g, l[r*m.d:(r+1)*m.d])
		}
	}
	switch m.of {
	case MoveLandmarks:
		sum = nil
	case MoveDiagonal:
		sum = m.diagonal(sum)
	}
	return sum, points, ctx.Err()
}
