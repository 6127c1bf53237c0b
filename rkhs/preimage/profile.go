package preimage

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Profile says what a method must know of a kernel k(x, y) = κ(‖x − y‖²) beside its
// values. A method compares it with the kernel before it trusts it.
type Profile struct {
	// At returns κ and its derivative κ′ at a squared distance.
	At func(d2 float64) (value, slope float64)
	// Inverse returns the squared distance at which κ has the value, and false where there
	// is none.
	Inverse func(value float64) (d2 float64, ok bool)
}

// Gaussian is the profile of exp(−‖x−y‖²/(2σ²)).
func Gaussian(sigma float64) Profile {
	c := 0.5 / (sigma * sigma)
	return Profile{
		At: func(d2 float64) (value, slope float64) {
			v := math.Exp(-c * d2)
			return v, -c * v
		},
		Inverse: func(value float64) (d2 float64, ok bool) {
			return math.Max(0, -math.Log(value)/c), value > 0 && value < 1+1e-9
		},
	}
}

// Gradient returns ∇_z κ(‖z − x‖²) = 2κ′·(z − x) for [Descent].
func (p Profile) Gradient() Gradient {
	return func(dst, z, x []float64) {
		_, slope := p.At(squared(z, x))
		for j := range dst {
			dst[j] = 2 * slope * (z[j] - x[j])
		}
	}
}

// check compares the profile with the kernel on the first pairs of points.
func (p Profile) check(t *Targets[[]float64]) error {
	if p.At == nil || p.Inverse == nil {
		return fmt.Errorf("preimage: the method needs the profile of the kernel %s; for exp(−‖x−y‖²/2σ²) it is Gaussian(σ), and other kernels have Descent", t.kernel)
	}
	const pairs = 20
	first := t.points.At(0)
	for i := range min(pairs, t.points.Len()) {
		x := t.points.At(i)
		got, _ := p.At(squared(first, x))
		want := t.kernel.Eval(first, x)
		if !(math.Abs(got-want) <= 1e-9*math.Max(math.Abs(want), t.diag[0])) {
			return fmt.Errorf("preimage: the kernel %s of rows 0 and %d is %g, and the profile says %g: it is that of another kernel", t.kernel, i, want, got)
		}
	}
	return nil
}

// squared returns ‖x − y‖².
func squared(x, y []float64) float64 {
	d := floats.Distance(x, y, 2)
	return d * d
}

// spread returns the root mean squared distance of the training points from their mean:
// the scale on which steps are small.
func spread(t *Targets[[]float64]) float64 { return newCentredPoints(t).spread }
