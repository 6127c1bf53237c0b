package vec

import (
	"math"

	"mercer/internal/simd"
)

// rowValues are what the program of a plan needs to know of one row of a tile.
type rowValues struct {
	statistics [][]float64 // of this row, one per statistic of the plan
	sources    []source
	row, col   int // index of the row, and of the first column
}

// run executes the program on one row of a tile and stores the result in out, which
// is the bottom of the stack. stack holds Depth rows, at least as long as out.
func (p *Plan) run(out []float64, stack [][]float64, v *rowValues) {
	stack[0] = out
	top := -1
	for i := range p.Program {
		op := &p.Program[i]
		switch op.Code {
		case OpPush:
			top++
			copy(stack[top][:len(out)], v.statistics[op.Statistic])
		case OpConstant:
			top++
			fill(stack[top][:len(out)], op.A)
		case OpAdd, OpMultiply:
			combine(op.Code, stack[top-1][:len(out)], stack[top][:len(out)])
			top--
		case OpCosine:
			rows, cols := v.sources[op.Statistic].norms()
			t := stack[top][:len(out)]
			for j := range t {
				t[j] = cosine(t[j], rows[v.row], cols[v.col+j])
			}
		default:
			profile(op, stack[top][:len(out)])
		}
	}
}

func fill(dst []float64, v float64) {
	for j := range dst {
		dst[j] = v
	}
}

func combine(code Code, dst, t []float64) {
	if code == OpAdd {
		for j, v := range t {
			dst[j] += v
		}
		return
	}
	for j, v := range t {
		dst[j] *= v
	}
}

// profile applies an operation to every element of a row.
func profile(op *Op, t []float64) {
	a, b := op.A, op.B
	switch op.Code {
	case OpAffine:
		for j, v := range t {
			t[j] = float64(a*v) + b
		}
	case OpPower:
		powers(t, int(a))
	case OpExp:
		simd.Exp(t, t, 1)
	case OpSeries:
		for j, v := range t {
			t[j] = horner(op.List, v)
		}
	case OpExpNeg:
		simd.Exp(t, t, -a)
	case OpExpNegRoot:
		simd.Sqrt(t, t, 1)
		simd.Exp(t, t, -a)
	case OpMatern:
		maternProfiles(t, a, b)
	case OpRationalQuadratic:
		for j, v := range t {
			t[j] = math.Log1p(a * v)
		}
		simd.Exp(t, t, -b)
	default:
		function(op.Code, t)
	}
}

// powers replaces every element of t by its n-th power, with the bits of [powInt].
func powers(t []float64, n int) {
	switch n {
	case 2:
		for j, v := range t {
			t[j] = v * v
		}
	case 3:
		for j, v := range t {
			t[j] = v * (v * v)
		}
	default:
		for j, v := range t {
			t[j] = powInt(v, n)
		}
	}
}

// function applies an operation without operands.
func function(code Code, t []float64) {
	switch code {
	case OpTanh:
		for j, v := range t {
			t[j] = math.Tanh(v)
		}
	case OpExp2:
		for j, v := range t {
			t[j] = math.Exp2(v)
		}
	case OpCos:
		for j, v := range t {
			t[j] = math.Cos(v)
		}
	case OpReciprocalComplement:
		for j, v := range t {
			t[j] = 1 / (1 - v)
		}
	}
}

// maternProfiles replaces every element v of t by M_ν(√(a·v)).
func maternProfiles(t []float64, a, nu float64) {
	if nu != 1.5 && nu != 2.5 {
		for j, v := range t {
			t[j] = 0
			if q := a * v; !math.IsInf(q, 1) {
				t[j], _ = matern(nu, math.Sqrt(q))
			}
		}
		return
	}
	quadratic := 0.0
	if nu == 2.5 {
		quadratic = 1. / 3
	}
	var e [64]float64 // the exponentials, while t holds the arguments
	for len(t) > 0 {
		part := t[:min(len(e), len(t))]
		t = t[len(part):]
		simd.Sqrt(part, part, a)
		for j, r := range part {
			part[j] = min(r, 1e6) // where M is 0, and ∞·0 is not
		}
		simd.Exp(e[:len(part)], part, -1)
		for j, r := range part {
			part[j] = (1 + r*(1+quadratic*r)) * e[j]
		}
	}
}

// horner returns Σ aₙ·vⁿ.
func horner(a []float64, v float64) float64 {
	sum := 0.0
	for n := len(a) - 1; n >= 0; n-- {
		sum = float64(sum*v) + a[n]
	}
	return sum
}
