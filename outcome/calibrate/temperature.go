package calibrate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Softmax stores e^(βf_c)/Σ e^(βf) in dst, β ≥ 0. The order of the values is that of the
// probabilities: the largest stays the largest. (Package loss has one of its own, which gives the
// logarithm of the sum, too: neither room imports any other.)
func Softmax(dst, f []float64, beta float64) {
	top := f[0]
	for _, v := range f {
		top = max(top, v)
	}
	sum := 0.0
	for c, v := range f {
		dst[c] = math.Exp(beta * (v - top))
		sum += dst[c]
	}
	for c := range dst {
		dst[c] /= sum
	}
}

// FitTemperature returns the β = 1/T ≥ 0 that minimises −Σ wᵢ Σ_c t_ic log p_ic for
// p = softmax(βf) and values f, rows × classes. The targets are (N_c+1)/(N_c+m) for the
// class c of the row and 1/(N_c+m) for the others, as Platt's for two classes, so that
// there is a minimum even where every row is told right. In β the loss is convex (in T
// or log T it need not be): Newton's method in a shrinking bracket, O(nm) an iteration,
// cannot fail. β = 0, equal probabilities, is the answer where the values know less than
// nothing.
func FitTemperature(f *mat.Dense, class []int, w []float64) (beta float64, err error) {
	n, m := f.Dims()
	if err := checkClasses(f, class, m, w); err != nil {
		return 0, err
	}
	_, other := smoothed(class, w, m)
	scale := 0.0
	for i := range n {
		row := f.RawRowView(i)
		low, high := row[0], row[0]
		for _, v := range row {
			low, high = min(low, v), max(high, v)
		}
		scale = max(scale, high/2-low/2)
	}
	if scale == 0 {
		return 0, nil
	}
	z, p := make([]float64, m), make([]float64, m)
	root := risingRoot(func(b float64) (g, h float64) {
		for i := range n {
			row, c := f.RawRowView(i), class[i]
			for j, v := range row {
				z[j] = (v/2 - row[c]/2) / scale
			}
			Softmax(p, z, b)
			mean, square, target := 0.0, 0.0, 0.0
			for j, v := range z { // z is 0 for the class of the row
				mean += p[j] * v
				square += p[j] * v * v
				target += other[c] * v
			}
			g += weight(w, i) * (mean - target)
			h += weight(w, i) * (square - mean*mean)
		}
		return g, h
	})
	return finite(root / 2 / scale), nil
}

// fitSlope is the temperature of two-class machines: one β for all of them, p = σ(βf).
func fitSlope(f, t, w []float64) float64 {
	scale := 0.0
	for _, v := range f {
		scale = max(scale, math.Abs(v))
	}
	if scale == 0 {
		return 0
	}
	return finite(risingRoot(func(b float64) (g, h float64) {
		for i, v := range f {
			v /= scale
			p, q := sigma(b*v), sigma(-b*v)
			g += weight(w, i) * v * (p - t[i])
			h += weight(w, i) * v * v * p * q
		}
		return g, h
	}) / scale)
}

// checkClasses reports what is wrong with values, classes and weights of rows.
func checkClasses(f *mat.Dense, class []int, m int, w []float64) error {
	n, columns := f.Dims()
	if len(class) != n {
		return fmt.Errorf("calibrate: there are decision values of %d rows and classes of %d", n, len(class))
	}
	for i, c := range class {
		if c < 0 || c >= m {
			return fmt.Errorf("calibrate: row %d is of class %d, and there are %d classes, from 0", i, c, m)
		}
		for j := range columns {
			if v := f.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("calibrate: decision value %d of row %d is %v: a map is fitted to finite values", j, i, v)
			}
		}
	}
	return checkWeights(n, w)
}
