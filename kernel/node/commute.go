package node

import (
	"errors"

	"example.org/mercer/kernel"
)

// CommuteTime is K = L⁺, the Moore–Penrose pseudo-inverse of the Laplacian. The mean number of
// steps of a random walk from i to j and back is
//
//	n(i, j) = V (kᵢᵢ + kⱼⱼ − 2kᵢⱼ),   V = Σ degrees,
//
// V times the squared distance of the nodes in the feature space, where the barycentre of the nodes
// is the origin. Between two components no walk leads: each has its own pseudo-inverse, its own
// origin and its own V, and values between them are 0, which says nothing of their distance. A node
// without neighbours has k = 0.
//
// Fouss et al. (2007); Klein and Randić, Resistance distance, J. Math. Chem. 12 (1993).
type CommuteTime struct{}

func (CommuteTime) name() string           { return "commute" }
func (CommuteTime) matrix() Matrix         { return Laplacian }
func (CommuteTime) arguments() string      { return "" }
func (CommuteTime) check(n *Network) error { return weightsOf(n) }

func (CommuteTime) at(lambda float64) float64 {
	if lambda == 0 {
		return 0
	}
	return 1 / lambda
}

func (CommuteTime) reason() string {
	return "L⁺ has the eigenvalues 1/λ > 0 and 0, because those of L are λ ≥ 0 (Fouss et al. 2007)"
}

// series does not exist: 1/λ has a pole where the spectrum begins. See [Operator].
func (CommuteTime) series(_, _, _ float64) (series, error) {
	return series{}, errors.New("node: the pseudo-inverse is no series of polynomials")
}

func (CommuteTime) card() kernel.Reference {
	return kernel.Reference{Name: "commute", Title: "commute time kernel between nodes of a graph", Formula: "L⁺, the pseudo-inverse of L = D − A",
		Domain: domain + ", each component for itself; weights ≥ 0", Source: "Fouss et al. (2007)", SeeAlso: []string{"regularised_laplacian"}}
}
