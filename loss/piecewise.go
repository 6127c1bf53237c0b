package loss

import (
	"fmt"
	"math"
)

// Absolute is |y − f|, whose minimum is the median.
type Absolute struct{}

// String returns "absolute".
func (Absolute) String() string { return "absolute" }

// Pieces has slopes 1 on both sides of y.
func (Absolute) Pieces(y float64) (at, up, down, width float64) { return y, 1, 1, 0 }

// Value is |y − f|.
func (l Absolute) Value(y, f float64) float64 { return pieceValue(l, y, f) }

// Gradient is the sign of f − y.
func (l Absolute) Gradient(y, f float64) float64 { return pieceSlope(l, y, f) }

// Curvature is 0.
func (Absolute) Curvature(_, _ float64) float64 { return 0 }

// Quantile is the pinball loss max(τr, (τ − 1)r) of the residual r = y − f, whose minimum
// is the τ-quantile (Koenker and Bassett 1978). The absolute loss is twice that of
// τ = ½.
type Quantile struct{ Tau float64 } // in (0, 1)

// String returns "quantile(tau=…)".
func (l Quantile) String() string { return fmt.Sprintf("quantile(tau=%g)", l.Tau) }

// Pieces has slopes τ below y and 1 − τ above.
func (l Quantile) Pieces(y float64) (at, up, down, width float64) { return y, l.Tau, 1 - l.Tau, 0 }

// Value is max(τr, (τ − 1)r).
func (l Quantile) Value(y, f float64) float64 { return pieceValue(l, y, f) }

// Gradient is −τ for f < y, 1 − τ for f > y.
func (l Quantile) Gradient(y, f float64) float64 { return pieceSlope(l, y, f) }

// Curvature is 0.
func (Quantile) Curvature(_, _ float64) float64 { return 0 }

// Insensitive is max(|y − f| − ε, 0), the loss of support vector regression (Vapnik
// 1995): rows within the tube have no coefficient.
type Insensitive struct{ Epsilon float64 } // ≥ 0, in units of y

// String returns "insensitive(epsilon=…)".
func (l Insensitive) String() string { return fmt.Sprintf("insensitive(epsilon=%g)", l.Epsilon) }

// Pieces has slopes 1 outside of y ± ε.
func (l Insensitive) Pieces(y float64) (at, up, down, width float64) { return y, 1, 1, l.Epsilon }

// Value is max(|y − f| − ε, 0).
func (l Insensitive) Value(y, f float64) float64 { return pieceValue(l, y, f) }

// Gradient is the sign of f − y outside of the tube, 0 inside.
func (l Insensitive) Gradient(y, f float64) float64 { return pieceSlope(l, y, f) }

// Curvature is 0.
func (Insensitive) Curvature(_, _ float64) float64 { return 0 }

// Hinge is max(1 − yf, 0), y = ±1, the loss of the support vector machine.
type Hinge struct{}

// String returns "hinge".
func (Hinge) String() string { return "hinge" }

// Pieces has slope 1 below 1 for y = 1, and above −1 for y = −1.
func (Hinge) Pieces(y float64) (at, up, down, width float64) {
	return y, math.Max(y, 0), math.Max(-y, 0), 0
}

// Value is max(1 − yf, 0).
func (l Hinge) Value(y, f float64) float64 { return pieceValue(l, y, f) }

// Gradient is −y for yf < 1, 0 beyond.
func (l Hinge) Gradient(y, f float64) float64 { return pieceSlope(l, y, f) }

// Curvature is 0.
func (Hinge) Curvature(_, _ float64) float64 { return 0 }

func pieceValue(l Piecewise, y, f float64) float64 {
	at, up, down, width := l.Pieces(y)
	return up*math.Max(at-f-width, 0) + down*math.Max(f-at-width, 0)
}

func pieceSlope(l Piecewise, y, f float64) float64 {
	at, up, down, width := l.Pieces(y)
	switch {
	case f < at-width:
		return -up
	case f > at+width:
		return down
	}
	return 0
}

var _ = []Piecewise{Absolute{}, Quantile{}, Insensitive{}, Hinge{}}
