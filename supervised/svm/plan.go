package svm

import (
	"cmp"
	"math"

	"example.org/mercer/compute"
)

// risingSteps is the largest power of n with which the steps for each row are taken to grow.
const risingSteps = 0.25

// Work is what a search for support vectors on so many rows takes, as its report counts it.
type Work struct {
	Rows      float64
	Problems  int
	Values    float64 // of the kernel, for the search
	Certified float64 // and for the exact gradient
	Steps     float64 // on pairs of coefficients, of all problems
	Support   float64 // rows with a coefficient
	Free      float64 // of these, between its bounds in its problem
	large     int     // problems on half of the Rows: where there are any, all are searched on a part of the rows
	Matrix    float64 // bytes of kernel values in memory
}

// WorkOf counts what a fit took.
func WorkOf(r *Report) Work {
	w := Work{Rows: float64(r.N), Problems: len(r.Problems), Values: float64(r.Evaluations), Certified: float64(r.Certified), Support: float64(r.SupportVectors), Matrix: float64(r.Matrix)}
	for _, m := range r.Problems {
		w.Steps += float64(m.Iterations)
		w.Free += float64(m.Support - m.Bounded)
		if 2*m.Rows >= r.N {
			w.large++
		}
	}
	w.Free = min(w.Free, w.Support)
	return w
}

// Grown predicts the work on n rows from that on two samples, w and one of half as many rows. Each
// quantity is a share of what there is at most, and the share grows with a power of n, which
// the samples have:
//
//	support vectors / n         power in [-1, 0]: the share of hard rows does not rise
//	those between bounds / n    power in [-1, 0]
//	kernel values / n²          power in [-1, 0], where both samples were searched in parts
//	exact gradient / n²         the square of the share of support vectors
//	steps / n                   power in [-1, 1/4]
//
// The matrix does not grow so: samples are searched on parts of other shares of the rows, or on
// none. Where one is on half of the rows, it is that of [workingSetModel], of the support
// vectors of all rows and of their first sample; those of two classes each have 1/k of it for k
// classes, which is a share of n².
func (w Work) Grown(half Work, n int) Work {
	to := float64(n)
	ratio := to / w.Rows
	share := func(of, before, least, most float64) float64 {
		power := 0.0
		if of > 0 && before > 0 {
			power = min(most, max(least, math.Log(of/before)/math.Log(w.Rows/half.Rows)))
		}
		return math.Pow(ratio, power)
	}
	fewer := share(w.Support/w.Rows, half.Support/half.Rows, -1, 0)
	values := ratio * ratio
	if half.Rows > doubleRows {
		values *= share(w.Values/(w.Rows*w.Rows), half.Values/(half.Rows*half.Rows), -1, 0)
	}
	out := Work{Rows: to, Problems: w.Problems, large: w.large, Values: w.Values * values, Support: w.Support * ratio * fewer,
		Free:      w.Free * ratio * share(w.Free/w.Rows, half.Free/half.Rows, -1, 0),
		Matrix:    w.Matrix * ratio * ratio,
		Certified: w.Certified * ratio * ratio * fewer * fewer,
		Steps:     w.Steps * ratio * share(w.Steps/w.Rows, half.Steps/half.Rows, -1, risingSteps)}
	if w.Rows <= doubleRows && to > doubleRows { // the matrix is in single precision then, and checked by other values
		out.Matrix /= 2
		out.Certified = out.Support * out.Support / 2
	}
	return out
}

// MatrixBytes predicts the bytes of kernel values in a search on n rows, of which all are bound
// where nothing less is known of their matrix than itself.
func (w Work) MatrixBytes(half Work, n int, bound bool) float64 {
	all := w.Grown(half, n)
	if bound || n <= doubleRows || w.large == 0 {
		return all.Matrix
	}
	largest := workingSetModel{Rows: n, Problems: w.large, Expect: func(n int) (support, free float64) {
		at := w.Grown(half, n)
		return at.Support, at.Free
	}}.maxRows()
	return 4 * largest * largest
}

// Costs are the stages of a search whose counts are w, from what a sample took: the time of its
// kernel values grows as their number, with fresh memory for the matrix; that of steps as those and
// the rows that each goes over; and all else, such as packing rows, as the rows. most is the
// largest matrix or cache.
func (w Work) Costs(sample Work, laps map[string]float64, columns int, most int64, m compute.Machine) []compute.Cost {
	linear := w.Rows / sample.Rows
	rate := cmp.Or(m.SinglePairRate, m.PairRate)
	grown := func(seconds, values, counted, rate float64) float64 {
		if rate <= 0 {
			return seconds * values / max(1, counted)
		}
		return max(0, seconds-counted/rate)*linear + values/rate
	}
	search := compute.Cost{Stage: "search", Seconds: grown(laps["gram"]+laps["outside"], w.Values, sample.Values, rate)}
	search.Seconds += laps["search"] * w.Steps * w.Rows / max(1, sample.Steps*sample.Rows)
	search.Memory = min(most, int64(w.Matrix))
	// The sample's time has the fresh memory of its own matrix in it, which is grown as the rows.
	search.Seconds += m.FreshSeconds(max(0, float64(search.Memory)-linear*sample.Matrix))
	search.Memory += 64 * int64(w.Rows)
	if laps["outside"] > 0 { // all rows packed as columns, in single precision
		search.Memory += 4 * int64(columns) * int64(w.Rows)
	}
	search.Keeps = search.Memory
	certify := m.PairRate
	if m.PairRate > 0 && m.GemmRate > 0 { // a value is multiplied with the coefficients of all problems
		certify = 1 / (1/m.PairRate + 2*float64(w.Problems)/m.GemmRate)
	}
	exact := compute.Cost{Stage: "exact gradient", Seconds: grown(laps["exact gradient"], w.Certified, sample.Certified, certify)}
	// Two sets of rows are bound, and there are coefficients and values of all problems, twice.
	exact.Memory = 8 * int64(columns+2*w.Problems) * int64(w.Support+w.Rows)
	for _, other := range []string{"diagonal", "report"} {
		exact.Seconds += laps[other] * linear
	}
	return []compute.Cost{search, exact}
}

// SearchBytes returns what a search on n rows holds beside the points: the matrix, in double
// precision for few rows and in single precision for more, or a cache of its rows where that would
// be larger than the room of the limit, or than 2 GiB where none is set.
func SearchBytes(n int, o compute.Options) int64 {
	width := int64(4)
	if n <= doubleRows {
		width = 8
	}
	return min(memory(o), width*int64(n)*int64(n))
}
