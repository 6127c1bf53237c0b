package vec

import (
	"fmt"
	"math"
	"strings"
)

// Kind is the number that a kernel needs to know of a pair of points.
type Kind int

const (
	InnerProduct        Kind = iota // Σ xⱼyⱼ
	SquaredDistance                 // Σ (wⱼ(xⱼ−yⱼ))²
	Manhattan                       // Σ wⱼ|xⱼ−yⱼ|
	SumOfMinima                     // Σ min(xⱼ, yⱼ)
	MinOverMax                      // Σ min(xⱼ, yⱼ)/Σ max(xⱼ, yⱼ), 1 at 0/0
	SineSquared                     // Σ sin²(π(xⱼ−yⱼ)/Period)
	Equality                        // 1 where x = y, else 0
	SumOfCoordinates                // x + y, of one coordinate
	CommonDivisor                   // gcd(x, y), of one coordinate
	DivisorOverMultiple             // gcd(x, y)/lcm(x, y), of one coordinate
	ChiSquared                      // Σ (xⱼ−yⱼ)²/(xⱼ+yⱼ), 0 at 0/0
	HarmonicMeans                   // Σ 2xⱼyⱼ/(xⱼ+yⱼ), 0 at 0/0
	Divergence                      // Σ ½(xⱼ ln(2xⱼ/(xⱼ+yⱼ)) + yⱼ ln(2yⱼ/(xⱼ+yⱼ))), 0·ln 0 = 0
	SharedEntropy                   // Σ ½(xⱼ log₂((xⱼ+yⱼ)/xⱼ) + yⱼ log₂((xⱼ+yⱼ)/yⱼ)), likewise
)

var kindNames = [...]string{
	"inner product", "squared distance", "manhattan distance", "sum of minima", "min over max",
	"sine squared", "equality", "sum", "gcd", "gcd over lcm",
	"chi-squared distance", "sum of harmonic means", "jensen-shannon divergence", "shared entropy",
}

// String returns the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Statistic is one number of a pair of points, as plain data. Kernels that differ
// in their profile only share it.
type Statistic struct {
	Kind    Kind
	Columns []int     // the coordinates it sees, in this order; nil: all
	Weights []float64 // one per coordinate; nil: all 1
	Period  float64   // of SineSquared
	Power   float64   // coordinates are replaced by |xⱼ|^Power first; 0: they are not
	// Matrix is row-major, Rank rows by as many columns as there are coordinates.
	// Where it is not nil, the points are multiplied by it first.
	Matrix []float64
	Rank   int
}

// String returns a text that is the same for two statistics only if they are the
// same.
func (s Statistic) String() string {
	var b strings.Builder
	b.WriteString(s.Kind.String())
	if s.Columns != nil {
		fmt.Fprintf(&b, " of columns %v", s.Columns)
	}
	if s.Weights != nil {
		fmt.Fprintf(&b, " weighted by %s", list(s.Weights))
	}
	if s.Power != 0 {
		fmt.Fprintf(&b, " of powers %s", number(s.Power))
	}
	if s.Kind == SineSquared {
		fmt.Fprintf(&b, " of period %s", number(s.Period))
	}
	if s.Matrix != nil {
		fmt.Fprintf(&b, " after multiplication by the %d-row matrix %s", s.Rank, list(s.Matrix))
	}
	return b.String()
}

// raised replaces the coordinates of x by their powers.
func (s *Statistic) raised(x []float64) {
	for j, v := range x {
		x[j] = power(v, s.Power)
	}
}

// power is |v|^p, by the root where p = ½.
func power(v, p float64) float64 {
	if p == 0.5 {
		return math.Sqrt(math.Abs(v))
	}
	return math.Pow(math.Abs(v), p)
}

// pair evaluates a statistic of two points that are already restricted to the
// columns, raised to powers and multiplied by the matrix: the definition of every kind, and the
// only way for the kinds that have no loop over panels.
func (s *Statistic) pair(x, y []float64) float64 {
	switch s.Kind {
	case InnerProduct:
		return dot(x, y)
	case SquaredDistance:
		return s.squaredDistance(x, y)
	case Manhattan:
		sum := 0.0
		for j, v := range x {
			d := v - y[j]
			if d < 0 {
				d = -d
			}
			if s.Weights != nil {
				d *= s.Weights[j]
			}
			sum += d
		}
		return sum
	case SumOfMinima:
		return sumOfMinima(x, y)
	case MinOverMax:
		return minOverMax(x, y)
	case SineSquared:
		return sineSquared(s.Period, x, y)
	case Equality:
		return equal(x, y)
	case SumOfCoordinates:
		return x[0] + y[0]
	case CommonDivisor:
		return gcd(x[0], y[0])
	case ChiSquared:
		return chiSquared(x, y)
	case HarmonicMeans:
		return harmonicMeans(x, y)
	case Divergence:
		return divergence(x, y)
	case SharedEntropy:
		return sharedEntropy(x, y)
	default: // DivisorOverMultiple
		return gcdOverLcm(x[0], y[0])
	}
}
