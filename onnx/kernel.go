package onnx

import (
	"fmt"
	"math"

	"example.org/mercer/kernel/tile"
)

// Points are the second arguments of a kernel: rows of numbers, one after the other.
type Points struct {
	Count, Dim int
	Numbers    []float64
}

// Kernel returns the matrix of the values of a kernel by its plan, of the rows of a matrix with the
// points. An [*Unsupported] error names the first part of the plan that has no nodes.
func (g *Graph) Kernel(plan *tile.Plan, rows Value, points Points) (Value, error) {
	statistics := make([]*pairs, len(plan.Statistics))
	for i, s := range plan.Statistics {
		statistics[i] = g.pairsOf(s, rows, points)
	}
	var stack []Value
	pop := func() Value {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return top
	}
	for _, op := range plan.Program {
		switch op.Code {
		case tile.OpPush:
			v, err := statistics[op.Statistic].value()
			if err != nil {
				return "", err
			}
			stack = append(stack, v)
		case tile.OpConstant:
			stack = append(stack, g.everywhere(op.A, rows, points))
		case tile.OpAdd:
			t := pop()
			stack = append(stack, g.Apply("Add", pop(), t))
		case tile.OpMultiply:
			t := pop()
			stack = append(stack, g.Apply("Mul", pop(), t))
		case tile.OpWeightedSum:
			stack = append(stack, g.weighted(op.List, func() Value { return pop() }))
		case tile.OpCosine, tile.OpTanimoto, tile.OpDice:
			stack = append(stack, statistics[op.Statistic].normed(op.Code, pop()))
		default:
			profile, ok := profiles[op.Code]
			if !ok {
				return "", &Unsupported{"the operation " + op.String(), "no standard operators are written for it"}
			}
			v, err := profile(g, op, pop())
			if err != nil {
				return "", err
			}
			stack = append(stack, v)
		}
	}
	return stack[0], nil
}

// everywhere is a matrix of one number for rows and points.
func (g *Graph) everywhere(v float64, rows Value, points Points) Value {
	zero := g.Apply("MatMul", rows, g.Matrix(points.Dim, points.Count, make([]float64, points.Dim*points.Count)))
	return g.Apply("Add", zero, g.Scalar(v))
}

// weighted is Σ List[s]·value, of which the last is on top.
func (g *Graph) weighted(list []float64, pop func() Value) Value {
	var sum Value
	for i := len(list) - 1; i >= 0; i-- {
		term := g.Apply("Mul", pop(), g.Scalar(list[i]))
		if sum == "" {
			sum = term
		} else {
			sum = g.Apply("Add", sum, term)
		}
	}
	return sum
}

// profile is a function of one value, by the operands of its operation.
type profile func(g *Graph, op tile.Op, t Value) (Value, error)

// profiles are the operations with one argument.
var profiles = map[tile.Code]profile{
	tile.OpAffine: func(g *Graph, op tile.Op, t Value) (Value, error) { return g.affine(op.A, t, op.B), nil },
	tile.OpPower: func(g *Graph, op tile.Op, t Value) (Value, error) {
		return g.Apply("Pow", t, g.Scalar(op.A)), nil
	},
	tile.OpExp: func(g *Graph, _ tile.Op, t Value) (Value, error) { return g.Apply("Exp", t), nil },
	tile.OpExpNeg: func(g *Graph, op tile.Op, t Value) (Value, error) {
		return g.Apply("Exp", g.affine(-op.A, t, 0)), nil
	},
	tile.OpExpNegRoot: func(g *Graph, op tile.Op, t Value) (Value, error) {
		return g.Apply("Exp", g.affine(-op.A, g.Apply("Sqrt", t), 0)), nil
	},
	tile.OpExpNegPower: func(g *Graph, op tile.Op, t Value) (Value, error) {
		return g.Apply("Exp", g.affine(-op.A, g.Apply("Pow", t, g.Scalar(op.B)), 0)), nil
	},
	tile.OpMatern: (*Graph).matern,
	tile.OpRationalQuadratic: func(g *Graph, op tile.Op, t Value) (Value, error) {
		return g.Apply("Pow", g.affine(op.A, t, 1), g.Scalar(-op.B)), nil
	},
	tile.OpSeries: func(g *Graph, op tile.Op, t Value) (Value, error) { return g.polynomial(op.List, t), nil },
	tile.OpCompact: func(g *Graph, op tile.Op, t Value) (Value, error) {
		r := g.Apply("Sqrt", g.affine(op.A, t, 0))
		inside := g.Apply("Max", g.affine(-1, r, 1), g.Scalar(0))
		return g.Apply("Mul", g.Apply("Pow", inside, g.Scalar(op.B)), g.polynomial(op.List, r)), nil
	},
	tile.OpTanh: func(g *Graph, _ tile.Op, t Value) (Value, error) { return g.Apply("Tanh", t), nil },
	tile.OpExp2: func(g *Graph, _ tile.Op, t Value) (Value, error) {
		return g.Apply("Exp", g.affine(math.Ln2, t, 0)), nil
	},
	tile.OpCos: func(g *Graph, _ tile.Op, t Value) (Value, error) { return g.Apply("Cos", t), nil },
	tile.OpReciprocalComplement: func(g *Graph, _ tile.Op, t Value) (Value, error) {
		return g.Apply("Reciprocal", g.affine(-1, t, 1)), nil
	},
}

// affine is a·t + b.
func (g *Graph) affine(a float64, t Value, b float64) Value {
	if a != 1 {
		t = g.Apply("Mul", t, g.Scalar(a))
	}
	if b != 0 {
		t = g.Apply("Add", t, g.Scalar(b))
	}
	return t
}

// polynomial is Σ list[n]·tⁿ by Horner's rule.
func (g *Graph) polynomial(list []float64, t Value) Value {
	if len(list) == 1 {
		return g.affine(list[0], g.Apply("Pow", t, g.Scalar(0)), 0)
	}
	sum := g.affine(list[len(list)-1], t, list[len(list)-2])
	for n := len(list) - 3; n >= 0; n-- {
		sum = g.affine(1, g.Apply("Mul", sum, t), list[n])
	}
	return sum
}

// matern is the profile of the orders 1/2, 3/2 and 5/2: e^−r, (1 + r)e^−r and (1 + r + r²/3)e^−r of
// r = √(A·t). Others need the Bessel function K.
func (g *Graph) matern(op tile.Op, t Value) (Value, error) {
	if op.B != 0.5 && op.B != 1.5 && op.B != 2.5 {
		return "", &Unsupported{fmt.Sprintf("matern(nu=%v)", op.B), "there is no standard operator for Bessel functions: take nu = 0.5, 1.5 or 2.5"}
	}
	r := g.Apply("Sqrt", g.affine(op.A, t, 0))
	decay, coefficients := g.Apply("Exp", g.affine(-1, r, 0)), []float64{1, 1}
	switch op.B {
	case 0.5:
		return decay, nil
	case 2.5:
		coefficients = append(coefficients, 1.0/3)
	}
	return g.Apply("Mul", g.polynomial(coefficients, r), decay), nil
}
