package vec

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/tile"
)

// ANOVA is the kernel of the interactions of at most q columns
//
//	k(x, y) = Σ_{s=1..q} w_s·e_s(k₁, …, k_d),   k_j = Of(xⱼ, yⱼ),
//
// where e_s = Σ_{j₁<…<j_s} k_{j₁}·…·k_{j_s} is the elementary symmetric polynomial of the values of
// a base kernel on each column alone. Degree q ≥ 1 (0 means 2, or as many as there are weights);
// Weights w_s ≥ 0 (nil: all 1), at least one above 0. A degree above d adds terms that are 0. Its
// functions are sums of functions of at most q columns.
//
// A value takes d base kernels and O(dq) operations, by the recursion
//
//	e_s ← e_s + k_m·e_{s−1},   s = q, …, 1,   for the columns m = 1, …, d, with e₀ = 1
//
// (Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis, 2004, section 9.2; Stitson,
// Gammerman, Vapnik, Vovk, Watkins and Weston 1997). For k_m ≥ 0 nothing cancels: a value is right
// to about 2d roundings. The identities of Newton and Girard, from the power sums Σⱼ k_j^s, have
// alternating signs and cancel.
//
// It is positive definite where Of is: sums and products of kernels are.
type ANOVA struct {
	member
	Of      Kernel
	Degree  int
	Weights []float64
}

func (k ANOVA) degree() int {
	switch {
	case k.Degree != 0:
		return k.Degree
	case k.Weights != nil:
		return len(k.Weights)
	}
	return 2
}

// weight returns w_s.
func (k ANOVA) weight(s int) float64 {
	if k.Weights == nil {
		return 1
	}
	return k.Weights[s-1]
}

// weights returns w₁, …, w_q without the terms that d columns do not have.
func (k ANOVA) weights(d int) []float64 {
	w := make([]float64, min(k.degree(), d))
	for s := range w {
		w[s] = k.weight(s + 1)
	}
	return w
}

// Eval returns the sum over the degrees.
func (k ANOVA) Eval(x, y []float64) float64 {
	weights := k.weights(len(x))
	e := make([]float64, len(weights))
	for j := range x {
		tile.FoldElementary(e, k.Of.Eval(x[j:j+1], y[j:j+1]))
	}
	return tile.Dot(weights, e)
}

// String returns anova(of=…, degree=…), and the weights where there are any.
func (k ANOVA) String() string {
	text := fmt.Sprintf("anova(of=%s, degree=%d", k.Of, k.degree())
	if k.Weights != nil {
		text += ", weights=" + list(k.Weights)
	}
	return text + ")"
}

// Contains refuses a degree or weights that make no kernel, and points with a coordinate that
// the base kernel refuses.
func (k ANOVA) Contains(x []float64) error {
	if err := k.check(); err != nil {
		return err
	}
	for j := range x {
		if err := kernel.Contains(k.Of, x[j:j+1]); err != nil {
			return fmt.Errorf("anova: coordinate %d (counted from 1), which the base kernel sees alone: %w", j+1, err)
		}
	}
	return nil
}

// mostDegree bounds the degree: beyond, weights and degree were mistaken for something else.
const mostDegree = 1000

// check returns an error about the degree, the weights or a base kernel that chooses columns.
func (k ANOVA) check() error {
	if q := k.degree(); q < 1 || q > mostDegree {
		return fmt.Errorf("anova: degree = %d must be a whole number from 1 to %d: it is the largest number of columns that interact", q, mostDegree)
	}
	if k.Weights != nil && len(k.Weights) != k.degree() {
		return fmt.Errorf("anova: %d weights for the degrees 1 to %d: give one for each degree", len(k.Weights), k.degree())
	}
	sum := 0.0
	for s := 1; s <= k.degree(); s++ {
		w := k.weight(s)
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("anova: the weight of degree %d is %s: it must be a finite number of at least 0, or the kernel is not positive definite", s, number(w))
		}
		sum += w
	}
	if sum == 0 {
		return fmt.Errorf("anova: all weights are 0, and so is the kernel: give one of them a number above 0")
	}
	if selects(k.Of) {
		return fmt.Errorf("anova: %s chooses columns, but the base kernel sees one column at a time: choose them outside, as in anova(…)[columns]", k.Of)
	}
	return nil
}

// Bind binds the base kernel to each column, where the family cannot compile it.
func (k ANOVA) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	var parts Kernel = k.interactions(max(dimension(cols), dimension(rows)))
	return kernel.Bind(parts, rows, cols)
}

// interactions returns the kernel with a part for each of d columns.
func (k ANOVA) interactions(d int) interactions {
	of := interactions{of: k, parts: make([]Kernel, d)}
	for j := range of.parts {
		of.parts[j] = Columns{Of: k.Of, Index: []int{j}}
	}
	return of
}

// compileANOVA folds the base kernel on each column in force into the degrees, which lie on the
// stack.
func (c *compiler) compileANOVA(k ANOVA) error {
	d := c.width()
	weights := k.weights(d)
	if len(weights) == 0 {
		c.push(tile.Op{Code: tile.OpConstant})
		return nil
	}
	for range weights {
		c.push(tile.Op{Code: tile.OpConstant})
	}
	for j := range d {
		if err := c.inColumns(Columns{Of: k.Of, Index: []int{j}}); err != nil {
			return err
		}
		c.plan.Program = append(c.plan.Program, tile.Op{Code: tile.OpElementary, A: float64(len(weights))})
		c.depth--
	}
	c.plan.Program = append(c.plan.Program, tile.Op{Code: tile.OpWeightedSum, List: weights})
	c.depth -= len(weights) - 1
	return nil
}

// Parameters returns those of the base kernel, which all columns share.
func (k ANOVA) Parameters() []kernel.Parameter {
	if of, ok := k.Of.(kernel.Tunable[[]float64]); ok {
		return of.Parameters()
	}
	return nil
}

// With returns the kernel with other parameters of the base kernel.
func (k ANOVA) With(values []float64) (Kernel, error) {
	of, ok := k.Of.(kernel.Tunable[[]float64])
	if !ok {
		return k, count("anova", len(values), 0)
	}
	with, err := of.With(values)
	k.Of = with
	return k, err
}

// EvalGrad stores Σ_m ∂k/∂k_m·∂k_m/∂θ.
func (k ANOVA) EvalGrad(grad, x, y []float64) float64 {
	of, ok := k.Of.(kernel.Differentiable[[]float64])
	if !ok {
		return k.Eval(x, y)
	}
	p := len(grad)
	values, grads := make([]float64, len(x)), make([]float64, len(x)*p)
	for j := range x {
		values[j] = of.EvalGrad(grads[j*p:(j+1)*p], x[j:j+1], y[j:j+1])
	}
	shares, value := k.shares(values)
	clear(grad)
	for j, share := range shares {
		addScaled(grad, share, grads[j*p:(j+1)*p])
	}
	return value
}

// shares returns ∂k/∂k_m for every column, and k itself. It is the recursion and its reverse: with
// the adjoints a_s, w_s at first,
//
//  1. forwards, e_s^{(m)} = e_s^{(m−1)} + k_m·e_{s−1}^{(m−1)} is kept for all m,
//  2. backwards, ∂k/∂k_m = Σ_s a_s·e_{s−1}^{(m−1)}, then a_{s−1} ← a_{s−1} + k_m·a_s.
//
// Like the recursion it adds only numbers ≥ 0 where k_m ≥ 0.
func (k ANOVA) shares(values []float64) (shares []float64, value float64) {
	adjoint := k.weights(len(values))
	q := len(adjoint)
	e := make([]float64, (len(values)+1)*q)
	for m, v := range values {
		next := e[(m+1)*q : (m+2)*q]
		copy(next, e[m*q:])
		tile.FoldElementary(next, v)
	}
	value = tile.Dot(adjoint, e[len(values)*q:])
	shares = make([]float64, len(values))
	for m := len(values) - 1; m >= 0; m-- {
		before := e[m*q : (m+1)*q]
		shares[m] = adjoint[0] // e₀ = 1
		for s := 1; s < q; s++ {
			shares[m] += adjoint[s] * before[s-1]
			adjoint[s-1] += values[m] * adjoint[s]
		}
	}
	return shares, value
}

// OrthogonalTerms returns the weights and the overlap of a centred Gaussian base kernel.
func (k ANOVA) OrthogonalTerms(dim int) (construction.OrthogonalTerms, error) {
	of, _ := k.Of.(Centred)
	if _, ok := of.Of.(RBF); !ok {
		return construction.OrthogonalTerms{}, fmt.Errorf("the variance of functions of %s has no closed form here: use anova(of=centred(of=rbf(sigma=…))): %w", k, errors.ErrUnsupported)
	}
	return construction.OrthogonalTerms{Weights: k.weights(dim), Overlap: of.overlap}, nil
}

// NotDifferentiable names a base kernel that has parameters and no gradient in them.
func (k ANOVA) NotDifferentiable() error { return Columns{Of: k.Of}.NotDifferentiable() }

// slope is ∂k/∂k_m·∂k_m/∂x_m.
func (k ANOVA) slope() (Slope, error) {
	of, err := SlopeOf(k.Of)
	return func(dst []float64, c float64, x, y []float64) {
		values := make([]float64, len(x))
		for j := range x {
			values[j] = k.Of.Eval(x[j:j+1], y[j:j+1])
		}
		shares, _ := k.shares(values)
		for j, share := range shares {
			of(dst[j:j+1], c*share, x[j:j+1], y[j:j+1])
		}
	}, err
}

// Derive applies the rules of sums and products.
func (k ANOVA) Derive() kernel.Derivation {
	of := kernel.Derive(k.Of)
	const rule = "each k(xⱼ, yⱼ) is the base kernel after a projection, and sums and products of kernels with weights ≥ 0 are positive definite (Shawe-Taylor and Cristianini 2004, Proposition 3.22)"
	d := kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: rule, From: []kernel.Derivation{of}}
	if of.Verdict != kernel.Definite {
		d.Verdict, d.Reason = kernel.Unknown, of.Kernel+" is "+of.Verdict.String()+", so this rule does not apply: "+rule
	}
	return d
}

// Reference describes the kernel.
func (k ANOVA) Reference() kernel.Reference {
	card := kernel.Reference{
		Name: "anova", Title: "ANOVA kernel: interactions of at most q columns", Formula: "Σ_{s=1..q} w_s·e_s(k(x₁, y₁), …, k(x_d, y_d)), e_s = Σ_{j₁<…<j_s} Π k(xⱼ, yⱼ)",
		Domain:      "x, y ∈ ℝᵈ with each coordinate in the domain of k; q = 1, 2, …, w_s ≥ 0",
		Equivalents: []string{fmt.Sprintf("q = %d", k.degree()), "k = " + k.Of.String()},
		Source:      "Stitson, Gammerman, Vapnik, Vovk, Watkins & Weston, Support vector regression with ANOVA decomposition kernels (1997); Shawe-Taylor & Cristianini (2004), section 9.2",
		SeeAlso:     []string{"rbf", "laplace1", "min"},
	}
	if k.Weights != nil {
		card.Equivalents = append(card.Equivalents, "w = "+list(k.Weights))
	}
	return card
}

var anovaEntry = entry{
	Summary: "Σₛ wₛ·eₛ(k(x₁,y₁),…,k(x_d,y_d)), interactions of columns",
	Arguments: []expr.Argument{
		{Name: "of", Kind: expr.KernelArg, Single: true, Help: "the kernel k on one column, such as rbf(sigma=1)"},
		{Name: "degree", Also: []string{"q"}, Kind: expr.NumberArg, Default: "2", Help: "q = 1, 2, …: the most columns that interact"},
		{Name: "weights", Also: []string{"w"}, Kind: expr.ListArg, Default: "1", Help: "w₁, …, w_q ≥ 0, one for each degree"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		k := ANOVA{Of: expr.KernelArgument[vector](a, "of"), Weights: a.List("weights")}
		degree := a.Number("degree", float64(k.degree()))
		if degree != math.Trunc(degree) || degree < 1 || degree > mostDegree {
			return nil, a.Errorf("degree", "anova: degree = %s must be a whole number from 1 to %d: it is the largest number of columns that interact", number(degree), mostDegree)
		}
		k.Degree = int(degree)
		if err := k.check(); err != nil {
			return nil, a.Errorf(culprit(k), "%w", err)
		}
		return k, nil
	},
}

// culprit returns the argument that check is about.
func culprit(k ANOVA) string {
	if selects(k.Of) {
		return "of"
	}
	return "weights"
}
