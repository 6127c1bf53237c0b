package krr

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// system is the weighted problem in the coordinates in which it is symmetric. With
// s = √w it is M β = s∘(y − b), M = diag(s) K diag(s) + R·I, sᵀβ = 0, and α = s∘β.
// Removing a row, a likelihood or a trace look the same in these coordinates as
// without weights, except that the column of the intercept is s instead of 1.
type system struct {
	y         *mat.Dense // n×m targets
	s         []float64  // √wᵢ
	n, m      int
	active    int     // rows with a weight > 0
	total     float64 // N = Σ wᵢ
	intercept bool
}

func newSystem(y *mat.Dense, weights []float64, intercept bool) *system {
	n, m := y.Dims()
	sys := &system{y: y, s: make([]float64, n), n: n, m: m, intercept: intercept}
	for i := range sys.s {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			sys.active++
		}
		sys.total += w
		sys.s[i] = math.Sqrt(w)
	}
	return sys
}

// weighted reports whether any weight differs from 1.
func (sys *system) weighted() bool {
	for _, s := range sys.s {
		if s != 1 {
			return true
		}
	}
	return false
}

// ridge returns R for the two ways of giving it.
func (sys *system) ridge(lambda, ridge float64) float64 {
	if ridge != 0 {
		return ridge
	}
	return sys.total * lambda
}

// means returns ȳ, the weighted means of the targets, or zeros without an intercept.
func (sys *system) means() []float64 {
	mean := make([]float64, sys.m)
	if !sys.intercept {
		return mean
	}
	for i, s := range sys.s {
		for j, v := range sys.y.RawRowView(i) {
			mean[j] += s * s * v / sys.total
		}
	}
	return mean
}

// shift is the diagonal that makes M of diag(s) K diag(s): R, except that rows of
// weight zero, whose row of M is otherwise empty, get 1 when R = 0. Their β is zero
// for any positive number there, because their right-hand side is.
func (sys *system) shift(ridge float64) []float64 {
	d := make([]float64, sys.n)
	for i, s := range sys.s {
		d[i] = ridge
		if ridge == 0 && s == 0 {
			d[i] = 1
		}
	}
	return d
}

// scale replaces the upper triangle of K by that of diag(s) K diag(s).
func (sys *system) scale(k *mat.SymDense) {
	if !sys.weighted() {
		return
	}
	raw := k.RawSymmetric()
	for i, si := range sys.s {
		row := raw.Data[i*raw.Stride : i*raw.Stride+sys.n]
		for j := i; j < sys.n; j++ {
			row[j] *= si * sys.s[j]
		}
	}
}

// rhs returns the right-hand sides of M [u V] = [s  s∘y]: the column of the
// intercept first, if there is one, then one column per target.
func (sys *system) rhs() *mat.Dense {
	first := sys.columns() - sys.m
	b := mat.NewDense(sys.n, sys.columns(), nil)
	for i, s := range sys.s {
		row := b.RawRowView(i)
		row[0] = s // overwritten below where there is no intercept
		for j, y := range sys.y.RawRowView(i) {
			row[first+j] = s * y
		}
	}
	return b
}

// columns is the number of right-hand sides.
func (sys *system) columns() int {
	if sys.intercept {
		return sys.m + 1
	}
	return sys.m
}

// border turns the solution [u V] of M [u V] = [s  s∘y] into that of the bordered
// system: b = sᵀV / sᵀu, β = V − u·b. It returns β (n×m), b (m), u and sᵀu; without
// an intercept b = 0 and u = nil.
func (sys *system) border(x *mat.Dense) (beta *mat.Dense, bias, u []float64, su float64) {
	bias = make([]float64, sys.m)
	if !sys.intercept {
		return x, bias, nil, 0
	}
	u = make([]float64, sys.n)
	beta = mat.NewDense(sys.n, sys.m, nil)
	for i, s := range sys.s {
		row := x.RawRowView(i)
		u[i] = row[0]
		su += s * row[0]
		for j := range bias {
			bias[j] += s * row[1+j]
		}
	}
	for j := range bias {
		bias[j] /= su
	}
	for i := range u {
		row, out := x.RawRowView(i)[1:], beta.RawRowView(i)
		for j, v := range row {
			out[j] = v - u[i]*bias[j]
		}
	}
	return beta, bias, u, su
}

// coef returns α = s∘β.
func (sys *system) coef(beta *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(beta)
	for i, s := range sys.s {
		for j, row := 0, out.RawRowView(i); j < len(row); j++ {
			row[j] *= s
		}
	}
	return out
}
