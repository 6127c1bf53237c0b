package simd

// HasExpDistances reports whether this machine has loops for [ExpDistances].
func HasExpDistances() bool { return hasExpDistances(Best()) }

// ExpDistances stores exp(−rate·t) of the squared distances t of a few row points and all
// points of count column panels of d coordinates, as [Panels], [SquaredFromInner] and [Exp] make
// them, to the bit, from the squared norms of the points. Where it returns false, as
// SquaredFromInner would for a row and a share of [KeptShare], dst is arbitrary; of NaN it may say
// either, and the result is NaN. It panics where [HasExpDistances] does not hold, and for d = 0.
func ExpDistances(dst []float64, stride int, a, b, rowNorms, colNorms []float64, d, count int, rate float64) bool {
	return expDistancesOf(Best(), dst, stride, a, b, rowNorms, colNorms, d, count, rate)
}

// expDistancesOf is ExpDistances at a level.
func expDistancesOf(l Level, dst []float64, stride int, a, b, rowNorms, colNorms []float64, d, count int, rate float64) bool {
	rows := len(rowNorms)
	if rows == 0 || count <= 0 {
		return true
	}
	if d <= 0 {
		panic("simd: distances of points without coordinates")
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*PanelWidth-1]
	_ = a[(d-1)*PanelWidth+rows-1]
	_ = b[count*d*PanelWidth-1]
	_ = colNorms[count*PanelWidth-1]
	return expDistancesAt(l, dst, stride, a, b, rowNorms, colNorms, d, count, -rate)
}
