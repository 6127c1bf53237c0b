package formula

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"example.org/mercer/kernel"
)

// Kernel is a function k(x, y) given by a formula. It is symmetric and positive
// definite only if the formula is: see [kernel.Derive] and package check.
type Kernel struct {
	text  string
	tree  *node
	code  program
	least int  // coordinates a point must have
	one   bool // a point must have exactly one coordinate
}

var (
	_ kernel.Exact[[]float64]  = (*Kernel)(nil)
	_ kernel.Domain[[]float64] = (*Kernel)(nil)
	_ kernel.Deriver           = (*Kernel)(nil)
	_ kernel.Describer         = (*Kernel)(nil)
)

// New compiles a formula in x and y. The error, an [expr.SyntaxError] with the
// column and a suggestion, says what the language lacks; see the package comment.
func New(text string) (*Kernel, error) {
	tree, code, err := build(text, scope{points: []string{"x", "y"}})
	if err != nil {
		return nil, err
	}
	k := &Kernel{text: text, tree: tree, code: code}
	k.least, k.one = tree.coordinates()
	return k, nil
}

func build(text string, in scope) (*node, program, error) {
	tree, err := parse(text, in)
	if err != nil {
		return nil, nil, err
	}
	code, err := compile(text, tree)
	return tree, code, err
}

// Text returns the formula as it was written.
func (k *Kernel) Text() string { return k.text }

// String returns formula("…"), with quotes and backslashes escaped as in Go.
func (k *Kernel) String() string { return "formula(" + strconv.Quote(k.text) + ")" }

// Eval returns the value of the formula in float64: NaN where x or y has the wrong
// number of coordinates, NaN or ±Inf outside the domain.
func (k *Kernel) Eval(x, y []float64) float64 {
	if k.fits(x) != nil || len(x) != len(y) {
		return math.NaN()
	}
	return k.code.run(x, y)
}

// EvalBig returns the value of the same formula with a relative error of a few units
// of 2^−prec, however much its terms cancel. It fails outside the domain, and where
// rounding leaves open on which side of a jump a value lies or whether it is zero:
// exp(x)·exp(−x) − 1 is an error, x − x is 0.
func (k *Kernel) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	for _, p := range [][]float64{x, y} {
		if err := k.fits(p); err != nil {
			return nil, err
		}
		for i, v := range p {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: coordinate %d of a point is %g", k, i, v)
			}
		}
	}
	if len(x) != len(y) {
		return nil, fmt.Errorf("%s: points of %d and %d coordinates", k, len(x), len(y))
	}
	v, err := evalBig(k.tree, x, y, prec)
	if err != nil {
		return nil, fmt.Errorf("%s at x = %v, y = %v: %w", k, x, y, err)
	}
	return v, nil
}

// fits checks the number of coordinates of a point.
func (k *Kernel) fits(x []float64) error {
	switch {
	case k.one && len(x) != 1:
		return fmt.Errorf("the formula uses x and y as numbers, but points have %d coordinates; write x[0], … or dot(x,y), sqdist(x,y), l1(x,y), norm(x)", len(x))
	case len(x) < k.least:
		return fmt.Errorf("the formula uses coordinate %d, but points have %d coordinates, counted from 0", k.least-1, len(x))
	}
	return nil
}

// Contains returns an error unless x has the coordinates that the formula uses and
// k(x, x) is finite.
func (k *Kernel) Contains(x []float64) error {
	if err := k.fits(x); err != nil {
		return err
	}
	if v := k.code.run(x, x); math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("the formula %s is %g at x = y = %v: outside its domain", strconv.Quote(k.text), v, x)
	}
	return nil
}

// Reference describes the kernel.
func (k *Kernel) Reference() kernel.Reference {
	domain := "points for which the formula is finite"
	if k.one {
		domain = "numbers for which the formula is finite"
	}
	return kernel.Reference{
		Name:    "formula",
		Title:   "user-defined formula",
		Formula: k.text,
		Domain:  domain,
		Source:  "given by the user; check it before use",
	}
}
