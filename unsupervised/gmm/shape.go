package gmm

import "slices"

// Shape says what the covariances of the components may be.
type Shape string

const (
	// Full is any covariance, another one for each component.
	Full Shape = "full"
	// Tied is any covariance, the same for all components.
	Tied Shape = "tied"
	// Diagonal is a variance for each column and component.
	Diagonal Shape = "diagonal"
	// Spherical is a variance for each component.
	Spherical Shape = "spherical"
)

// Shapes are all of them.
var Shapes = []Shape{Full, Tied, Diagonal, Spherical}

func (s Shape) known() bool { return slices.Contains(Shapes, s) }

// matrices says whether the covariances are matrices rather than variances.
func (s Shape) matrices() bool { return s == Full || s == Tied }

// Parameters returns the number of free parameters of k components in d dimensions:
// k − 1 weights, kd means, and those of the covariances.
func (s Shape) Parameters(k, d int) int {
	free := k - 1 + k*d
	switch s {
	case Full:
		return free + k*d*(d+1)/2
	case Tied:
		return free + d*(d+1)/2
	case Diagonal:
		return free + k*d
	}
	return free + k
}
