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

// Majorize is tanh(|f|/2)/(2|f|) (Jaakkola and Jordan 2000).
func (Logistic) Majorize(_, f float64) float64 {
	a := math.Abs(f)
	if a < 1e-4 {
		return 0.25
	}
	return math.Tanh(a/2) / (2 * a)
}

// SquaredHinge is max(1 − yf, 0)², y = ±1.
type SquaredHinge struct{}

// String returns "squared-hinge".
func (SquaredHinge) String() string { return "squared-hinge" }

// Value is max(1 − yf, 0)².
func (SquaredHinge) Value(y, f float64) float64 {
	m := math.Max(1-y*f, 0)
	return m * m
}

// Gradient is −2y·max(1 − yf, 0).
func (SquaredHinge) Gradient(y, f float64) float64 { return -2 * y * math.Max(1-y*f, 0) }

// Curvature is 2 for yf < 1, 0 beyond.
func (SquaredHinge) Curvature(y, f float64) float64 {
	if y*f < 1 {
		return 2
	}
	return 0
}

// Majorize is 2.
func (SquaredHinge) Majorize(_, _ float64) float64 { return 2 }

var _ = []Majorant{Logistic{}, SquaredHinge{}}
