package svm

import "math"

// The two loops of a step. Neither branches on data except for improvements, which are
// rare: a variable that cannot move in the wanted direction has +Inf added to what is
// compared.

// advance adds step·(kᵢ − kⱼ) to the gradient and returns the least gradient of those
// that can rise (rise is 0, else +Inf), and where it is; +Inf and −1 if none can.
func advance[F float32 | float64](g, rise []float64, ki, kj []F, step float64) (at int, least float64) {
	at, least = -1, math.Inf(1)
	rise, ki, kj = rise[:len(g)], ki[:len(g)], kj[:len(g)]
	for t := range g {
		v := g[t] + step*(float64(ki[t])-float64(kj[t]))
		g[t] = v
		if v += rise[t]; v < least {
			at, least = t, v
		}
	}
	return at, least
}

// steepest is advance with a step of 0.
func steepest(g, rise []float64) (at int, least float64) {
	at, least = -1, math.Inf(1)
	rise = rise[:len(g)]
	for t, v := range g {
		if v += rise[t]; v < least {
			at, least = t, v
		}
	}
	return at, least
}

// leastCurvature stands for a curvature that is not positive, as it is between equal
// points and with indefinite kernels; with it every step still lowers the objective,
// so that the method terminates (Chen, Fan, Lin, IEEE TNN 17, 2006).
const leastCurvature = 1e-12

// candidate is a second variable: with b the violation of the pair and a its curvature,
// the objective falls by b²/2a.
type candidate struct {
	at        int
	gain      float64 // b²
	curvature float64 // a
	violation float64 // the largest b of all
}

// partner returns the best second variable of those that can fall (fall is 0, else
// +Inf) for a first one with gradient gi and diagonal element kii: the one with the
// largest b²/a (Fan, Chen, Lin, JMLR 6, 2005: second order selection). The negative of
// b² stands in where b is negative, and never wins.
func partner[F float32 | float64](k []F, g, fall, diag []float64, gi, kii float64) candidate {
	c := candidate{at: -1, curvature: 1}
	g, fall, diag = g[:len(k)], fall[:len(k)], diag[:len(k)]
	for t, v := range k {
		b := g[t] - fall[t] - gi
		a := kii + diag[t] - 2*float64(v)
		if a < leastCurvature {
			a = leastCurvature
		}
		if b > c.violation {
			c.violation = b
		}
		if gain := b * math.Abs(b); gain*c.curvature > c.gain*a {
			c.at, c.gain, c.curvature = t, gain, a
		}
	}
	return c
}
