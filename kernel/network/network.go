package network

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/internal/simd"
)

// Activation is the function φ of the units of a network.
type Activation int

const (
	Step      Activation = iota // 1 where u > 0, else 0
	Rectifier                   // max(u, 0)
	Square                      // max(u, 0)²
	Erf                         // erf(u)
)

var names = [...]string{"step", "relu", "square", "erf"}

// String returns the name of the activation.
func (a Activation) String() string { return names[a] }

// Value returns φ(u).
func (a Activation) Value(u float64) float64 {
	switch {
	case a == Erf:
		return math.Erf(u)
	case !(u > 0):
		return 0
	case a == Step:
		return 1
	case a == Square:
		return u * u
	}
	return u
}

// Slope returns φ′(u), and 0 at a corner.
func (a Activation) Slope(u float64) float64 {
	switch {
	case a == Erf:
		return 2 / math.Sqrt(math.Pi) * math.Exp(-u*u)
	case !(u > 0) || a == Step:
		return 0
	case a == Square:
		return 2 * u
	}
	return 1
}

// Network says which kernel: the recursion of the package's description.
type Network struct {
	Activation Activation
	Depth      int     // layers of units, at least 1
	Input      float64 // ι > 0, of Σ⁰
	Weight     float64 // w > 0
	Bias       float64 // b ≥ 0
	Tangent    bool    // Θ; else Σ. Of [Rectifier] and [Erf] only
}

// MostDepth bounds the work for a pair.
const MostDepth = 100

// Check returns an error unless the numbers are as the fields say.
func (n Network) Check() error {
	switch {
	case n.Depth < 1 || n.Depth > MostDepth:
		return fmt.Errorf("depth = %d must be a whole number from 1 to %d", n.Depth, MostDepth)
	case !(n.Weight > 0) || math.IsInf(n.Weight, 1):
		return fmt.Errorf("weight = %g must be a finite number above 0", n.Weight)
	case !(n.Bias >= 0) || math.IsInf(n.Bias, 1):
		return fmt.Errorf("bias = %g must be a finite number of at least 0: it is a variance", n.Bias)
	case n.Tangent && n.Activation != Rectifier && n.Activation != Erf:
		return errors.New("the kernel of training needs the derivative of the activation: relu or erf")
	}
	return nil
}

// Numbers returns the network as numbers, for a program of a compiled kernel; [Of] reads them.
func (n Network) Numbers() []float64 {
	tangent := 0.
	if n.Tangent {
		tangent = 1
	}
	return []float64{float64(n.Activation), float64(n.Depth), n.Input, n.Weight, n.Bias, tangent}
}

// Of returns the network whose numbers these are.
func Of(v []float64) Network {
	return Network{Activation: Activation(v[0]), Depth: int(v[1]), Input: v[2], Weight: v[3], Bias: v[4], Tangent: v[5] != 0}
}

// part is the number of pairs whose sines are computed together.
const part = 256

// Values stores the kernel of a point with others, given the angles between them in [0, π] and
// ⟨x, x⟩ and ⟨y, y⟩. dst may be theta. Of a point that is 0 the angle does not matter.
func (n Network) Values(dst, theta []float64, xx float64, yy []float64) {
	var sin, cos, half [part]float64
	for from := 0; from < len(theta); from += part {
		to := min(from+part, len(theta))
		s, c, h := sin[:to-from], cos[:to-from], half[:to-from]
		simd.Affine(h, theta[from:to], 0.5, 0)
		simd.Sincos(s, c, h, 1)
		for j := range h {
			dst[from+j] = n.value(theta[from+j], s[j], c[j], xx, yy[from+j])
		}
	}
}

// Value is [Network.Values] of one pair.
func (n Network) Value(theta, xx, yy float64) float64 {
	s, c := math.Sincos(theta / 2)
	return n.value(theta, s, c, xx, yy)
}

// value is the recursion, given the sine and cosine of half of the angle.
func (n *Network) value(theta, sin, cos, xx, yy float64) float64 {
	var t layer
	t.join(n.Input*n.Weight, math.Sqrt(xx), math.Sqrt(yy), 2*sin*sin, 2*cos*cos, n.Bias)
	if n.Bias == 0 {
		t.theta = theta
	} else {
		t.turn()
	}
	tangent := t.cov
	for l := range n.Depth {
		if n.Activation == Erf {
			slope := n.smooth(&t)
			tangent = tangent*slope + t.cov
			continue
		}
		if l > 0 {
			t.turn()
		}
		slope := n.Weight / 2 * (1 - t.theta/math.Pi)
		n.rectified(&t)
		tangent = tangent*slope + t.cov
	}
	if n.Tangent {
		return tangent
	}
	return t.cov
}

// layer is what a layer knows of a pair of points: Σ(x, x), Σ(y, y), Σ(x, y), the angle that they
// make and 1 − cos and 1 + cos of it.
type layer struct {
	q, p, cov  float64
	less, more float64
	theta      float64
}

// turn computes the angle, by the lengths of the difference and the sum of unit vectors.
func (t *layer) turn() {
	t.theta = 2 * math.Atan(math.Sqrt(t.less/t.more))
}

// join makes it the layer with Σ(x, y) = βab·cos + bias of 1 − cos = less and 1 + cos = more, and
// Σ(x, x) = βa² + bias. With R = √Σ(x,x)Σ(y,y) and r = βab, its own 1 − cos and 1 + cos are
//
//	(r·less + bias·β(a−b)²/(R + r + bias))/R   and
//	(r·more + (bias·β(a²+b²) + bias²)/(R + r) + bias)/R,
//
// sums of numbers ≥ 0.
func (t *layer) join(beta, a, b, less, more, bias float64) {
	r := beta * (a * b) // exchanging the points keeps the bits, here and below
	if bias == 0 {
		t.q, t.p, t.cov, t.less, t.more = beta*a*a, beta*b*b, r*(1-less), less, more
		return
	}
	t.q, t.p, t.cov = beta*a*a+bias, beta*b*b+bias, r*(1-less)+bias
	whole := math.Sqrt(t.q) * math.Sqrt(t.p)
	d := a - b
	t.less = (r*less + bias*beta*d*d/(whole+r+bias)) / whole
	t.more = (r*more + bias*(beta*(float64(a*a)+float64(b*b))+bias)/(whole+r) + bias) / whole
}

// rectified makes it the layer behind a power of the rectifier: E max(u,0)ⁿmax(v,0)ⁿ =
// J_n(θ)(qp)^{n/2}/2π (Cho and Saul 2009), written by 1 − J_n(θ)/J_n(0).
func (n *Network) rectified(t *layer) {
	var less, a, b float64
	sin, cos := math.Sqrt(t.less*t.more), (t.more-t.less)/2
	beta := n.Weight / 2
	switch n.Activation {
	case Step:
		less, a, b = t.theta/math.Pi, sign(t.q), sign(t.p)
	case Rectifier:
		less, a, b = t.less-(sin-t.theta*cos)/math.Pi, math.Sqrt(t.q), math.Sqrt(t.p)
	case Square:
		less, a, b = (t.theta-sin*cos)/math.Pi+(1-t.theta/math.Pi)*t.less*(4-2*t.less)/3, t.q, t.p
		beta *= 3
	}
	less = max(less, 0)
	t.join(beta, a, b, less, 2-less, n.Bias)
}

// sign is what the step makes of the length of a point: 1, but 0 for the point 0.
func sign(v float64) float64 {
	if v == 0 {
		return 0
	}
	return 1
}

// smooth is the layer behind erf, for which E φ(u)φ(v) = (2/π)·asin(2Σ/√((1+2q)(1+2p))) (Williams
// 1997), and w·E φ′(u)φ′(v) = w·(4/π)/√((1+2q)(1+2p) − 4Σ²).
func (n *Network) smooth(t *layer) (slope float64) {
	w := n.Weight * 2 / math.Pi
	rest := math.Sqrt(1 + 2*(t.q+t.p) + 4*(t.q*t.p)*(t.less*t.more))
	t.q = w*math.Atan(2*t.q/math.Sqrt(1+4*t.q)) + n.Bias
	t.p = w*math.Atan(2*t.p/math.Sqrt(1+4*t.p)) + n.Bias
	t.cov = w*math.Atan(2*t.cov/rest) + n.Bias
	t.less = 1
	if whole := math.Sqrt(t.q) * math.Sqrt(t.p); whole > 0 {
		t.less = min(max(0, 1-t.cov/whole), 2)
	}
	t.more = 2 - t.less
	return 2 * w / rest
}
