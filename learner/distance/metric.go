package distance

import (
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/mahalanobis"
)

// Under returns the kernel on points whose distance is a metric.
func Under(m *mahalanobis.Metric, k vec.Kernel) (vec.Kernel, error) {
	if m.Shape == mahalanobis.Diagonal {
		return vec.NewMahalanobis(k, m.Scales(), nil)
	}
	return vec.NewMahalanobis(k, nil, m.Matrix())
}

// Slope returns sums of the gradient of a kernel in its first point, see [vec.SlopeOf].
func Slope(k vec.Kernel) (gradients.Slope, error) {
	if form, ok := vec.RadialSlope(k); ok {
		return gradients.Radial(form), nil
	}
	slope, err := vec.SlopeOf(k)
	return gradients.Pairwise(slope), err
}
