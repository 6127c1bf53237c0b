package mkl

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// nonNegativeLeastSquares returns the v ≥ 0 that minimises vᵀMv − 2aᵀv for a positive semidefinite
// M of unit diagonal, by the active set method of Lawson and Hanson (Solving Least Squares
// Problems, 1974, ch. 23), which ends after finitely many steps. A term that depends linearly on
// those already in the set stays out: it could lower nothing.
func nonNegativeLeastSquares(m *mat.SymDense, a []float64) ([]float64, error) {
	const tolerance = 1e-12
	p := len(a)
	v, in, barred := make([]float64, p), []int(nil), make([]bool, p)
	for range 100 * p {
		best, slope := -1, tolerance*maxAbs(a)
		for k := range p {
			g := a[k]
			for l := range p {
				g -= m.At(k, l) * v[l]
			}
			if v[k] == 0 && !barred[k] && g > slope {
				best, slope = k, g
			}
		}
		if best < 0 {
			return v, nil
		}
		in = append(in, best)
		z, ok := solveOn(m, a, in)
		if !ok || z[len(z)-1] <= 0 {
			in, barred[best] = in[:len(in)-1], true
			continue
		}
		for {
			step, at := 1.0, -1
			for i, k := range in {
				if z[i] <= 0 {
					if s := v[k] / (v[k] - z[i]); s < step {
						step, at = s, i
					}
				}
			}
			for i, k := range in {
				v[k] += step * (z[i] - v[k])
			}
			if at < 0 {
				break
			}
			clear(barred)
			v[in[at]] = 0
			in = append(in[:at], in[at+1:]...)
			if z, ok = solveOn(m, a, in); !ok {
				return nil, errNotDefinite
			}
		}
	}
	return nil, errNotDefinite
}

var errNotDefinite = errors.New("mkl: the inner products of the terms are not positive semidefinite: some term is not a kernel on these rows, or two are almost the same; leave one out")

// solveOn returns the solution of the equations of some terms, and false where they are
// singular.
func solveOn(m *mat.SymDense, a []float64, in []int) ([]float64, bool) {
	s, b := mat.NewSymDense(len(in), nil), mat.NewVecDense(len(in), nil)
	for i, k := range in {
		b.SetVec(i, a[k])
		for j := i; j < len(in); j++ {
			s.SetSym(i, j, m.At(k, in[j]))
		}
	}
	var c mat.Cholesky
	if !c.Factorize(s) || c.Cond() > 1e13 {
		return nil, false
	}
	z := new(mat.VecDense)
	if err := c.SolveVecTo(z, b); err != nil {
		return nil, false
	}
	return z.RawVector().Data, true
}

func maxAbs(a []float64) float64 {
	out := 0.0
	for _, v := range a {
		out = max(out, v, -v)
	}
	return out
}
