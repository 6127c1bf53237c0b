package tile

import "math"

// abreast is the number of squared distances from differences that are added side by
// side: the additions of a single one wait for one another.
const abreast = 4

// renewal replaces squared distances that come from norms and may have lost digits, see
// [keptShare], by those from differences, a few pairs of points at a time; or where rate is not
// 0, their exp(−rate·t).
type renewal[F float] struct {
	of    *field
	rate  float64
	x, y  [abreast][]float64
	at    [abreast]*F
	found int
}

// row renews among the squared distances s[j] of row point i and column point first+j,
// whose squared norms are row and cols[j].
func (r *renewal[F]) row(s []F, row F, cols []F, i, first int) {
	for j, c := range cols[:min(len(cols), r.of.cols.n-first)] {
		norms := row + c
		if s[j] >= keptShare*norms && !math.IsInf(float64(norms), 1) {
			continue
		}
		r.pair(i, first+j, &s[j])
	}
}

// pair renews what is at a place, the value of row point i and column point j.
func (r *renewal[F]) pair(i, j int, at *F) {
	r.x[r.found], r.y[r.found], r.at[r.found] = r.of.rows.at(i), r.of.cols.at(j), at
	if r.found++; r.found == abreast {
		r.flush()
	}
}

// flush renews what was found and is not renewed yet. The distances in the places that
// are empty are computed in vain.
func (r *renewal[F]) flush() {
	if r.found == 0 {
		return
	}
	for k := r.found; k < abreast; k++ {
		r.x[k], r.y[k] = r.x[0], r.y[0]
	}
	q := r.of.stat.squaredDistances(&r.x, &r.y)
	for k, at := range r.at[:r.found] {
		if r.rate != 0 {
			q[k] = math.Exp(-r.rate * q[k])
		}
		*at = F(q[k])
	}
	r.found = 0
}

// squaredDistances returns those of each x and its y, with the bits of squaredDistance.
func (s *Statistic) squaredDistances(x, y *[abreast][]float64) (q [abreast]float64) {
	if s.Weights != nil {
		for k := range q {
			q[k] = s.squaredDistance(x[k], y[k])
		}
		return q
	}
	x0, d := x[0], len(x[0])
	x1, x2, x3 := x[1][:d], x[2][:d], x[3][:d]
	y0, y1, y2, y3 := y[0][:d], y[1][:d], y[2][:d], y[3][:d]
	var q0, q1, q2, q3 float64
	for j := range x0 {
		d0, d1, d2, d3 := x0[j]-y0[j], x1[j]-y1[j], x2[j]-y2[j], x3[j]-y3[j]
		q0 += float64(d0 * d0)
		q1 += float64(d1 * d1)
		q2 += float64(d2 * d2)
		q3 += float64(d3 * d3)
	}
	return [abreast]float64{q0, q1, q2, q3}
}
