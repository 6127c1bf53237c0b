package metric

import "math"

// weight returns wᵢ.
func weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// Confusion returns the m×m matrix Cₐᵦ = Σ wᵢ over the rows of class a that were
// predicted as class b.
func Confusion(truth, predicted []int, m int, w []float64) [][]float64 {
	c := make([][]float64, m)
	for a := range c {
		c[a] = make([]float64, m)
	}
	for i, a := range truth {
		c[a][predicted[i]] += weight(w, i)
	}
	return c
}

// Accuracy returns the share of right labels, Σₐ Cₐₐ / Σ C.
func Accuracy(confusion [][]float64) float64 {
	right, total := 0.0, 0.0
	for a, row := range confusion {
		right += row[a]
		for _, v := range row {
			total += v
		}
	}
	return right / total
}

// Recalls returns for every class the share of its rows that were found,
// Cₐₐ / Σᵦ Cₐᵦ; NaN for a class without rows.
func Recalls(confusion [][]float64) []float64 {
	out := make([]float64, len(confusion))
	for a, row := range confusion {
		total := 0.0
		for _, v := range row {
			total += v
		}
		out[a] = row[a] / total
	}
	return out
}

// Precisions returns for every class the share of the rows that were predicted as it
// and are of it, Cₐₐ / Σᵦ Cᵦₐ; NaN for a class that was never predicted.
func Precisions(confusion [][]float64) []float64 {
	out := make([]float64, len(confusion))
	for a := range confusion {
		total := 0.0
		for b := range confusion {
			total += confusion[b][a]
		}
		out[a] = confusion[a][a] / total
	}
	return out
}

// Balanced returns the balanced accuracy: the mean of the recalls of the classes that
// have rows. Guessing gives 1/m however unequal the classes are.
func Balanced(confusion [][]float64) float64 {
	sum, classes := 0.0, 0.0
	for _, r := range Recalls(confusion) {
		if !math.IsNaN(r) {
			sum += r
			classes++
		}
	}
	return sum / classes
}

// F1 returns for every class the harmonic mean of precision and recall,
// 2Cₐₐ / (Σᵦ Cₐᵦ + Σᵦ Cᵦₐ); 0 for a class without rows that was predicted, or with rows
// and never predicted; NaN where there is neither.
func F1(confusion [][]float64) []float64 {
	out := make([]float64, len(confusion))
	for a, row := range confusion {
		total := 0.0
		for b, v := range row {
			total += v + confusion[b][a]
		}
		out[a] = 2 * row[a] / total
	}
	return out
}

// MacroF1 returns the mean of [F1] over the classes that occur.
func MacroF1(confusion [][]float64) float64 {
	sum, classes := 0.0, 0.0
	for _, f := range F1(confusion) {
		if !math.IsNaN(f) {
			sum += f
			classes++
		}
	}
	return sum / classes
}
