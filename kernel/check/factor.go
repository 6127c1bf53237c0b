package check

import (
	"math/big"
)

// maxFactor is the largest set that is factored in arbitrary precision.
const maxFactor = 12

// factor looks for aᵀKa < 0 with a pivoted LDLᵀ factorisation of the Gram matrix in
// arbitrary precision, which sees eigenvalues far below the rounding of float64.
//
// After the pivots P, the vector a = eⱼ − Σ_P cₚeₚ with K_PP c = K_Pj has
// aᵀKa = sⱼⱼ, a diagonal element of the Schur complement. Rounding a to float64 is
// harmless: K a vanishes on P, so that the change of aᵀKa is of second order.
func (e *engine) factor(points [][]float64) *candidate {
	m := len(points)
	if e.exact == nil || m > maxFactor {
		return nil
	}
	f := ldl{m: m, prec: e.prec, s: make([]*big.Float, m*m), size: make([]*big.Float, m)}
	for i, x := range points {
		for j := i; j < m; j++ {
			k, ok := e.evalBig(x, points[j], e.prec)
			if !ok {
				return nil
			}
			f.s[i*m+j], f.s[j*m+i] = newBig(e.prec).Set(k), newBig(e.prec).Set(k)
		}
		f.size[i] = newBig(e.prec).Abs(f.s[i*m+i])
		f.size[i].SetMantExp(f.size[i], 2*margin-int(e.prec))
	}
	a := f.negative()
	if a == nil {
		return nil
	}
	return e.certified(points, a)
}

// ldl is a symmetric matrix under elimination: s holds the Schur complement of the
// pivots, c[r][j] the multiplier of pivot r in column j.
type ldl struct {
	m      int
	prec   uint
	s      []*big.Float
	size   []*big.Float // what counts as zero on the diagonal
	pivots []int
	l      [][]*big.Float
}

// negative eliminates until a diagonal element is negative, or only zeros remain on
// the diagonal with something beside them, and returns the coefficients.
func (f *ldl) negative() []float64 {
	left := make([]int, f.m)
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		best := -1
		for at, j := range left {
			d := f.s[j*f.m+j]
			if d.Sign() < 0 && newBig(f.prec).Abs(d).Cmp(f.size[j]) > 0 {
				return f.coefficients(map[int]int{j: 1})
			}
			if d.Cmp(f.size[j]) > 0 && (best < 0 || f.ratio(j).Cmp(f.ratio(left[best])) > 0) {
				best = at
			}
		}
		if best < 0 {
			return f.offDiagonal(left)
		}
		p := left[best]
		left = append(left[:best:best], left[best+1:]...)
		f.eliminate(p, left)
	}
	return nil
}

// ratio is how much of a diagonal element the elimination has left.
func (f *ldl) ratio(j int) *big.Float {
	if f.size[j].Sign() == 0 {
		return newBig(f.prec)
	}
	return newBig(f.prec).Quo(f.s[j*f.m+j], f.size[j])
}

// eliminate subtracts the rank-one part of pivot p from the rest.
func (f *ldl) eliminate(p int, left []int) {
	row := make([]*big.Float, f.m)
	for _, j := range left {
		row[j] = newBig(f.prec).Quo(f.s[p*f.m+j], f.s[p*f.m+p])
	}
	t := newBig(f.prec)
	for a, i := range left {
		for _, j := range left[a:] {
			v := f.s[i*f.m+j]
			v.Sub(v, t.Mul(row[i], f.s[p*f.m+j]))
			if i != j {
				f.s[j*f.m+i].Set(v)
			}
		}
	}
	f.pivots, f.l = append(f.pivots, p), append(f.l, row)
}

// offDiagonal returns coefficients of a pair whose diagonal elements are zero and
// whose product is not.
func (f *ldl) offDiagonal(left []int) []float64 {
	for a, i := range left {
		for _, j := range left[a+1:] {
			v := f.s[i*f.m+j]
			if newBig(f.prec).Abs(v).Cmp(newBig(f.prec).Add(f.size[i], f.size[j])) > 0 {
				return f.coefficients(map[int]int{i: 1, j: -v.Sign()})
			}
		}
	}
	return nil
}

// coefficients returns a = Σ wⱼ(eⱼ − Σ_P cₚⱼeₚ) rounded to float64.
func (f *ldl) coefficients(w map[int]int) []float64 {
	a := make([]*big.Float, f.m)
	for i := range a {
		a[i] = newBig(f.prec).SetInt64(int64(w[i]))
	}
	// Lᵀ is unit upper triangular in pivot order: eliminate backwards.
	for r := len(f.pivots) - 1; r >= 0; r-- {
		p, t := f.pivots[r], newBig(f.prec)
		for j, l := range f.l[r] {
			if l != nil {
				a[p].Sub(a[p], t.Mul(l, a[j]))
			}
		}
	}
	out := make([]float64, f.m)
	top := 0
	for _, v := range a {
		if v.Sign() != 0 {
			top = max(top, v.MantExp(nil)+1<<20)
		}
	}
	for i, v := range a {
		out[i], _ = newBig(f.prec).SetMantExp(v, 1<<20-top).Float64()
	}
	return out
}
