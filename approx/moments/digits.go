package moments

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// digitBits is the width of a digit: rows of two digits, three for the rare number that is
	// far larger than those from which the steps were chosen.
	digitBits = 22
	// wholeBits bounds the numbers from which the steps are chosen, mostBits all of them.
	wholeBits, mostBits = 42, 53
	// height is the number of rows that are multiplied together: sums of as many products of
	// two numbers of digitBits bits are below 2⁵³.
	height = 384
)

// step returns the exponent e of the largest of some numbers, max|a| ≤ 2^(e + wholeBits).
func step(largest float64) int {
	if !(largest > 0) {
		return -wholeBits
	}
	_, e := math.Frexp(largest) // largest < 2^e
	return e - wholeBits
}

// largest returns the largest absolute value, NaN where there is one.
func largest(xs []float64) float64 {
	top := 0.0
	for _, x := range xs {
		if top = math.Max(top, math.Abs(x)); math.IsNaN(x) {
			return x
		}
	}
	return top
}

// whole replaces the numbers of each column by whole multiples of its step, and returns the
// largest of them; at has the first number beyond mostBits, (−1, −1) without any.
func whole(a *mat.Dense, steps []int) (most float64, at [2]int) {
	const bound = 1 << mostBits
	rows, cols := a.Dims()
	units := make([]float64, cols)
	for j, e := range steps {
		units[j] = math.Ldexp(1, -e)
	}
	for i := range rows {
		row := a.RawRowView(i)
		for j, unit := range units {
			q := math.RoundToEven(row[j] * unit)
			if row[j] = q; q < 0 {
				q = -q
			}
			if !(q <= bound) {
				return q, [2]int{i, j}
			}
			if q > most {
				most = q
			}
		}
	}
	return most, [2]int{-1, -1}
}

// digitCount is the number of digits of numbers up to most.
func digitCount(most float64) int {
	count := 1
	for bound := math.Ldexp(1, digitBits-1); most > bound; bound = math.Ldexp(bound, digitBits) {
		count++
	}
	return count
}

// split moves the lowest digit of the numbers in a to digit, |digit| ≤ 2^(digitBits−1), and
// leaves the others in a, without its place.
func split(digit, a *mat.Dense) {
	const base = 1 << digitBits
	for i := range a.RawMatrix().Rows {
		row, low := a.RawRowView(i), digit.RawRowView(i)
		for j, q := range row {
			rest := math.RoundToEven(q * (1.0 / base))
			row[j], low[j] = rest, q-rest*base
		}
	}
}
