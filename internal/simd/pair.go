package simd

import "math"

// Advance is one half of a step of sequential minimal optimisation: it adds
// step·(ki − kj) to the gradient g and returns the least of g + rise and where it is,
// the first of equal ones; +Inf and −1 if there is none below +Inf. The slices have the
// length of g.
func Advance[F Float](g, rise []float64, ki, kj []F, step float64) (at int, least float64) {
	rise, ki, kj = rise[:len(g)], ki[:len(g)], kj[:len(g)]
	if ki, ok := any(ki).([]float32); ok {
		return advanceAt(Best(), g, rise, ki, any(kj).([]float32), step)
	}
	return advancePlain(g, rise, ki, kj, step)
}

// advancePlain is [Advance] in plain Go.
func advancePlain[F Float](g, rise []float64, ki, kj []F, step float64) (at int, least float64) {
	at, least = -1, math.Inf(1)
	for t := range g {
		v := g[t] + step*(float64(ki[t])-float64(kj[t]))
		g[t] = v
		if v += rise[t]; v < least {
			at, least = t, v
		}
	}
	return at, least
}

// Partner is the other half: a candidate t for the second variable has the violation
// b = g[t] − fall[t] − gi and the curvature a = max(kii + diag[t] − 2k[t], floor), and
// gains b²/2a.
type Partner struct {
	At        int     // the first t with the largest b²/a of those with b > 0, −1 if there is none
	Gain      float64 // its b²
	Curvature float64 // its a
	Violation float64 // the largest b, at least 0
}

// FindPartner finds the second variable. The slices have the length of k; fall may hold
// +Inf. Fractions are compared by cross-multiplication.
func FindPartner[F Float](k []F, g, fall, diag []float64, gi, kii, floor float64) Partner {
	g, fall, diag = g[:len(k)], fall[:len(k)], diag[:len(k)]
	if k, ok := any(k).([]float32); ok {
		return partnerAt(Best(), k, g, fall, diag, gi, kii, floor)
	}
	return partnerPlain(k, g, fall, diag, gi, kii, floor)
}

// partnerPlain is [FindPartner] in plain Go. It does not branch on data but for
// improvements, which are rare: −b² stands in where b is negative, and never wins.
func partnerPlain[F Float](k []F, g, fall, diag []float64, gi, kii, floor float64) Partner {
	p := Partner{At: -1, Curvature: 1}
	for t, v := range k {
		b := g[t] - fall[t] - gi
		a := kii + diag[t] - 2*float64(v)
		if a < floor {
			a = floor
		}
		if b > p.Violation {
			p.Violation = b
		}
		if gain := b * math.Abs(b); gain*p.Curvature > p.Gain*a {
			p.At, p.Gain, p.Curvature = t, gain, a
		}
	}
	return p
}

// merge keeps the better of two partners, the one with the lower place of equal ones.
func (p Partner) merge(q Partner) Partner {
	here, there := p.Gain*q.Curvature, q.Gain*p.Curvature
	violation := max(p.Violation, q.Violation)
	if q.At >= 0 && (p.At < 0 || there > here || there == here && q.At < p.At) {
		p = q
	}
	p.Violation = violation
	return p
}
