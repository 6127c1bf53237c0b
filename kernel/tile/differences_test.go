package tile

import (
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/internal/testkit"
)

// Squared distances that are renewed side by side have the bits of those one by one, for
// every number of them, and no other number changes.
func TestRenewalHasTheBitsOfOneByOne(t *testing.T) {
	const n, d = 2 * simd.PanelWidth, 21
	r := testkit.Rand(t, 1)
	xs := data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = r.NormFloat64()
		}
	}
	for _, weights := range [][]float64{nil, ones(d)} {
		f := bindColumns(&Statistic{Kind: SquaredDistance, Weights: weights}, xs)
		f.rows = f.cols
		for count := range n + 1 {
			// The first count pairs of a row are below the share, the others above.
			s, cols := make([]float64, n), make([]float64, n)
			for j := range s {
				cols[j] = 1
				if s[j] = 2; j < count {
					s[j] = math.Copysign(0, -1)
				}
			}
			near := renewal[float64]{of: &f}
			near.row(s, 1, cols, 3, 0)
			near.flush()
			for j, got := range s {
				want := 2.0
				if j < count {
					want = f.stat.squaredDistance(xs.At(3), xs.At(j))
				}
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%d near points, weights %v: column %d has %v, want %v", count, weights != nil, j, got, want)
				}
			}
		}
	}
}
