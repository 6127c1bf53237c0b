package simd

// PanelWidth and PanelWidth32 are the number of points in a panel, which holds their
// coordinates interleaved: coordinate j of point i is panel[j*PanelWidth+i]. A
// coordinate of a panel is 128 bytes.
const (
	PanelWidth   = 16 // of float64
	PanelWidth32 = 32 // of float32
)

// panelWidth returns the number of points in a panel of F.
func panelWidth[F Float]() int {
	if _, ok := any(F(0)).(float32); ok {
		return PanelWidth32
	}
	return PanelWidth
}

// Statistic is a sum over the coordinates of a pair of points (a, b).
type Statistic int

const (
	Inner     Statistic = iota // Σⱼ aⱼbⱼ
	Squared                    // Σⱼ (aⱼ−bⱼ)²
	Weighted                   // Σⱼ (wⱼ(aⱼ−bⱼ))², float64 only
	Manhattan                  // Σⱼ wⱼ|aⱼ−bⱼ|, all wⱼ = 1 for float32
	Minima                     // Σⱼ min(aⱼ, bⱼ)
	// ChiSquared and HarmonicMeans are for float64 only and for aⱼ, bⱼ ≥ 0, with 0/0 = 0.
	ChiSquared    // Σⱼ (aⱼ−bⱼ)²/(aⱼ+bⱼ)
	HarmonicMeans // Σⱼ 2aⱼbⱼ/(aⱼ+bⱼ)
	// HalfPowers and ThreeHalfPowers are for float64 only.
	HalfPowers      // Σⱼ wⱼ|aⱼ−bⱼ|^½
	ThreeHalfPowers // Σⱼ wⱼ|aⱼ−bⱼ|^{3/2}
	// SquaredSplit and ManhattanSplit are for float32 only, and their points are sums of
	// two: a coordinate is followed by what its rounding to float32 left off, also rounded,
	// so that panels have 2d coordinates. Differences of points then have the digits of
	// numbers of 48 bits.
	SquaredSplit   // Σⱼ (aⱼ−bⱼ)²
	ManhattanSplit // Σⱼ |aⱼ−bⱼ|
	// Common is for float64 only, and its panels hold words of 64 bits instead of numbers,
	// as [math.Float64frombits] makes them: the inner product of points of 0 and 1.
	Common // Σⱼ number of bits that are set in both aⱼ and bⱼ
)

// weighted reports whether the statistic in float64 has weights.
func (s Statistic) weighted() bool {
	return s == Weighted || s == Manhattan || s == HalfPowers || s == ThreeHalfPowers
}

// parts returns how many numbers make a coordinate.
func (s Statistic) parts() int {
	if s == SquaredSplit || s == ManhattanSplit {
		return 2
	}
	return 1
}

// Panels stores a statistic of the given number of row points with all points of count
// column panels of d coordinates: with row i in lane i of a and column c in lane
// c%PanelWidth of panel number c/PanelWidth of b,
//
//	for i < rows, c < count·PanelWidth:
//	    dst[i*stride+c] = Σⱼ term(aᵢⱼ, b[(c/PanelWidth*d+j)*PanelWidth+c%PanelWidth], w[j])
//	    aᵢⱼ = a[j*PanelWidth+i]
//
// a begins at the first row point, not at the first of its panel. Weights are for
// Weighted, Manhattan and the powers, and may be nil otherwise.
//
// A value is added from the first coordinate to the last in one accumulator, wherever
// the points lie: its bits depend on the two points only, and exchanging them changes
// nothing.
func Panels(s Statistic, dst []float64, stride, rows int, a, b, w []float64, d, count int) {
	panelsOf(Best(), s, dst, stride, rows, a, b, w, d, count)
}

// Panels32 is [Panels] for float32, without weights.
func Panels32(s Statistic, dst []float32, stride, rows int, a, b []float32, d, count int) {
	panelsOf(Best(), s, dst, stride, rows, a, b, nil, d, count)
}

// panelsOf is [Panels] at a level.
func panelsOf[F Float](l Level, s Statistic, dst []F, stride, rows int, a, b, w []F, d, count int) {
	if rows <= 0 || count <= 0 {
		return
	}
	width := panelWidth[F]()
	if d == 0 {
		for i := range rows {
			clear(dst[i*stride : i*stride+count*width])
		}
		return
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*width-1]
	_ = a[(d*s.parts()-1)*width+rows-1]
	_ = b[count*d*s.parts()*width-1]
	if width == PanelWidth && s.weighted() {
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
// some s[j] has lost digits to cancellation or overflow. len(s) must be a multiple of
// [PanelWidth].
func SquaredFromInner(s, cols []float64, row, kept float64) bool {
	return squaredFromInner(Best(), s, cols, row, kept)
}

// SquaredFromInner32 is [SquaredFromInner] for float32 and multiples of [PanelWidth32].
func SquaredFromInner32(s, cols []float32, row, kept float32) bool {
	return squaredFromInner(Best(), s, cols, row, kept)
}

func squaredFromInner[F Float](l Level, s, cols []F, row, kept F) bool {
	if len(s)%panelWidth[F]() != 0 {
		panic("simd: the length must be a multiple of the width of a panel")
	}
	if len(s) == 0 {
		return true
	}
	return fromNormsAt(l, s, cols[:len(s)], row, kept)
}
