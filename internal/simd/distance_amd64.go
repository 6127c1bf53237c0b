//go:build amd64 && !purego && !noasm

package simd

// panelsAt runs the assembly of a level on as many rows at a time as it has a loop for.
func panelsAt(l Level, s Statistic, dst []float64, stride, rows int, a, b, w []float64, d, count int) {
	if l == Portable {
		panelsPlain(s, dst, stride, rows, a, b, w, d, count)
		return
	}
	weights := &b[0] // never read without weights
	if w != nil {
		weights = &w[0]
	}
	loops := panelLoops[l][s]
	for i := 0; i < rows; {
		n := len(loops) - 1
		for 1<<n > rows-i {
			n--
		}
		loops[n](&dst[i*stride], stride, &a[i], &b[0], weights, d, count)
		i += 1 << n
	}
}

// panelLoop is a statistic of a fixed number of rows.
type panelLoop func(dst *float64, stride int, a, b, w *float64, d, count int)

// panelLoops holds the loops of a level and a statistic for 1, 2, 4, … rows.
var panelLoops = [...][5][]panelLoop{
	AVX2: {
		Inner:     {innerAVX2x1, innerAVX2x2, innerAVX2x4},
		Squared:   {squaredAVX2x1, squaredAVX2x2, squaredAVX2x4},
		Weighted:  {weightedAVX2x1, weightedAVX2x2, weightedAVX2x4},
		Manhattan: {manhattanAVX2x1, manhattanAVX2x2, manhattanAVX2x4},
		Minima:    {minimaAVX2x1, minimaAVX2x2, minimaAVX2x4},
	},
	AVX512: {
		Inner:     {innerAVX512x1, innerAVX512x2, innerAVX512x4, innerAVX512x8},
		Squared:   {squaredAVX512x1, squaredAVX512x2, squaredAVX512x4, squaredAVX512x8},
		Weighted:  {weightedAVX512x1, weightedAVX512x2, weightedAVX512x4, weightedAVX512x8},
		Manhattan: {manhattanAVX512x1, manhattanAVX512x2, manhattanAVX512x4, manhattanAVX512x8},
		Minima:    {minimaAVX512x1, minimaAVX512x2, minimaAVX512x4, minimaAVX512x8},
	},
}

func fromNormsAt(l Level, s, cols []float64, row, kept float64) bool {
	switch l {
	case AVX512:
		return fromNormsAVX512(&s[0], &cols[0], len(s), row, kept) != 0
	case AVX2:
		return fromNormsAVX2(&s[0], &cols[0], len(s), row, kept) != 0
	}
	return fromNormsPlain(s, cols, row, kept)
}
