//go:build amd64 && !purego && !noasm

package simd

import "math/bits"

// panelsAt runs the assembly of a level on as many rows at a time as it has a loop for.
func panelsAt[F Float](l Level, s Statistic, dst []F, stride, rows int, a, b, w []F, d, count int) {
	loops := loopsOf[F](l, s)
	if loops == nil {
		panelsPlain(s, dst, stride, rows, a, b, w, d, count)
		return
	}
	weights := &b[0] // never read without weights
	if w != nil {
		weights = &w[0]
	}
	for i := 0; i < rows; {
		n := mostRows(len(loops), rows-i)
		loops[n](&dst[i*stride], stride, &a[i], &b[0], weights, d, count)
		i += 1 << n
	}
}

// mostRows returns which of count loops, for 1, 2, 4, … rows, does the most of those that are
// left.
func mostRows(count, left int) int { return min(count, bits.Len(uint(left))) - 1 }

// panelLoop is a statistic of a fixed number of rows.
type panelLoop[F Float] func(dst *F, stride int, a, b, w *F, d, count int)

// panelTable holds the loops of a level and a statistic for 1, 2, 4, … rows.
type panelTable[F Float] [AVX512 + 1][Common + 1][]panelLoop[F]

// loopsOf returns the loops of a statistic, or nil where Go is asked for.
func loopsOf[F Float](l Level, s Statistic) []panelLoop[F] {
	if t, ok := any(&panelLoops).(*panelTable[F]); ok {
		if s == Common && hasCounts(l) {
			return any(countedLoops).([]panelLoop[F])
		}
		return t[l][s]
	}
	return any(&panelLoops32).(*panelTable[F])[l][s]
}

var panelLoops = panelTable[float64]{
	AVX2: {
		Inner:     {innerAVX2x1, innerAVX2x2, innerAVX2x4},
		Squared:   {squaredAVX2x1, squaredAVX2x2, squaredAVX2x4},
		Weighted:  {weightedAVX2x1, weightedAVX2x2, weightedAVX2x4},
		Manhattan: {manhattanAVX2x1, manhattanAVX2x2, manhattanAVX2x4},
		Minima:    {minimaAVX2x1, minimaAVX2x2, minimaAVX2x4},
		Common:    {commonAVX2x1, commonAVX2x2},

		ChiSquared:    {chiSquaredAVX2x1, chiSquaredAVX2x2},
		HarmonicMeans: {harmonicMeansAVX2x1, harmonicMeansAVX2x2},

		HalfPowers:      {halfPowersAVX2x1, halfPowersAVX2x2, halfPowersAVX2x4},
		ThreeHalfPowers: {threeHalfPowersAVX2x1, threeHalfPowersAVX2x2, threeHalfPowersAVX2x4},
	},
	AVX512: {
		Inner:     {innerAVX512x1, innerAVX512x2, innerAVX512x4, innerAVX512x8},
		Squared:   {squaredAVX512x1, squaredAVX512x2, squaredAVX512x4, squaredAVX512x8},
		Weighted:  {weightedAVX512x1, weightedAVX512x2, weightedAVX512x4, weightedAVX512x8},
		Manhattan: {manhattanAVX512x1, manhattanAVX512x2, manhattanAVX512x4, manhattanAVX512x8},
		Minima:    {minimaAVX512x1, minimaAVX512x2, minimaAVX512x4, minimaAVX512x8},
		Common:    {commonAVX512x1, commonAVX512x2, commonAVX512x4, commonAVX512x8},

		ChiSquared:    {chiSquaredAVX512x1, chiSquaredAVX512x2, chiSquaredAVX512x4, chiSquaredAVX512x8},
		HarmonicMeans: {harmonicMeansAVX512x1, harmonicMeansAVX512x2, harmonicMeansAVX512x4, harmonicMeansAVX512x8},

		HalfPowers:      {halfPowersAVX512x1, halfPowersAVX512x2, halfPowersAVX512x4, halfPowersAVX512x8},
		ThreeHalfPowers: {threeHalfPowersAVX512x1, threeHalfPowersAVX512x2, threeHalfPowersAVX512x4, threeHalfPowersAVX512x8},
	},
}

var panelLoops32 = panelTable[float32]{
	AVX2: {
		Inner:          {inner32AVX2x1, inner32AVX2x2, inner32AVX2x4},
		Squared:        {squared32AVX2x1, squared32AVX2x2, squared32AVX2x4},
		Manhattan:      {manhattan32AVX2x1, manhattan32AVX2x2, manhattan32AVX2x4},
		Minima:         {minima32AVX2x1, minima32AVX2x2, minima32AVX2x4},
		SquaredSplit:   {squaredSplit32AVX2x1, squaredSplit32AVX2x2},
		ManhattanSplit: {manhattanSplit32AVX2x1, manhattanSplit32AVX2x2},
	},
	AVX512: {
		Inner:          {inner32AVX512x1, inner32AVX512x2, inner32AVX512x4, inner32AVX512x8},
		Squared:        {squared32AVX512x1, squared32AVX512x2, squared32AVX512x4, squared32AVX512x8},
		Manhattan:      {manhattan32AVX512x1, manhattan32AVX512x2, manhattan32AVX512x4, manhattan32AVX512x8},
		Minima:         {minima32AVX512x1, minima32AVX512x2, minima32AVX512x4, minima32AVX512x8},
		SquaredSplit:   {squaredSplit32AVX512x1, squaredSplit32AVX512x2, squaredSplit32AVX512x4, squaredSplit32AVX512x8},
		ManhattanSplit: {manhattanSplit32AVX512x1, manhattanSplit32AVX512x2, manhattanSplit32AVX512x4, manhattanSplit32AVX512x8},
	},
}

func fromNormsAt[F Float](l Level, s, cols []F, row, kept F) bool {
	if l == Portable {
		return fromNormsPlain(s, cols, row, kept)
	}
	n := len(s)
	switch s := any(&s[0]).(type) {
	case *float64:
		cols := any(&cols[0]).(*float64)
		if l == AVX512 {
			return fromNormsAVX512(s, cols, n, float64(row), float64(kept)) != 0
		}
		return fromNormsAVX2(s, cols, n, float64(row), float64(kept)) != 0
	case *float32:
		cols := any(&cols[0]).(*float32)
		if l == AVX512 {
			return fromNorms32AVX512(s, cols, n, float32(row), float32(kept)) != 0
		}
		return fromNorms32AVX2(s, cols, n, float32(row), float32(kept)) != 0
	}
	return false
}

func hasExpDistances(l Level) bool { return l == AVX512 }

// expDistanceLoops are those for 1, 2, 4, … rows.
var expDistanceLoops = []func(dst *float64, stride int, a, b, rows, cols *float64, d, count int, scale float64) (fine uint64){
	expDistancesAVX512x1, expDistancesAVX512x2, expDistancesAVX512x4, expDistancesAVX512x8,
}

func expDistancesAt(l Level, dst []float64, stride int, a, b, rowNorms, colNorms []float64, d, count int, scale float64) bool {
	if !hasExpDistances(l) {
		panic("simd: distances: no assembly at this level")
	}
	fine := uint64(1)
	for i := 0; i < len(rowNorms); {
		n := mostRows(len(expDistanceLoops), len(rowNorms)-i)
		fine &= expDistanceLoops[n](&dst[i*stride], stride, &a[i], &b[0], &rowNorms[i], &colNorms[0], d, count, scale)
		i += 1 << n
	}
	return fine != 0
}
