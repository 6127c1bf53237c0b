package tile

import (
	"fmt"
	"strings"
)

// Code is an operation on the stack of a [Plan]. Every operation acts on whole rows
// of a tile; t is the top of the stack and A, B are the operands of the [Op].
type Code int

const (
	OpPush                 Code = iota // push the statistic number Statistic
	OpConstant                         // push A
	OpAdd                              // pop t, add it to the new top
	OpMultiply                         // pop t, multiply the new top by it
	OpAffine                           // A·t + B
	OpPower                            // t^A, A a whole number ≥ 0
	OpExp                              // exp(t)
	OpSeries                           // Σ List[n]·tⁿ
	OpExpNeg                           // exp(−A·t)
	OpExpNegRoot                       // exp(−A·√t)
	OpExpNegPower                      // exp(−A·t^B)
	OpMatern                           // M_B(√(A·t)), the Matérn profile of order B
	OpRationalQuadratic                // (1 + A·t)^−B
	OpCompact                          // (1−r)₊^B·Σ List[n]·rⁿ, r = √(A·t): zero from a distance on
	OpTanh                             // tanh(t)
	OpExp2                             // 2^t
	OpCos                              // cos(t)
	OpReciprocalComplement             // 1/(1−t)
	OpElementary                       // pop t, fold it into the A values below: see FoldElementary
	OpWeightedSum                      // pop as many values as List has, push Σ List[s]·value
	OpCosine                           // t/√(⟨x,x⟩⟨y,y⟩), of the inner product number Statistic; 0 at 0/0
	OpTanimoto                         // t/(⟨x,x⟩+⟨y,y⟩−t), likewise; 1 at 0/0
	OpDice                             // 2t/(⟨x,x⟩+⟨y,y⟩), likewise; 1 at 0/0
	OpNetwork                          // the kernel of [network.Of] of List, of the angle number Statistic
)

var codeNames = [...]string{
	"push", "constant", "add", "multiply", "affine", "power", "exp", "series", "expneg", "expnegroot",
	"expnegpower", "matern", "rationalquadratic", "compact", "tanh", "exp2", "cos", "reciprocalcomplement", "elementary", "weightedsum", "cosine", "tanimoto", "dice", "network",
}

// String returns the name of the operation.
func (c Code) String() string { return codeNames[c] }

// Normed reports whether the operation needs the norms of the points of its statistic.
func (c Code) Normed() bool { return c >= OpCosine }

// Op is one operation with its operands.
type Op struct {
	Code      Code
	A, B      float64
	Statistic int
	List      []float64
}

// String returns the operation as one line of text: "expneg 0.5".
func (o Op) String() string {
	switch o.Code {
	case OpPush, OpCosine, OpTanimoto, OpDice:
		return fmt.Sprintf("%s s%d", o.Code, o.Statistic)
	case OpNetwork:
		return fmt.Sprintf("%s s%d %s", o.Code, o.Statistic, formatList(o.List))
	case OpConstant, OpPower, OpExpNeg, OpExpNegRoot, OpElementary:
		return fmt.Sprintf("%s %s", o.Code, formatNumber(o.A))
	case OpAffine, OpExpNegPower, OpMatern, OpRationalQuadratic:
		return fmt.Sprintf("%s %s %s", o.Code, formatNumber(o.A), formatNumber(o.B))
	case OpCompact:
		return fmt.Sprintf("%s %s %s %s", o.Code, formatNumber(o.A), formatNumber(o.B), formatList(o.List))
	case OpSeries, OpWeightedSum:
		return fmt.Sprintf("%s %s", o.Code, formatList(o.List))
	}
	return o.Code.String()
}

// Plan is a compiled expression: the statistics of a pair of points that it needs,
// each once, and a postfix program over them. It is plain data without closures, so
// that another process or another device can run the same plan.
type Plan struct {
	Statistics []Statistic
	Program    []Op
	Depth      int // the largest number of values on the stack
}

// String returns the plan as text, one statistic or operation per line.
func (p *Plan) String() string {
	var b strings.Builder
	for i, s := range p.Statistics {
		fmt.Fprintf(&b, "s%d = %s\n", i, s)
	}
	for _, o := range p.Program {
		fmt.Fprintln(&b, o)
	}
	return b.String()
}
