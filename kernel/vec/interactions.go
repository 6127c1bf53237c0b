package vec

import (
	"errors"
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// interactions is an [ANOVA] kernel of which the number of columns is known, as an elementwise
// function of the base kernel on each: for base kernels that cannot be compiled.
type interactions struct {
	of    ANOVA
	parts []Kernel
}

// Eval returns the value of the kernel.
func (k interactions) Eval(x, y []float64) float64 { return k.of.Eval(x, y) }

// String returns the text of the kernel.
func (k interactions) String() string { return k.of.String() }

// Parts returns the base kernel on each column.
func (k interactions) Parts() []Kernel { return k.parts }

// Combine applies the recursion to every element.
func (k interactions) Combine(dst []float64, parts [][]float64) {
	weights := k.of.weights(len(parts))
	e := make([]float64, len(weights))
	for i := range dst {
		clear(e)
		for _, part := range parts {
			tile.FoldElementary(e, part[i])
		}
		dst[i] = tile.Dot(weights, e)
	}
}

// mostLost is the number of bits that an exact value may lose to cancellation before it is taken
// to be 0.
const mostLost = 1 << 14

// EvalBig returns k(x, y) to prec bits. Where base kernels of both signs cancel, it is computed
// again with more bits; the sum of the absolute values of all terms says how many are lost.
func (k ANOVA) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	of, ok := k.Of.(kernel.Exact[[]float64])
	if !ok {
		return nil, k.NotExact()
	}
	if err := errors.Join(k.Contains(x), k.Contains(y)); err != nil {
		return nil, err
	}
	for extra := uint(guardBits); ; extra *= 2 {
		values, sizes := make([]*big.Float, len(x)), make([]*big.Float, len(x))
		for j := range x {
			v, err := of.EvalBig(x[j:j+1], y[j:j+1], prec+extra)
			if err != nil {
				return nil, err
			}
			values[j], sizes[j] = v, new(big.Float).Abs(v)
		}
		sum, size := k.foldBig(values, prec+extra), k.foldBig(sizes, prec+extra)
		lost := 0
		switch {
		case sum.Sign() != 0:
			lost = size.MantExp(nil) - sum.MantExp(nil)
		case size.Sign() != 0:
			lost = int(extra)
		}
		// 32 bits are for the roundings, two for each of d steps
		if lost+32 <= int(extra) || extra >= mostLost {
			return sum.SetPrec(prec), nil
		}
	}
}

// foldBig is the recursion with prec bits.
func (k ANOVA) foldBig(values []*big.Float, prec uint) *big.Float {
	fresh := func() *big.Float { return new(big.Float).SetPrec(prec) }
	e := make([]*big.Float, min(k.degree(), len(values))+1)
	for s := range e {
		e[s] = fresh()
	}
	e[0].SetInt64(1)
	for _, v := range values {
		for s := len(e) - 1; s >= 1; s-- {
			e[s].Add(e[s], fresh().Mul(v, e[s-1]))
		}
	}
	sum := fresh()
	for s := 1; s < len(e); s++ {
		sum.Add(sum, fresh().Mul(new(big.Float).SetFloat64(k.weight(s)), e[s]))
	}
	return sum
}

// NotExact names a base kernel that can be evaluated in float64 only.
func (k ANOVA) NotExact() error { return Columns{Of: k.Of}.NotExact() }
