package loss

import "math"

// Softmax replaces η by p_c = e^η_c / Σ e^η and returns ln Σ e^η: the loss −ln p_y of the class y
// is this less η_y. The largest number is subtracted first, so that nothing overflows.
func Softmax(p []float64) (logSum float64) {
	largest := math.Inf(-1)
	for _, v := range p {
		largest = math.Max(largest, v)
	}
	sum := 0.0
	for c, v := range p {
		p[c] = math.Exp(v - largest)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return largest + math.Log(sum)
}
