package check

import (
	"math"
	"math/big"
)

// margin is how many bits of a value are given to the errors of its evaluation: of
// the kernel (a few units), and of the sum over m² terms.
const margin = 24

// doubt is the number of roundings that a value of a float64 kernel is granted.
const doubt = 1 << 10

// certificate is a value of aᵀKa (or of k(x,y) − k(y,x)) and how far it had to be
// from zero. exact is nil where the kernel is evaluated in float64 only.
type certificate struct {
	value, bound float64
	exact        *big.Float
}

// certify reports whether aᵀKa < 0 beyond the error of its evaluation: at prec and
// again at 2·prec bits, or beyond a generous bound where there is only float64.
func (e *engine) certify(points [][]float64, a []float64) (certificate, bool) {
	if e.exact == nil {
		return e.certifyFloat(points, a)
	}
	once, bound, ok := e.quadratic(points, a, e.prec)
	if !ok || !below(once, bound) {
		return certificate{}, false
	}
	twice, _, ok := e.quadratic(points, a, 2*e.prec)
	if !ok || !below(twice, bound) {
		return certificate{}, false
	}
	if d := new(big.Float).Sub(once, twice); d.Abs(d).Cmp(bound) > 0 {
		return certificate{}, false
	}
	return certificate{value: finite(once), bound: finite(bound), exact: once}, true
}

// finite is the float64 nearest to v, which JSON can hold.
func finite(v *big.Float) float64 {
	f, _ := v.Float64()
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}

// below reports whether v < −bound.
func below(v, bound *big.Float) bool {
	return v.Cmp(new(big.Float).Neg(bound)) < 0
}

// quadratic returns aᵀKa at prec bits and 2^(−prec+margin)·Σ|aᵢaⱼkᵢⱼ|.
func (e *engine) quadratic(points [][]float64, a []float64, prec uint) (value, bound *big.Float, ok bool) {
	value, size := newBig(prec), newBig(prec)
	term, factor := newBig(prec), newBig(prec)
	for i, x := range points {
		for j := i; j < len(points); j++ {
			if a[i] == 0 || a[j] == 0 {
				continue
			}
			k, ok := e.evalBig(x, points[j], prec)
			if !ok {
				return nil, nil, false
			}
			term.Mul(k, term.SetFloat64(a[i]))
			term.Mul(term, factor.SetFloat64(a[j]))
			if i != j {
				term.SetMantExp(term, 1)
			}
			value.Add(value, term)
			size.Add(size, term.Abs(term))
		}
	}
	return value, size.SetMantExp(size, margin-int(prec)), true
}

func newBig(prec uint) *big.Float { return new(big.Float).SetPrec(prec) }

// evalBig returns k(x, y) at prec bits, or false where it is not defined.
func (e *engine) evalBig(x, y []float64, prec uint) (*big.Float, bool) {
	e.tried.Exact++
	v, err := e.exact.EvalBig(x, y, prec)
	return v, err == nil && !v.IsInf()
}

// certifyFloat compares aᵀKa in float64 with the bound of [Witness].
func (e *engine) certifyFloat(points [][]float64, a []float64) (certificate, bool) {
	if !e.gram(points) {
		return certificate{}, false
	}
	m := len(points)
	value, sum, top := 0.0, 0.0, 0.0
	for i := range m {
		sum += math.Abs(a[i])
		for j := range m {
			value += a[i] * a[j] * e.k0[i*m+j]
			top = max(top, math.Abs(e.k0[i*m+j]))
		}
	}
	bound := doubt * float64(m) * 0x1p-52 * sum * sum * top
	return certificate{value: value, bound: bound}, value < -bound
}

// asymmetric returns a candidate if k(x, y) ≠ k(y, x) beyond doubt. Where float64
// sees next to no difference, the exact values are compared only if thorough.
func (e *engine) asymmetric(x, y []float64, thorough bool) *candidate {
	there, back := e.eval(x, y), e.eval(y, x)
	size := max(math.Abs(there), math.Abs(back))
	difference := there - back
	if math.IsNaN(difference) || math.IsInf(difference, 0) {
		return nil
	}
	points := [][]float64{x, y}
	if e.exact == nil {
		bound := doubt * 0x1p-52 * size
		if math.Abs(difference) <= bound {
			return nil
		}
		return &candidate{points: points, proof: certificate{value: difference, bound: bound}}
	}
	if math.Abs(difference) <= 0x1p-40*size && !thorough {
		return nil
	}
	var proof certificate
	for _, prec := range []uint{2 * e.prec, e.prec} {
		a, okA := e.evalBig(x, y, prec)
		b, okB := e.evalBig(y, x, prec)
		if !okA || !okB {
			return nil
		}
		bound := newBig(prec).Add(newBig(prec).Abs(a), newBig(prec).Abs(b))
		bound.SetMantExp(bound, margin-int(prec))
		d := newBig(prec).Sub(a, b)
		if newBig(prec).Abs(d).Cmp(bound) <= 0 {
			return nil
		}
		proof = certificate{value: finite(d), bound: finite(bound), exact: d}
	}
	return &candidate{points: points, proof: proof}
}
