package loss

import (
	"fmt"
	"math"
)

// Squared is (y − f)²/2.
type Squared struct{}

// String returns "squared".
func (Squared) String() string { return "squared" }

// Value is (y − f)²/2.
func (Squared) Value(y, f float64) float64 { return (y - f) * (y - f) / 2 }

// Gradient is f − y.
func (Squared) Gradient(y, f float64) float64 { return f - y }

// Curvature is 1.
func (Squared) Curvature(_, _ float64) float64 { return 1 }

// Huber is r²/2 for residuals |r| ≤ k and k|r| − k²/2 beyond, k = K·Scale: convex, and
// every row pulls with at most k (Huber 1964). The zero value has K = 1.345, which is
// 95 % efficient for normal residuals, and a scale that is estimated.
type Huber struct {
	K     float64 // 0 means 1.345
	Scale float64 // standard deviation of the good residuals; 0: estimated by the solver
}

func (h Huber) knee() float64 { return orDefault(h.K, 1.345) * orDefault(h.Scale, 1) }

func orDefault(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}

// String returns "huber(k=1.345, scale=…)".
func (h Huber) String() string {
	return fmt.Sprintf("huber(k=%g%s)", orDefault(h.K, 1.345), scaleText(h.Scale))
}

func scaleText(scale float64) string {
	if scale == 0 {
		return ""
	}
	return fmt.Sprintf(", scale=%.6g", scale)
}

// Value is r²/2 or k|r| − k²/2.
func (h Huber) Value(y, f float64) float64 {
	r, k := math.Abs(y-f), h.knee()
	if r <= k {
		return r * r / 2
	}
	return k * (r - k/2)
}

// Gradient is −r, at most k in absolute value.
func (h Huber) Gradient(y, f float64) float64 {
	k := h.knee()
	return math.Max(-k, math.Min(k, f-y))
}

// Curvature is 1 for |r| ≤ k and 0 beyond.
func (h Huber) Curvature(y, f float64) float64 {
	if math.Abs(y-f) <= h.knee() {
		return 1
	}
	return 0
}

// Majorize is min(1, k/|r|), the weight of iteratively reweighted least squares.
func (h Huber) Majorize(y, f float64) float64 {
	r, k := math.Abs(y-f), h.knee()
	if r <= k {
		return 1
	}
	return k / r
}

// Scaled returns Scale.
func (h Huber) Scaled() float64 { return h.Scale }

// WithScale returns the loss with another scale.
func (h Huber) WithScale(scale float64) Loss { return Huber{K: h.K, Scale: scale} }

// Tukey is the biweight, c²/6·(1 − (1 − (r/c)²)³) for |r| ≤ c = C·Scale and the constant
// c²/6 beyond, so that far rows do not pull at all (Beaton and Tukey 1974). It is not
// convex: the result depends on the start. Near 0 it is r²/2. The zero value has
// C = 4.685, which is 95 % efficient for normal residuals, and a scale that is
// estimated.
type Tukey struct {
	C     float64 // 0 means 4.685
	Scale float64 // standard deviation of the good residuals; 0: estimated by the solver
}

func (l Tukey) corner() float64 { return orDefault(l.C, 4.685) * orDefault(l.Scale, 1) }

// String returns "tukey(c=4.685, scale=…)".
func (l Tukey) String() string {
	return fmt.Sprintf("tukey(c=%g%s)", orDefault(l.C, 4.685), scaleText(l.Scale))
}

// inside returns 1 − (r/c)², 0 beyond the corner.
func (l Tukey) inside(y, f float64) float64 {
	u := (y - f) / l.corner()
	return math.Max(0, 1-u*u)
}

// Value is c²/6·(1 − (1 − (r/c)²)³).
func (l Tukey) Value(y, f float64) float64 {
	c, s := l.corner(), l.inside(y, f)
	if s > 0.5 { // without cancellation for small r
		u := (y - f) / c
		return c * c / 6 * u * u * (3 - 3*u*u + u*u*u*u)
	}
	return c * c / 6 * (1 - s*s*s)
}

// Gradient is −r(1 − (r/c)²)².
func (l Tukey) Gradient(y, f float64) float64 {
	s := l.inside(y, f)
	return (f - y) * s * s
}

// Curvature is (1 − (r/c)²)(1 − 5(r/c)²), negative beyond c/√5.
func (l Tukey) Curvature(y, f float64) float64 {
	s := l.inside(y, f)
	return s * (5*s - 4)
}

// Majorize is (1 − (r/c)²)², the weight of iteratively reweighted least squares.
func (l Tukey) Majorize(y, f float64) float64 {
	s := l.inside(y, f)
	return s * s
}

// Nonconvex marks a loss with local minima.
func (Tukey) Nonconvex() {}

// Scaled returns Scale.
func (l Tukey) Scaled() float64 { return l.Scale }

// WithScale returns the loss with another scale.
func (l Tukey) WithScale(scale float64) Loss { return Tukey{C: l.C, Scale: scale} }

var (
	_ Loss      = Squared{}
	_ Majorant  = Huber{}
	_ Scalable  = Huber{}
	_ Nonconvex = Tukey{}
	_ Scalable  = Tukey{}
)
