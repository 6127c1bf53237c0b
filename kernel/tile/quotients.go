package tile

import "math"

// Cosine divides an inner product by both norms, given squared. √(n·n) = n in
// floating point unless n·n over- or underflows, so that k(x, x) is exactly 1.
func Cosine(xy, xx, yy float64) float64 {
	norm := math.Sqrt(xx * yy)
	if norm < 1e-140 || math.IsInf(norm, 1) {
		norm = math.Sqrt(xx) * math.Sqrt(yy)
	}
	if norm == 0 {
		return 0
	}
	return xy / norm
}

// Tanimoto divides an inner product by what two points have together, ‖x‖² + ‖y‖² − ⟨x, y⟩, and
// is 1 at 0/0.
func Tanimoto(xy, xx, yy float64) float64 { return shareOf(xy, xx+yy-xy) }

// Dice is twice an inner product divided by ‖x‖² + ‖y‖², and 1 at 0/0.
func Dice(xy, xx, yy float64) float64 { return shareOf(2*xy, xx+yy) }

// shareOf is part/whole, and 1 at 0/0.
func shareOf(part, whole float64) float64 {
	if whole == 0 {
		return 1
	}
	return part / whole
}
