package loss

import "math"

// Logistic is ln(1 + e^(−yf)), y = ±1: the negative log-likelihood of P(y|f) = σ(yf).
type Logistic struct{}

// String returns "logistic".
func (Logistic) String() string { return "logistic" }

// Value is ln(1 + e^(−yf)), computed as max(−yf, 0) + ln(1 + e^(−|f|)).
func (Logistic) Value(y, f float64) float64 {
	return math.Max(-y*f, 0) + math.Log1p(math.Exp(-math.Abs(f)))
}

// Gradient is −y σ(−yf).
func (Logistic) Gradient(y, f float64) float64 { return -y * Sigmoid(-y*f) }

// Curvature is σ(f)σ(−f).
func (Logistic) Curvature(_, f float64) float64 {
	e := math.Exp(-math.Abs(f))
	return e / ((1 + e) * (1 + e))
}

// Sigmoid is σ(u) = 1/(1 + e^(−u)), without overflow and without cancellation in the
// lower tail.
func Sigmoid(u float64) float64 {
	if u >= 0 {
		return 1 / (1 + math.Exp(-u))
	}
	e := math.Exp(u)
	return e / (1 + e)
}
