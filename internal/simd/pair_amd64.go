//go:build amd64 && !purego && !noasm

package simd

import "math"

// advanceAt runs the assembly of a level on whole registers and Go on what is left.
func advanceAt(l Level, g, rise []float64, ki, kj []float32, step float64) (at int, least float64) {
	lanes := pairLanes(l)
	whole := 0
	if lanes > 0 {
		whole = len(g) / lanes * lanes
	}
	at, least = advancePlain(g[whole:], rise[whole:], ki[whole:], kj[whole:], step)
	if at >= 0 {
		at += whole
	}
	if whole == 0 {
		return at, least
	}
	var values [8]float64
	var places [8]int64
	if l == AVX512 {
		advanceAVX512(&g[0], &rise[0], &ki[0], &kj[0], whole, step, &values[0], &places[0])
	} else {
		advanceAVX2(&g[0], &rise[0], &ki[0], &kj[0], whole, step, &values[0], &places[0])
	}
	for lane, v := range values[:lanes] {
		place := int(places[lane])*lanes + lane
		if v < least || v == least && place < at && !math.IsInf(v, 1) {
			at, least = place, v
		}
	}
	return at, least
}

// partnerAt runs the assembly of a level on whole registers and Go on what is left.
func partnerAt(l Level, k []float32, g, fall, diag []float64, gi, kii, floor float64) Partner {
	lanes := pairLanes(l)
	whole := 0
	if lanes > 0 {
		whole = len(k) / lanes * lanes
	}
	p := partnerPlain(k[whole:], g[whole:], fall[whole:], diag[whole:], gi, kii, floor)
	if p.At >= 0 {
		p.At += whole
	}
	if whole == 0 {
		return p
	}
	var best [24]float64
	var places [8]int64
	if l == AVX512 {
		partnerAVX512(&k[0], &g[0], &fall[0], &diag[0], whole, gi, kii, floor, &best[0], &places[0])
	} else {
		partnerAVX2(&k[0], &g[0], &fall[0], &diag[0], whole, gi, kii, floor, &best[0], &places[0])
	}
	for lane := range lanes {
		q := Partner{At: -1, Gain: best[lane], Curvature: best[lanes+lane], Violation: best[2*lanes+lane]}
		if q.Gain > 0 {
			q.At = int(places[lane])*lanes + lane
		}
		p = p.merge(q)
	}
	return p
}

// pairLanes returns the numbers in a register of a level, 0 where there is no assembly.
func pairLanes(l Level) int {
	switch l {
	case AVX512:
		return 8
	case AVX2:
		return 4
	}
	return 0
}
