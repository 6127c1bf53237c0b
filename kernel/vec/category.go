package vec

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/tile"
)

// Category is the kernel of categories, with 0 ≤ Rho < 1,
//
//	k(x, y) = Πⱼ (1 if x and y have the same level of column j, and ρ otherwise)
//
// on the 0/1 features of their levels. Points that differ in c columns differ in 2c features, so
// that k = ρᶜ is a function of one distance:
//
//	k(x, y) = ρ^(‖x−y‖²/2) = exp(−½ ln(1/ρ)·‖x−y‖²),
//
// which tiles compute as [RBF] with σ² = 1/ln(1/ρ). A column with a single 0/1 feature counts as
// half a column, and so does a level that none of the features is of, beside one that has one.
//
// It is positive definite for every ρ: a column of m levels has the matrix (1−ρ)I + ρ11ᵀ, and
// products of kernels are kernels (Schur). With ρ = 0 points are alike only where they are equal.
type Category struct {
	member
	Rho float64
}

// Eval returns ρ^(‖x−y‖²/2).
func (k Category) Eval(x, y []float64) float64 {
	return math.Pow(k.Rho, tile.SquaredDistance.Value(x, y)/2)
}

// String returns category(rho=…).
func (k Category) String() string { return "category(rho=" + number(k.Rho) + ")" }

// Contains refuses coordinates other than 0 and 1.
func (k Category) Contains(x []float64) error {
	if err := checkRho(k.Rho); err != nil {
		return err
	}
	for j, v := range x {
		if v != 0 && v != 1 {
			return fmt.Errorf("coordinate %d (counted from 1) is %s: category compares the 0/1 features of levels; make the column categorical (--type column=categorical), or choose others", j+1, number(v))
		}
	}
	return nil
}

// checkRho returns an error unless 0 ≤ ρ < 1.
func checkRho(rho float64) error {
	if !(rho >= 0 && rho < 1) {
		return fmt.Errorf("category: rho = %s must be at least 0 and below 1: it is the value for two levels that differ", number(rho))
	}
	return nil
}

func (k Category) emit(c *compiler) {
	if k.Rho == 0 {
		c.statistic(tile.Equality, nil, 0)
		return
	}
	c.statistic(tile.SquaredDistance, nil, 0)
	c.op(tile.OpExpNeg, -math.Log(k.Rho)/2, 0)
}

// Parameters returns ρ, unless it is 0, which has no logarithm.
func (k Category) Parameters() []kernel.Parameter {
	if k.Rho == 0 {
		return nil
	}
	return []kernel.Parameter{{Name: "rho", Value: k.Rho, Positive: true}}
}

// With returns the kernel with another ρ.
func (k Category) With(values []float64) (Kernel, error) {
	if err := count("category", len(values), len(k.Parameters())); err != nil || len(values) == 0 {
		return k, err
	}
	return Category{Rho: values[0]}, checkRho(values[0])
}

// EvalGrad stores ∂k/∂ln ρ = ½‖x−y‖²·k.
func (k Category) EvalGrad(grad, x, y []float64) float64 {
	value := k.Eval(x, y)
	if k.Rho != 0 {
		grad[0] = tile.SquaredDistance.Value(x, y) / 2 * value
	}
	return value
}

// EvalBig returns k(x, y) to prec bits.
func (k Category) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		half := c.Of(tile.SquaredDistance.Value(x, y) / 2) // exact, of a whole number
		if k.Rho == 0 {
			return c.Of(k.Eval(x, y))
		}
		return c.Call(bigmath.Exp, c.Mul(half, c.Call(bigmath.Log, c.Of(k.Rho))))
	})
}

// FeatureConstruction is that of the Gaussian kernel that it is.
func (k Category) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	if k.Rho == 0 {
		return nil, construction.None(k, "equality has no spectral law")
	}
	return RBF{Sigma: 1 / math.Sqrt(-math.Log(k.Rho))}.FeatureConstruction(like)
}

// Derive gives the matrix of one column.
func (k Category) Derive() kernel.Derivation {
	return proof(k, "a column of m levels has the matrix (1−ρ)I + ρ11ᵀ with the eigenvalues 1−ρ and 1−ρ+mρ, and products over columns keep kernels positive definite (Schur); for ρ > 0 it is a Gaussian of the 0/1 features")
}

// Reference describes the kernel.
func (k Category) Reference() kernel.Reference {
	same := "white(value=1)"
	if k.Rho > 0 {
		same = "rbf(sigma=" + number(1/math.Sqrt(-math.Log(k.Rho))) + ")"
	}
	return kernel.Reference{
		Name: "category", Title: "categories: ρ for every column in which two rows differ", Formula: "Πⱼ (1 if xⱼ = yⱼ, else ρ) = ρ^(‖x−y‖²/2) of 0/1 features",
		Domain:      "x, y ∈ {0, 1}ᵈ, the features of levels; 0 ≤ ρ < 1",
		Equivalents: []string{same},
		Source:      "Aitchison & Aitken, Multivariate binary discrimination by the kernel method, Biometrika 63 (1976)",
		SeeAlso:     []string{"rbf", "tanimoto", "white"},
	}
}

var categoryEntry = entry{
	Summary:   "Πⱼ (1 if xⱼ = yⱼ, else ρ), of the 0/1 features of categories",
	AsWritten: "categories",
	Arguments: []expr.Argument{{Name: "rho", Also: []string{"ρ"}, Kind: expr.NumberArg, Below: 1, Help: "0 ≤ ρ < 1, the value for two levels that differ"}},
	Build: func(a *expr.Args) (Kernel, error) {
		k := Category{Rho: a.Number("rho", 0)}
		if err := checkRho(k.Rho); err != nil {
			return nil, a.Errorf("rho", "%w", err)
		}
		return k, nil
	},
}
