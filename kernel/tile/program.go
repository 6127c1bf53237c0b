package tile

import (
	"math"

	"example.org/mercer/internal/bessel"
	"example.org/mercer/internal/simd"
)

// rowValues are what the program of a plan needs to know of one row of a tile.
type rowValues[F float] struct {
	statistics [][]F // of this row, one per statistic of the plan
	sources    []source[F]
	row, col   int   // index of the row, and of the first column
	at         [][]F // workspace: where each value on the stack lies, Depth of them
	spare      spare[F]
}

// spare is workspace of operations: chunk numbers each.
type spare[F float] struct {
	s, t []F
	wide []float64
}

func newSpare[F float]() spare[F] {
	return spare[F]{s: make([]F, chunk), t: make([]F, chunk), wide: make([]float64, chunk)}
}

// run executes the program on one row of a tile and stores the result in out, which
// is the bottom of the stack. stack holds Depth rows, at least as long as out.
//
// A pushed statistic stays where it is until an operation stores its result on the
// stack: where out is far away in memory, writing it once and never reading it lets
// the processor fetch its lines while it computes.
func run[F float](p *Plan, out []F, stack [][]F, v *rowValues[F]) {
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
			fill(stack[top][:len(out)], F(op.A))
		case OpAdd, OpMultiply:
			top--
			combine(op.Code, stack[top][:len(out)], at[top], at[top+1])
		case OpElementary:
			foldElementary(at[top-int(op.A):top], at[top], &v.spare)
			top--
			continue
		case OpWeightedSum:
			top -= len(op.List) - 1
			weightedSum(stack[top][:len(out)], at[top:top+len(op.List)], op.List, &v.spare)
		case OpCosine, OpTanimoto, OpDice:
			rows, cols := v.sources[op.Statistic].norms()
			quotients(op.Code, stack[top][:len(out)], at[top], rows[v.row], cols[v.col:])
		case OpNetwork:
			rows, cols := v.sources[op.Statistic].norms()
			networks(op.List, stack[top][:len(out)], at[top], rows[v.row], cols[v.col:], v.spare.wide)
		default:
			profile(op, stack[top][:len(out)], at[top], &v.spare)
		}
		at[top] = stack[top][:len(out)]
	}
	copy(out, at[0]) // of a program that only pushes; else out itself
}

// quotients divides inner products t by the norms of their points.
func quotients[F float](code Code, dst, t []F, row F, cols []F) {
	by := Cosine
	switch code {
	case OpTanimoto:
		by = Tanimoto
	case OpDice:
		by = Dice
	}
	for j, v := range t {
		dst[j] = F(by(float64(v), float64(row), float64(cols[j])))
	}
}

func fill[F float](dst []F, v F) {
	for j := range dst {
		dst[j] = v
	}
}

// combine stores s + t or s·t in dst, which may be one of them.
func combine[F float](code Code, dst, s, t []F) {
	if code == OpAdd {
		simd.Add(dst, s, t)
	} else {
		simd.Multiply(dst, s, t)
	}
}

// profile applies an operation to every element v of t and stores the results in dst,
// which may be t.
func profile[F float](op *Op, dst, t []F, w *spare[F]) {
	a, b := F(op.A), F(op.B)
	switch op.Code {
	case OpAffine:
		simd.Affine(dst, t, a, b)
	case OpPower:
		simd.PowInt(dst, t, int(op.A))
	case OpExp:
		exps(dst, t)
	case OpSeries:
		for j, v := range t {
			dst[j] = F(horner(op.List, float64(v)))
		}
	case OpExpNeg:
		decays(dst, t, a)
	case OpExpNegRoot:
		roots(dst, t, 1)
		decays(dst, dst, a)
	case OpExpNegPower:
		widely(dst, t, w, func(x []float64) {
			simd.Log(x, x, 1)
			simd.Exp(x, x, op.B)
			simd.Exp(x, x, -op.A)
		})
	case OpMatern:
		maternProfiles(dst, t, op.A, op.B, w)
	case OpRationalQuadratic:
		widely(dst, t, w, func(x []float64) {
			simd.Log1p(x, x, op.A)
			simd.Exp(x, x, -op.B)
		})
	case OpCompact:
		widely(dst, t, w, func(x []float64) { compactProfile(x, op.A, int(op.B), op.List) })
	default:
		function(op.Code, dst, t, w)
	}
}

// exps stores exp(v) of every element v of t, decays exp(−rate·v) for rate·v ≥ 0, and
// roots √(scale·v).
func exps[F float](dst, t []F) {
	switch dst := any(dst).(type) {
	case []float64:
		simd.Exp(dst, any(t).([]float64), 1)
	case []float32:
		simd.Exp32(dst, any(t).([]float32), 1)
	}
}

func decays[F float](dst, t []F, rate F) {
	switch dst := any(dst).(type) {
	case []float64:
		simd.Exp(dst, any(t).([]float64), float64(-rate))
	case []float32:
		simd.Decay32(dst, any(t).([]float32), float32(rate))
	}
}

func roots[F float](dst, t []F, scale F) {
	switch dst := any(dst).(type) {
	case []float64:
		simd.Sqrt(dst, any(t).([]float64), float64(scale))
	case []float32:
		simd.Sqrt32(dst, any(t).([]float32), float32(scale))
	}
}

// widely stores f of every element of t, computed in float64 and in place.
func widely[F float](dst, t []F, w *spare[F], f func(x []float64)) {
	if wide, ok := any(dst).([]float64); ok {
		copy(wide, any(t).([]float64))
		f(wide[:len(t)])
		return
	}
	for len(t) > 0 {
		part := w.wide[:min(chunk, len(t))]
		for j := range part {
			part[j] = float64(t[j])
		}
		f(part)
		for j, v := range part {
			dst[j] = F(v)
		}
		dst, t = dst[len(part):], t[len(part):]
	}
}

// function applies an operation without operands.
func function[F float](code Code, dst, t []F, w *spare[F]) {
	switch code {
	case OpTanh:
		widely(dst, t, w, func(x []float64) { simd.Tanh(x, x, 1) })
	case OpExp2:
		for j, v := range t {
			dst[j] = F(math.Exp2(float64(v)))
		}
	case OpCos:
		for j, v := range t {
			dst[j] = F(math.Cos(float64(v)))
		}
	case OpReciprocalComplement:
		for j, v := range t {
			dst[j] = 1 / (1 - v)
		}
	}
}

// maternProfiles stores M_ν(√(a·v)) for every element v of t.
func maternProfiles[F float](dst, t []F, a, nu float64, w *spare[F]) {
	if nu != 1.5 && nu != 2.5 {
		for j, v := range t {
			dst[j] = 0
			if q := a * float64(v); !math.IsInf(q, 1) {
				m, _ := bessel.Matern(nu, math.Sqrt(q))
				dst[j] = F(m)
			}
		}
		return
	}
	quadratic := F(0)
	if nu == 2.5 {
		quadratic = 1. / 3
	}
	for len(t) > 0 {
		part := dst[:min(chunk, len(t))]
		e, u := w.s[:len(part)], w.t[:len(part)]
		roots(part, t[:len(part)], F(a))
		dst, t = dst[len(part):], t[len(part):]
		for j, r := range part {
			part[j] = min(r, 1e6) // where M is 0, and ∞·0 is not
		}
		decays(e, part, 1)
		// (1 + r(1 + quadratic·r))·exp(−r)
		simd.Affine(u, part, quadratic, 1)
		simd.Multiply(u, u, part)
		simd.Affine(u, u, 1, 1)
		simd.Multiply(part, u, e)
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
