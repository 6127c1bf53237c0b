package simd

// PanelWidth is the number of points in a panel, which holds their coordinates
// interleaved: coordinate j of point i is panel[j*PanelWidth+i].
const PanelWidth = 16

// Statistic is a sum over the coordinates of a pair of points (a, b).
type Statistic int

const (
	Inner     Statistic = iota // Σⱼ aⱼbⱼ
	Squared                    // Σⱼ (aⱼ−bⱼ)²
	Weighted                   // Σⱼ (wⱼ(aⱼ−bⱼ))²
	Manhattan                  // Σⱼ wⱼ|aⱼ−bⱼ|
	Minima                     // Σⱼ min(aⱼ, bⱼ)
)

// Panels stores a statistic of the given number of row points with all points of count
// column panels of d coordinates: with row i in lane i of a and column c in lane
// c%PanelWidth of panel number c/PanelWidth of b,
//
//	for i < rows, c < count·PanelWidth:  dst[i*stride+c] = Σⱼ term(a[j*PanelWidth+i], b[(c/PanelWidth*d+j)*PanelWidth+c%PanelWidth], w[j])
//
// a begins at the first row point, not at the first of its panel. Weights are for
// Weighted and Manhattan and may be nil otherwise.
//
// A value is added from the first coordinate to the last in one accumulator, wherever
// the points lie: its bits depend on the two points only, and exchanging them changes
// nothing.
func Panels(s Statistic, dst []float64, stride, rows int, a, b, w []float64, d, count int) {
	panelsOf(Best(), s, dst, stride, rows, a, b, w, d, count)
}

// panelsOf is [Panels] at a level.
func panelsOf(l Level, s Statistic, dst []float64, stride, rows int, a, b, w []float64, d, count int) {
	if rows <= 0 || count <= 0 {
		return
	}
	if d == 0 {
		for i := range rows {
			clear(dst[i*stride : i*stride+count*PanelWidth])
		}
		return
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*PanelWidth-1]
	_ = a[(d-1)*PanelWidth+rows-1]
	_ = b[count*d*PanelWidth-1]
	if s == Weighted || s == Manhattan {
		_ = w[d-1]
	}
	panelsAt(l, s, dst, stride, rows, a, b, w, d, count)
}

// SquaredFromInner turns inner products into squared distances, given the squared norms
// of the row point and of the column points:
//
//	norms := row + cols[j];  s[j] = norms − 2s[j]
//
// It reports whether every s[j] ≥ kept·norms with norms finite: where it returns false,
// some s[j] has lost digits to cancellation or overflow. len(s) must be a multiple of 8.
func SquaredFromInner(s, cols []float64, row, kept float64) bool {
	if len(s)%8 != 0 {
		panic("simd: the length must be a multiple of 8")
	}
	if len(s) == 0 {
		return true
	}
	return fromNormsAt(Best(), s, cols[:len(s)], row, kept)
}
