package vec

import "math"

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
		for j, v := range t {
			t[j] = powInt(v, int(a))
		}
	case OpExp:
		for j, v := range t {
			t[j] = math.Exp(v)
		}
	case OpSeries:
		for j, v := range t {
			t[j] = horner(op.List, v)
		}
	case OpExpNeg:
		for j, v := range t {
			t[j] = math.Exp(-a * v)
		}
	case OpExpNegRoot:
		for j, v := range t {
			t[j] = math.Exp(-a * math.Sqrt(v))
		}
	case OpMatern:
		for j, v := range t {
			t[j] = maternOf(b, a*v)
		}
	case OpRationalQuadratic:
		for j, v := range t {
			t[j] = math.Exp(-b * math.Log1p(a*v))
		}
	default:
		function(op.Code, t)
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

// maternOf returns M_ν(√q).
func maternOf(nu, q float64) float64 {
	if math.IsInf(q, 1) {
		return 0
	}
	value, _ := matern(nu, math.Sqrt(q))
	return value
}

// horner returns Σ aₙ·vⁿ.
func horner(a []float64, v float64) float64 {
	sum := 0.0
	for n := len(a) - 1; n >= 0; n-- {
		sum = float64(sum*v) + a[n]
	}
	return sum
}
