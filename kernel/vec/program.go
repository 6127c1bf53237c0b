package vec

import (
	"math"

	"mercer/internal/simd"
)

// rowValues are what the program of a plan needs to know of one row of a tile.
type rowValues struct {
	statistics [][]float64 // of this row, one per statistic of the plan
	sources    []source
	row, col   int         // index of the row, and of the first column
	at         [][]float64 // workspace: where each value on the stack lies, Depth of them
}

// run executes the program on one row of a tile and stores the result in out, which
// is the bottom of the stack. stack holds Depth rows, at least as long as out.
//
// A pushed statistic stays where it is until an operation stores its result on the
// stack: where out is far away in memory, writing it once and never reading it lets
// the processor fetch its lines while it computes.
func (p *Plan) run(out []float64, stack [][]float64, v *rowValues) {
	stack[0] = out
	top, at := -1, v.at
	for i := range p.Program {
		op := &p.Program[i]
		switch op.Code {
		case OpPush:
			top++
			at[top] = v.statistics[op.Statistic]
			continue
		case OpConstant:
			top++
			fill(stack[top][:len(out)], op.A)
		case OpAdd, OpMultiply:
			top--
			combine(op.Code, stack[top][:len(out)], at[top], at[top+1])
		case OpCosine:
			rows, cols := v.sources[op.Statistic].norms()
			dst := stack[top][:len(out)]
			for j, t := range at[top] {
				dst[j] = cosine(t, rows[v.row], cols[v.col+j])
			}
		default:
			profile(op, stack[top][:len(out)], at[top])
		}
		at[top] = stack[top][:len(out)]
	}
	copy(out, at[0]) // of a program that only pushes; else out itself
}

func fill(dst []float64, v float64) {
	for j := range dst {
		dst[j] = v
	}
}

// combine stores s + t or s·t in dst, which may be one of them.
func combine(code Code, dst, s, t []float64) {
	if code == OpAdd {
		for j, v := range t {
			dst[j] = s[j] + v
		}
		return
	}
	for j, v := range t {
		dst[j] = s[j] * v
	}
}

// profile applies an operation to every element v of t and stores the results in dst,
// which may be t.
func profile(op *Op, dst, t []float64) {
	a, b := op.A, op.B
	switch op.Code {
	case OpAffine:
		for j, v := range t {
			dst[j] = float64(a*v) + b
		}
	case OpPower:
		powers(dst, t, int(a))
	case OpExp:
		simd.Exp(dst, t, 1)
	case OpSeries:
		for j, v := range t {
			dst[j] = horner(op.List, v)
		}
	case OpExpNeg:
		simd.Exp(dst, t, -a)
	case OpExpNegRoot:
		simd.Sqrt(dst, t, 1)
		simd.Exp(dst, dst, -a)
	case OpMatern:
		maternProfiles(dst, t, a, b)
	case OpRationalQuadratic:
		for j, v := range t {
			dst[j] = math.Log1p(a * v)
		}
		simd.Exp(dst, dst, -b)
	default:
		function(op.Code, dst, t)
	}
}

// powers stores the n-th power of every element of t, with the bits of [powInt].
func powers(dst, t []float64, n int) {
	switch n {
	case 2:
		for j, v := range t {
			dst[j] = v * v
		}
	case 3:
		for j, v := range t {
			dst[j] = v * (v * v)
		}
	default:
		for j, v := range t {
			dst[j] = powInt(v, n)
		}
	}
}

// function applies an operation without operands.
func function(code Code, dst, t []float64) {
	switch code {
	case OpTanh:
		for j, v := range t {
			dst[j] = math.Tanh(v)
		}
	case OpExp2:
		for j, v := range t {
			dst[j] = math.Exp2(v)
		}
	case OpCos:
		for j, v := range t {
			dst[j] = math.Cos(v)
		}
	case OpReciprocalComplement:
		for j, v := range t {
			dst[j] = 1 / (1 - v)
		}
	}
}

// maternProfiles stores M_ν(√(a·v)) for every element v of t.
func maternProfiles(dst, t []float64, a, nu float64) {
	if nu != 1.5 && nu != 2.5 {
		for j, v := range t {
			dst[j] = 0
			if q := a * v; !math.IsInf(q, 1) {
				dst[j], _ = matern(nu, math.Sqrt(q))
			}
		}
		return
	}
	quadratic := 0.0
	if nu == 2.5 {
		quadratic = 1. / 3
	}
	var e [64]float64 // the exponentials, while dst holds the arguments
	for len(t) > 0 {
		part := dst[:min(len(e), len(t))]
		simd.Sqrt(part, t[:len(part)], a)
		dst, t = dst[len(part):], t[len(part):]
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
