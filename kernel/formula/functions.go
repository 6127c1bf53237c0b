package formula

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
)

// function is one name of the language with its evaluation in float64 and in
// arbitrary precision; the fields of its own kind are set. Operands of the big
// functions are finite.
type function struct {
	name   string
	least  int // arguments
	most   int // arguments, −1: any number
	op     op
	float1 func(a float64) float64
	float2 func(a, b float64) float64
	points func(x, y []float64) float64
	big1   func(a *big.Float, prec uint) (*big.Float, error)
	big2   func(a, b *big.Float, prec uint) (*big.Float, error)
	bigs   func(x, y []float64) *big.Float // exact; for norm its square
}

// functions is the vocabulary, in the order in which it is listed to the user.
var functions = []*function{
	{name: "exp", least: 1, most: 1, op: opCall1, float1: math.Exp, big1: bigmath.Exp},
	{name: "log", least: 1, most: 1, op: opCall1, float1: math.Log, big1: bigmath.Log},
	{name: "log1p", least: 1, most: 1, op: opCall1, float1: math.Log1p, big1: bigmath.Log1p},
	{name: "log2", least: 1, most: 1, op: opCall1, float1: math.Log2, big1: bigmath.Log2},
	{name: "sqrt", least: 1, most: 1, op: opCall1, float1: math.Sqrt, big1: bigmath.Sqrt},
	{name: "abs", least: 1, most: 1, op: opCall1, float1: math.Abs, big1: bigAbs},
	{name: "sin", least: 1, most: 1, op: opCall1, float1: math.Sin, big1: bigmath.Sin},
	{name: "cos", least: 1, most: 1, op: opCall1, float1: math.Cos, big1: bigmath.Cos},
	{name: "tan", least: 1, most: 1, op: opCall1, float1: math.Tan, big1: bigmath.Tan},
	{name: "tanh", least: 1, most: 1, op: opCall1, float1: math.Tanh, big1: bigmath.Tanh},
	{name: "asin", least: 1, most: 1, op: opCall1, float1: math.Asin, big1: bigmath.Asin},
	{name: "erf", least: 1, most: 1, op: opCall1, float1: math.Erf, big1: bigmath.Erf},
	{name: "floor", least: 1, most: 1, op: opCall1, float1: math.Floor, big1: bigFloor},
	{name: "sign", least: 1, most: 1, op: opCall1, float1: sign, big1: bigSign},
	{name: "pow", least: 2, most: 2, op: opPow},
	{name: "gcd", least: 2, most: 2, op: opCall2, float2: gcd, big2: bigmath.Gcd},
	{name: "lcm", least: 2, most: 2, op: opCall2, float2: lcm, big2: bigmath.Lcm},
	{name: "min", least: 2, most: -1, op: opMin},
	{name: "max", least: 2, most: -1, op: opMax},
	{name: "dot", least: 2, most: 2, op: opPoints, points: dot, bigs: bigDot},
	{name: "sqdist", least: 2, most: 2, op: opPoints, points: sqdist, bigs: bigSqdist},
	{name: "l1", least: 2, most: 2, op: opPoints, points: l1, bigs: bigL1},
	{name: "norm", least: 1, most: 1, op: opPoints, points: norm, bigs: bigSquare},
	{name: "len", least: 1, most: 1, op: opPoints, points: length, bigs: bigLength},
}

// functionNamed returns the function of that name, or nil.
func functionNamed(name string) *function {
	for _, f := range functions {
		if f.name == name {
			return f
		}
	}
	return nil
}

// sign is −1, 0 or 1, and NaN for NaN.
func sign(a float64) float64 {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return -1
	}
	return a
}

// gcd is the greatest common divisor of two integers of any size, by Euclid's
// algorithm: math.Mod is exact.
func gcd(a, b float64) float64 {
	a, b = math.Abs(a), math.Abs(b)
	if a != math.Trunc(a) || b != math.Trunc(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return math.NaN()
	}
	for b != 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}

func lcm(a, b float64) float64 {
	g := gcd(a, b)
	if g == 0 || a == 0 || b == 0 {
		return g * 0 // NaN stays NaN
	}
	return math.Abs(a) / g * math.Abs(b)
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func sqdist(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += (v - y[i]) * (v - y[i])
	}
	return sum
}

func l1(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += math.Abs(v - y[i])
	}
	return sum
}

// norm and length are given the point twice.
func norm(x, _ []float64) float64   { return math.Sqrt(dot(x, x)) }
func length(x, _ []float64) float64 { return float64(len(x)) }
