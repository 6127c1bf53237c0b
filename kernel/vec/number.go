package vec

import (
	"fmt"
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// Number is a kernel on numbers without parameters: [Min], [MinMax], [Chi2Add], [GCD],
// [GCDLCM], [Exp2Sum], [Exp2Prod], [Geometric], [CosDiff], [GeometricMin], [JSAdd],
// [Hellinger], [Tanimoto], [Dice]. Some are
// defined for vectors too; the others refuse points of more than one coordinate. They
// are made by these functions only: the zero Number is no kernel.
type Number struct {
	member
	of *numberKernel
}

// numberKernel is one row of the table in number_table.go.
type numberKernel struct {
	name, title, formula, domain string
	vectors                      bool                   // defined for more than one coordinate
	additive                     bool                   // the sum of itself over single coordinates
	allowed                      func(v float64) string // why v is outside the domain, or ""
	asWritten                    string                 // what the numbers are, see [expr.Entry]; "": they may be moved and scaled
	eval                         func(x, y []float64) float64
	exact                        func(c *calculator, x, y []float64) *big.Float
	emit                         func(c *compiler)
	reason, source               string
	seeAlso                      []string
	// features and feature map, where there is a finite one
	features     int
	mapped       func(phi, x []float64)
	construction func(d int) construction.Features[[]float64] // where there is one beside the map
}

// Eval returns the value of the formula.
func (k Number) Eval(x, y []float64) float64 { return k.of.eval(x, y) }

// String returns the name with empty parentheses.
func (k Number) String() string { return k.of.name + "()" }

func (k Number) emit(c *compiler) { k.of.emit(c) }

// Contains refuses coordinates outside the domain, and more than one coordinate
// where the kernel is one on numbers.
func (k Number) Contains(x []float64) error {
	if !k.of.vectors && len(x) != 1 {
		return fmt.Errorf("%s is a kernel on one number but the point has %d coordinates: select a column, as in %s()[name]", k.of.name, len(x), k.of.name)
	}
	if err := finite(x); err != nil {
		return err
	}
	for j, v := range x {
		if why := k.of.allowed(v); why != "" {
			return fmt.Errorf("coordinate %d (counted from 1) is %s: %s", j+1, number(v), why)
		}
	}
	return nil
}

// EvalBig returns k(x, y) to prec bits.
func (k Number) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float { return k.of.exact(c, x, y) })
}

// Features returns the length of the feature map of 2^(x+y) and cos(x−y), and false
// for the others.
func (k Number) Features([]float64) (int, bool) { return k.of.features, k.of.features > 0 }

// Map stores the feature map, for the kernels that Features knows.
func (k Number) Map(phi, x []float64) { k.of.mapped(phi, x) }

// FeatureConstruction returns that of the table, or the feature map.
func (k Number) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	switch {
	case k.of.construction != nil:
		return k.of.construction(len(like)), nil
	case k.of.features > 0:
		return construction.Explicit[[]float64]{Dim: k.of.features, Map: k.of.mapped}, nil
	}
	return nil, construction.None(k, "it knows no spectral law and no finite map")
}

// Derive gives the reason of the table.
func (k Number) Derive() kernel.Derivation { return proof(k, k.of.reason) }

// Reference describes the kernel.
func (k Number) Reference() kernel.Reference {
	return kernel.Reference{
		Name: k.of.name, Title: k.of.title, Formula: k.of.formula, Domain: k.of.domain,
		Source: k.of.source, SeeAlso: k.of.seeAlso,
	}
}
