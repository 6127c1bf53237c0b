package randomfeatures

import (
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// homogeneous is the map of Σⱼ √(xⱼyⱼ)·κ(ln xⱼ − ln yⱼ) by A. Vedaldi and A. Zisserman
// (Efficient additive kernels via explicit feature maps, TPAMI 34, 2012, section 5): with the
// density ϱ of κ sampled at the multiples of L,
//
//	κ̂(λ) = L·ϱ(0) + 2L Σ_{i≤n} ϱ(iL) cos(iLλ),
//
// each coordinate has the 2n+1 features √(xLϱ(0)), √(2xLϱ(iL))·cos(iL ln x) and the same with sin.
// Nothing is drawn, and
//
//	|k̂(x, y) − k(x, y)| ≤ ε Σⱼ max(xⱼ, yⱼ),  ε = max_λ e^{−|λ|/2}|κ̂(λ) − κ(λ)|,
//
// because √(xy) = max(x, y)·e^{−|λ|/2}. L is the period with the least ε.
type homogeneous[T any] struct {
	construction.Homogeneous[T]
	n       int
	period  float64   // L
	weights []float64 // √(Lϱ(0)), √(2Lϱ(L)) …
	epsilon float64
}

func newHomogeneous[T any](r construction.Homogeneous[T], dim int) *homogeneous[T] {
	b := &homogeneous[T]{Homogeneous: r, n: (dim/r.Dim - 1) / 2, epsilon: math.Inf(1)}
	for step := 2; step <= 150; step++ { // L from 0.02 to 1.5
		period := float64(step) / 100
		if e := deviation(r.Signature, r.Density, period, b.n, b.epsilon); e < b.epsilon {
			b.period, b.epsilon = period, e
		}
	}
	for i := range b.n + 1 {
		w := 2 * b.period * r.Density(float64(i)*b.period)
		if i == 0 {
			w /= 2
		}
		b.weights = append(b.weights, math.Sqrt(w))
	}
	return b
}

// deviation returns ε for a period, on a grid of λ up to where e^{−λ/2} is 10⁻⁶; or, when it has
// seen more than enough, what it has seen.
func deviation(signature, density func(float64) float64, period float64, n int, enough float64) float64 {
	weights := make([]float64, n+1)
	for i := range weights {
		weights[i] = 2 * period * density(float64(i)*period)
	}
	worst := 0.0
	for l := 0.0; l < 28 && worst < enough; l += 0.05 {
		// cos((i+1)θ) = 2cos θ·cos iθ − cos((i−1)θ).
		c, before, now := math.Cos(period*l), math.Cos(period*l), 1.0
		value := weights[0] / 2
		for _, w := range weights[1:] {
			before, now = now, 2*c*now-before
			value += w * now
		}
		worst = max(worst, math.Exp(-l/2)*math.Abs(value-signature(l)))
	}
	return worst
}

func (b *homogeneous[T]) dim() int { return b.Dim * (2*b.n + 1) }

func (b *homogeneous[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	size := 2*b.n + 1
	for i := range dst.Rows {
		row := dst.Row(i)
		for j, v := range b.Point(xs.At(from + i)) {
			z := row[j*size : (j+1)*size]
			if !(v > 0) {
				clear(z)
				continue
			}
			root := math.Sqrt(v)
			z[0] = root * b.weights[0]
			s1, c1 := math.Sincos(b.period * math.Log(v))
			for f, s, c := 1, s1, c1; f <= b.n; f++ {
				z[2*f-1], z[2*f] = root*b.weights[f]*c, root*b.weights[f]*s
				s, c = s*c1+c*s1, c*c1-s*s1 // of an angle more
			}
		}
	}
}

func (b *homogeneous[T]) variance(T, T, []float64, []float64) float64 { return 0 }
