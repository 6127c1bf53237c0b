package formula

import (
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// Sources of the rules.
const (
	closure    = "Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis (2004), Propositions 3.22 and 3.24"
	schoenberg = "Schoenberg, Metric spaces and positive definite functions, Trans. AMS 44 (1938)"
	bergChrist = "Berg, Christensen and Ressel, Harmonic Analysis on Semigroups (1984), chapter 3"
)

// Derive argues from the form of the formula: sums, products, powers and
// exponentials of kernels, f(x)·f(y), dot(x, y), cos(f(x) − f(y)), and the
// exponential and the reciprocal of distances of negative type, such as
// exp(−|x−y|^p) with p ≤ 2. The rules know no domain, so min(x, y), a kernel on ℝ₊
// only, is beyond them.
func (k *Kernel) Derive() kernel.Derivation {
	d := derive(k.tree)
	if d.Verdict == kernel.Unknown && len(d.From) == 0 {
		d.Reason = "no rule for formulas applies to its form; search for a counter-example"
	}
	d.Kernel = k.String()
	return d
}

func derive(n *node) kernel.Derivation {
	d := kernel.Derivation{Kernel: n.text(0), Reason: "no rule applies to this part"}
	if v, ok := n.constant(); ok {
		d.Verdict, d.Reason = kernel.Definite, "a constant that is not negative"
		if v < 0 {
			d.Verdict, d.Reason = kernel.Indefinite, "a negative constant: k(x, x) < 0"
		}
		return d
	}
	switch {
	case n.op == opPoints && n.fn.name == "dot" && n.which[0] != n.which[1]:
		d.Verdict, d.Reason = kernel.Definite, "the inner product"
	case n.op == opAdd:
		return conclude(d, n.summands(), "a sum of kernels ("+closure+")")
	case n.op == opMul || n.op == opQuo || n.op == opNeg:
		return deriveProduct(d, n)
	case n.op == opPow:
		return derivePower(d, n)
	case n.op == opCall1 && n.fn.name == "exp":
		return deriveExp(d, n.args[0], 1)
	case n.op == opCall1 && n.fn.name == "asin":
		return conclude(d, n.args, "asin u = Σ (2n)!/(4ⁿ(n!)²(2n+1))·u²ⁿ⁺¹, a power series with coefficients that are not negative ("+closure+")")
	case n.op == opCall1 && n.fn.name == "cos" && isDifference(n.args[0]):
		d.Verdict, d.Reason = kernel.Definite, "cos(u − v) = cos u cos v + sin u sin v, a sum of two products f(x)f(y)"
	}
	return d
}

// conclude makes d definite if all parts are, and keeps their derivations.
func conclude(d kernel.Derivation, parts []*node, rule string) kernel.Derivation {
	d.Verdict, d.Reason = kernel.Definite, rule
	for _, p := range parts {
		from := derive(p)
		d.From = append(d.From, from)
		if from.Verdict != kernel.Definite && d.Verdict == kernel.Definite {
			d.Verdict, d.Reason = kernel.Unknown, "it would follow for "+rule+", but "+from.Kernel+" is "+from.Verdict.String()
		}
	}
	return d
}

// deriveProduct pairs factors f(x)·f(y), above and below the line; what remains must
// be kernels above and reciprocals of kernels' complements below.
func deriveProduct(d kernel.Derivation, n *node) kernel.Derivation {
	above, below := n.factors()
	rest, factor := split(above, 1)
	under, factor := split(below, factor)
	if factor < 0 {
		d.Reason = "a negative multiple of a function"
		return d
	}
	for _, u := range under {
		if !reciprocal(u) {
			d.Reason = "no rule applies to division by " + u.text(0)
			return d
		}
	}
	if len(rest) == 0 && len(under) == 0 {
		d.Verdict, d.Reason = kernel.Definite, "f(x)·f(y), of rank one"
		return d
	}
	rule := "a product of kernels, of f(x)·f(y) and of constants that are not negative (" + closure + ")"
	if len(under) > 0 {
		rule = "1/(c + ψ) = ∫ e^(−t(c+ψ)) dt with ψ of negative type (" + bergChrist + "), times kernels"
	}
	return conclude(d, rest, rule)
}

// split takes the constants out of a list of factors, and the pairs f(x)·f(y).
func split(factors []*node, constant float64) (rest []*node, c float64) {
	factors, c = extracted(factors, constant)
	used := make([]bool, len(factors))
next:
	for i, f := range factors {
		if used[i] {
			continue
		}
		for j := i + 1; j < len(factors); j++ {
			if !used[j] && separated(f, factors[j]) {
				used[j] = true
				continue next
			}
		}
		rest = append(rest, f)
	}
	return rest, c
}

// reciprocal reports whether 1/n is a kernel because n = c + ψ, c > 0, ψ ≥ 0 of
// negative type, or a positive power of such.
func reciprocal(n *node) bool {
	if n.op == opPow {
		p, ok := n.args[1].constant()
		return ok && p > 0 && reciprocal(n.args[0])
	}
	c := 0.0
	for _, t := range n.terms(1) {
		switch {
		case t.body == nil:
			c += t.factor
		case t.factor < 0 || !negativeType(t.body):
			return false
		}
	}
	return c > 0
}

// derivePower handles k^n with an integer n ≥ 0 and c^u with a constant base c > 0.
func derivePower(d kernel.Derivation, n *node) kernel.Derivation {
	if p, ok := n.args[1].constant(); ok {
		switch {
		case p >= 0 && p == math.Trunc(p):
			return conclude(d, n.args[:1], "an integer power of a kernel ("+closure+")")
		case p < 0 && reciprocal(n.args[0]):
			d.Verdict, d.Reason = kernel.Definite, "(c + ψ)^(−p) is a mixture of e^(−t(c+ψ)) with ψ of negative type ("+bergChrist+")"
		}
		return d
	}
	if c, ok := n.args[0].constant(); ok && c > 0 {
		return deriveExp(d, n.args[1], math.Log(c))
	}
	return d
}

// deriveExp handles exp(factor·u): terms f(x) + f(y) of u become a factor of rank
// one, positive ones must be kernels, negative ones of negative type.
func deriveExp(d kernel.Derivation, u *node, factor float64) kernel.Derivation {
	var parts []*node
	distances := false
	for _, t := range unpaired(u.terms(factor)) {
		switch {
		case t.body == nil || t.factor == 0:
		case t.factor > 0:
			parts = append(parts, t.body)
		case negativeType(t.body):
			distances = true
		default:
			d.Reason = fmt.Sprintf("no rule applies to the term %g·%s of the exponent", t.factor, t.body.text(5))
			return d
		}
	}
	rule := "the exponential of a kernel, times f(x)·f(y) (" + closure + ")"
	switch {
	case distances:
		rule = "e^(−ψ) with ψ of negative type (" + schoenberg + "), times exponentials of kernels"
	case len(parts) == 0:
		rule = "e^(f(x)+f(y)) = e^f(x)·e^f(y), of rank one"
	}
	return conclude(d, parts, rule)
}

// isDifference reports whether n is f(x) − f(y) or c times it.
func isDifference(n *node) bool {
	t := n.terms(1)
	return len(t) == 2 && t[0].body != nil && t[1].body != nil && t[0].factor == -t[1].factor && separated(t[0].body, t[1].body)
}

// negativeType reports whether n is a distance ψ ≥ 0 for which e^(−tψ) is a kernel
// for every t > 0: (f(x) − f(y))², |f(x) − f(y)|, sqdist, l1, and powers up to the
// one of them with exponents in (0, 1].
func negativeType(n *node) bool {
	switch {
	case n.op == opPoints:
		return (n.fn.name == "sqdist" || n.fn.name == "l1") && n.which[0] != n.which[1]
	case n.op == opCall1 && n.fn.name == "abs":
		return isDifference(n.args[0])
	case n.op == opCall1 && n.fn.name == "sqrt":
		return negativeType(n.args[0])
	case n.op == opMul:
		return isDifference(n.args[0]) && same(n.args[0], n.args[1])
	case n.op == opPow:
		p, ok := n.args[1].constant()
		base := n.args[0]
		switch {
		case !ok || p <= 0:
			return false
		case p == 2 && isDifference(base):
			return true
		case base.op == opCall1 && base.fn.name == "abs" && isDifference(base.args[0]):
			return p <= 2
		}
		return p <= 1 && negativeType(base)
	}
	return false
}

// same reports whether two trees are equal.
func same(a, b *node) bool { return a.text(0) == b.text(0) }
