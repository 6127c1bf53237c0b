package kerneltest

import (
	"math"

	"example.org/mercer/kernel"
)

// far is the shift under which |x|² + |y|² − 2⟨x, y⟩ loses all but a few digits of the
// distance of two points.
const far = 1e6

// cancellation compares tiles with Eval for points far from the origin, and for two
// clusters far from each other, which no common centre brings near. Points outside
// the domain after the shift, and values that overflow, end the check.
func (s *suite[T]) cancellation() {
	if s.o.Translate == nil {
		return
	}
	shifted, clusters := make([]T, len(s.xs)), make([]T, len(s.xs))
	for i, x := range s.xs {
		shifted[i] = s.o.Translate(x, far)
		clusters[i] = s.o.Translate(x, far*float64(1-2*(i%2)))
	}
	for _, c := range []struct {
		check string
		xs    []T
	}{{"points far from the origin", shifted}, {"two far clusters", clusters}} {
		if s.usable(c.xs) {
			s.tiles(c.check, c.xs, plain)
			s.tiles(c.check, c.xs, s.set)
		}
	}
}

// usable reports whether k is defined and finite on the points.
func (s *suite[T]) usable(xs []T) bool {
	for i, x := range xs {
		if kernel.Contains(s.k, x) != nil {
			return false
		}
		for _, y := range xs[:i+1] {
			if v := s.k.Eval(x, y); math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}
