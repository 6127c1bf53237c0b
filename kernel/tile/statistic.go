package tile

import (
	"fmt"
	"math"
	"strconv"
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
	PowerDistance                   // Σ wⱼ|xⱼ−yⱼ|^Exponent
	Angle                           // between x and y, in [0, π]; π/2 where one of them is 0
)

var kindNames = [...]string{
	"inner product", "squared distance", "manhattan distance", "sum of minima", "min over max",
	"sine squared", "equality", "sum", "gcd", "gcd over lcm",
	"chi-squared distance", "sum of harmonic means", "jensen-shannon divergence", "shared entropy",
	"power distance", "angle",
}

// String returns the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Statistic is one number of a pair of points, as plain data. Kernels that differ
// in their profile only share it.
type Statistic struct {
	Kind     Kind
	Columns  []int     // the coordinates it sees, in this order; nil: all
	Weights  []float64 // one per coordinate; nil: all 1
	Period   float64   // of SineSquared
	Exponent float64   // of PowerDistance, above 0
	Power    float64   // coordinates are replaced by |xⱼ|^Power first; 0: they are not
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
		fmt.Fprintf(&b, " weighted by %s", formatList(s.Weights))
	}
	if s.Power != 0 {
		fmt.Fprintf(&b, " of powers %s", formatNumber(s.Power))
	}
	if s.Kind == SineSquared {
		fmt.Fprintf(&b, " of period %s", formatNumber(s.Period))
	}
	if s.Kind == PowerDistance {
		fmt.Fprintf(&b, " of exponent %s", formatNumber(s.Exponent))
	}
	if s.Matrix != nil {
		fmt.Fprintf(&b, " after multiplication by the %d-row matrix %s", s.Rank, formatList(s.Matrix))
	}
	return b.String()
}

// raised replaces the coordinates of x by their powers.
func (s *Statistic) raised(x []float64) {
	for j, v := range x {
		x[j] = AbsPower(v, s.Power)
	}
}

// AbsPower returns |v|^p, by the root where p = ½.
func AbsPower(v, p float64) float64 {
	if p == 0.5 {
		return math.Sqrt(math.Abs(v))
	}
	return math.Pow(math.Abs(v), p)
}

// Value returns the statistic of two points that are already restricted to the columns, raised to
// the power and multiplied by the matrix: the definition, and the only way for the kinds that have
// no loop over panels.
func (s *Statistic) Value(x, y []float64) float64 {
	switch s.Kind {
	case SquaredDistance:
		return s.squaredDistance(x, y)
	case Manhattan:
		return s.manhattan(x, y)
	case SineSquared:
		return sineSquared(s.Period, x, y)
	case PowerDistance:
		return s.powerDistance(x, y)
	}
	return definitions[s.Kind](x, y)
}

// Value returns the statistic of this kind without weights or other operands; that of
// [SineSquared] needs a period, that of [PowerDistance] an exponent.
func (k Kind) Value(x, y []float64) float64 { return (&Statistic{Kind: k}).Value(x, y) }

// formatNumber returns the shortest text that reads back as v.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// formatList returns one number as itself and several as [1, 0.5].
func formatList(values []float64) string {
	if len(values) == 1 {
		return formatNumber(values[0])
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = formatNumber(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
