package gp

import (
	"math"

	"example.org/mercer/loss"
)

// Probability returns the probability of class 1 averaged over a latent value
// f ~ N(mean, variance), R&W (3.25): ∫ σ(f) N(f; mean, variance) df, to about 14 digits by
// the trapezoidal rule, which converges exponentially for functions that are analytic
// near the axis. It is on the
// side of ½ that the mean is on.
//
// Trefethen and Weideman, The exponentially convergent trapezoidal rule, SIAM Review 56
// (2014), theorem 5.1.
func Probability(mean, variance float64) float64 {
	s, average := math.Sqrt(variance), overLogistic
	if s < narrow {
		average = overGaussian
	}
	switch {
	case s == 0:
		return loss.Sigmoid(mean)
	case mean < 0:
		return math.Min(0.5, average(mean, s))
	case mean > 0:
		return math.Max(0.5, average(mean, s))
	}
	return 0.5
}

// narrow is the standard deviation below which the nodes follow the normal density, and
// above which they follow the logistic one.
const narrow = 1

// overGaussian sums σ(mean + sz) over nodes of z: with the pole of σ at distance π/s and
// a step of ½ the error is e^(−4π²/s) from the pole and e^(−8π²) from the density.
func overGaussian(mean, s float64) float64 {
	const step, reach = 0.5, 17 // e^(−8.5²/2) is 2e-16
	sum, total := 0.0, 0.0
	for i := -reach; i <= reach; i++ {
		z := step * float64(i)
		w := math.Exp(-z * z / 2)
		sum += w * loss.Sigmoid(mean+s*z)
		total += w
	}
	return sum / total
}

// overLogistic sums Φ((mean + u)/s) over nodes of the logistic density, whose distribution
// function is σ: f > −u for a logistic u. With poles of the density at ±iπ and a step of
// ½ the error is e^(−4π²).
func overLogistic(mean, s float64) float64 {
	const step, reach = 0.5, 76 // e^(−38) is 3e-17
	sum, total := 0.0, 0.0
	for i := -reach; i <= reach; i++ {
		u := step * float64(i)
		w := loss.Sigmoid(u) * loss.Sigmoid(-u)
		sum += w * math.Erfc(-(mean+u)/(s*math.Sqrt2)) / 2
		total += w
	}
	return sum / total
}
