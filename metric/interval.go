package metric

// Pinball returns the mean quantile loss of predictions f of the τ-quantile,
// Σ wᵢ max(τ(yᵢ−fᵢ), (τ−1)(yᵢ−fᵢ)) / Σ wᵢ, 0 < τ < 1. At τ = ½ it is half the mean
// absolute error.
func Pinball(y, f []float64, tau float64, w []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range y {
		r := v - f[i]
		sum += weight(w, i) * max(tau*r, (tau-1)*r)
		total += weight(w, i)
	}
	return sum / total
}

// Coverage returns the share of the y that lie in their intervals [lo, hi].
func Coverage(y, lo, hi, w []float64) float64 {
	in, total := 0.0, 0.0
	for i, v := range y {
		if lo[i] <= v && v <= hi[i] {
			in += weight(w, i)
		}
		total += weight(w, i)
	}
	return in / total
}

// Width returns the mean width of intervals.
func Width(lo, hi, w []float64) float64 {
	sum, total := 0.0, 0.0
	for i := range lo {
		sum += weight(w, i) * (hi[i] - lo[i])
		total += weight(w, i)
	}
	return sum / total
}
