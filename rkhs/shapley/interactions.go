package shapley

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Pair is the interaction of two players at a row,
//
//	I_ab = Σ_{S∌a,b} |S|!(d−2−|S|)!/(d−1)! (v(S∪{a,b}) − v(S∪{a}) − v(S∪{b}) + v(S)),
//
// what both add together beyond what each adds alone (M. Grabisch and M. Roubens, An axiomatic
// approach to the concept of interaction among players in cooperative games, 1999). It is 0 where f
// is a sum of functions, none of which sees both.
type Pair struct {
	First, Second int
	Value         float64
	Error         float64 // standard error; 0: exact
}

// pairs adds the interactions of a term between x and a point to sum, players × players:
// as in step 3 of [Explain], q!(d−2−q)!/(d−1)! = ∫₀¹ t^q (1−t)^{d−2−q} dt, so that
//
//	I_ab = (u_a − w_a)(u_b − w_b) ∫₀¹ Π_{l≠a,b} (w_l + t(u_l − w_l)) dt
//
// for a product, in O(d³). The players of a sum do not interact.
func (t term) pairs(sum []*mat.Dense, coef, u, w, right []float64) {
	d := len(u)
	if t.Additive || d < 2 {
		return
	}
	h := make([]float64, d*d)
	right[d] = 1
	for m, at := range t.t {
		for p := d - 1; p >= 0; p-- {
			right[p] = right[p+1] * (w[p] + at*(u[p]-w[p]))
		}
		left := t.weight[m]
		for a := range d {
			between := left
			for b := a + 1; b < d; b++ {
				h[a*d+b] += between * right[b+1]
				between *= w[b] + at*(u[b]-w[b])
			}
			left *= w[a] + at*(u[a]-w[a])
		}
	}
	for o, c := range coef {
		if c == 0 {
			continue
		}
		for a := range d {
			for b := a + 1; b < d; b++ {
				first, second := t.players[a], t.players[b]
				sum[o].Set(first, second, sum[o].At(first, second)+t.Weight*c*(u[a]-w[a])*(u[b]-w[b])*h[a*d+b])
			}
		}
	}
}

// listed returns the pairs of the outputs.
func listed(sum []*mat.Dense) [][]Pair {
	out := make([][]Pair, len(sum))
	for o, of := range sum {
		n, _ := of.Dims()
		for a := range n {
			for b := a + 1; b < n; b++ {
				out[o] = append(out[o], Pair{First: a, Second: b, Value: of.At(a, b)})
			}
		}
	}
	return out
}

// moments are those of the draws of one pair.
type moments struct{ n, mean, square float64 }

func (m *moments) add(v float64) {
	m.n++
	off := v - m.mean
	m.mean += off / m.n
	m.square += off * (v - m.mean)
}

// meet adds a draw of every pair that is next to each other in a walk: those before both are S,
// which has every size 0 … d−2 as often, and every set of one size. The reverse order has the same
// pairs, and the other players for S: one draw is the mean of both.
func (d *draws) meet(o int, w, back walk, at func(w walk, place int) float64) {
	clear(d.side)
	last := len(w.order) - 2
	for turn, w := range []walk{w, back} {
		for k := range w.skips {
			pair := k
			if turn == 1 {
				pair = last - k
			}
			d.side[pair] += ((at(w, w.places[k+2]) - at(w, w.skips[k])) - (at(w, w.places[k+1]) - at(w, w.places[k]))) / 2
		}
	}
	for k, v := range d.side {
		a, b := min(w.order[k], w.order[k+1]), max(w.order[k], w.order[k+1])
		d.met[o][a*len(d.columns)+b].add(v)
	}
}

// interactions returns the pairs that were met twice, or more often, and their standard errors.
func (d *draws) interactions() [][]Pair {
	out := make([][]Pair, d.outputs)
	n := len(d.columns)
	for o, met := range d.met {
		for at, m := range met {
			if m.n > 1 {
				out[o] = append(out[o], Pair{First: at / n, Second: at % n, Value: m.mean, Error: math.Sqrt(m.square / (m.n - 1) / m.n)})
			}
		}
	}
	return out
}
