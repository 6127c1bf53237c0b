package vec

import "example.org/mercer/kernel/tile"

// A radial kernel is κ(q) with q = Σⱼ ((xⱼ−yⱼ)/σⱼ)². The functions of this file are what the
// radial kernels share; κ is their only difference.
type radial interface {
	leaf
	// kappa returns κ(q) and q·κ′(q), which is finite even where κ′ is not.
	kappa(q float64) (value, qslope float64)
	// profile emits κ of the statistic on top of the stack, which is q·σ² for the
	// given σ.
	profile(c *compiler, sigma float64)
	widths() widths
}

// emitRadial emits the squared distance and κ of it: unweighted and divided by σ² in the profile
// where there is one width, so that a grid over σ shares it; weighted by 1/σⱼ per column otherwise.
func emitRadial(c *compiler, k radial) {
	if w := k.widths(); w.each == nil {
		c.statistic(tile.SquaredDistance, nil, 0)
		k.profile(c, w.one)
	} else {
		c.statistic(tile.SquaredDistance, w.reciprocals(), 0)
		k.profile(c, 1)
	}
}

// widthGradient stores ∂κ/∂ln σⱼ = −2 ((xⱼ−yⱼ)/σⱼ)² κ′(q) in grad and returns κ(q).
func widthGradient(k radial, grad, x, y []float64) float64 {
	w := k.widths()
	q := w.squared(x, y)
	value, qslope := k.kappa(q)
	if w.each == nil {
		grad[0] = -2 * qslope
		return value
	}
	for j, s := range w.each {
		u := (x[j] - y[j]) / s
		grad[j] = 0
		if qslope != 0 {
			grad[j] = -2 * qslope * (u * u / q)
		}
	}
	return value
}
