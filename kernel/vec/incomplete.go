package vec

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/gaps"
)

// Nan says what a missing coordinate, a NaN, means to a kernel; see [Incomplete].
type Nan string

const (
	Ignore   Nan = "ignore"
	Penalise Nan = "penalise"
)

// Incomplete is a kernel on points with missing coordinates that is Of on complete ones. Of is
// [RBF] or [Laplace1], a product of kernels kⱼ on one coordinate, or [Linear], a sum of them; the
// coordinate that is missing is one more point ∗ for kⱼ, on which kⱼ must be extended:
//
//	                    kⱼ(a, ∗)                              kⱼ(∗, ∗)
//	Ignore, products    E kⱼ(a, z) / √(E kⱼ(z, z′))           1
//	Ignore, Linear      0                                     0
//	Penalise            0                                     1
//
// with independent z, z′ of the normal distribution with mean Center and standard deviation
// Spread, (0, 1) for standardised columns. So Ignore puts every value of the column in the
// place of the missing one, weighted by how common it is: it is the direction of the mean map
// of the column, and the wider the kernel, the nearer to a factor 1. For Linear it is the term
// left out. Penalise takes a missing value for a value of its own: rows are alike only if
// they lack the same coordinates.
//
// Both are positive definite: φ(∗) is μ/‖μ‖ with the mean map μ = E φ(z), or is 0, or is orthogonal
// to all others; products and sums of such kernels are positive definite (Schur). The factor 1 that
// one might write for a missing coordinate is not: far values a, b and ∗ have the matrix (1 0 1; 0
// 1 1; 1 1 1) with determinant −1. A constant c = kⱼ(a, ∗) is positive definite, by the Schur
// complement K − c²11ᵀ ⪰ 0, if and only if c² ≤ inf wᵀKw over all points and weights with Σw = 1:
// on ℝ that is 0 for RBF and Laplace1, whose spectral measures have no mass at 0, which leaves c =
// 0, Penalise; on an interval of length L it is 1/(1 + L/(2σ)) for Laplace1.
//
// Smola, Gretton, Song and Schölkopf, A Hilbert space embedding for distributions, ALT 2007.
type Incomplete struct {
	Of     Kernel // RBF, Laplace1 or Linear
	Nan    Nan
	Center float64
	Spread float64 // 0 means 1
}

// spread returns the standard deviation of the missing values.
func (k Incomplete) spread() float64 {
	if k.Spread == 0 {
		return 1
	}
	return k.Spread
}

// Eval returns the product, or the sum, over the coordinates.
func (k Incomplete) Eval(x, y []float64) float64 {
	return k.between(x, y, k.single(x), k.single(y))
}

// between returns k(x, y), given what each point's present coordinates are worth beside a
// missing one.
func (k Incomplete) between(x, y, xs, ys []float64) float64 {
	sum := 0.0 // of terms, or of the logarithms of factors
	for j, a := range x {
		b := y[j]
		switch {
		case a == a && b == b:
			sum += k.term(j, a, b)
		case a == a:
			sum += xs[j]
		case b == b:
			sum += ys[j]
		case k.sums() && k.Nan == Penalise:
			sum++
		}
	}
	if k.sums() {
		return sum
	}
	return math.Exp(sum)
}

// sums reports whether the kernel is a sum over the coordinates, not a product.
func (k Incomplete) sums() bool {
	_, ok := k.Of.(Linear)
	return ok
}

// term returns kⱼ(a, b), for products its logarithm.
func (k Incomplete) term(j int, a, b float64) float64 {
	switch of := k.Of.(type) {
	case RBF:
		u := (a - b) / of.widths().at(j)
		return -0.5 * u * u
	case Laplace1:
		return -math.Abs(a-b) / of.widths().at(j)
	}
	return a * b
}

// single returns kⱼ(xⱼ, ∗) of every coordinate that x has, for products the logarithm.
func (k Incomplete) single(x []float64) []float64 {
	out := make([]float64, len(x))
	for j, a := range x {
		out[j] = k.worth(j, a)
	}
	return out
}

// worth returns kⱼ(a, ∗), for products its logarithm.
func (k Incomplete) worth(j int, a float64) float64 {
	switch {
	case k.sums():
		return 0
	case k.Nan == Penalise:
		return math.Inf(-1)
	case a == a:
		return k.averaged(j, (a-k.Center)/k.spread())
	}
	return 0
}

// averaged returns ln(E kⱼ(u, z)/√(E kⱼ(z, z′))) for z of the standard normal distribution, which
// it is in units of the spread.
func (k Incomplete) averaged(j int, u float64) float64 { return averageOf(k.Of, j, k.spread()).At(u) }

// String returns the kernel with what a missing coordinate means: rbf(sigma=1, nan=ignore).
func (k Incomplete) String() string {
	of := k.Of.String()
	of = of[:len(of)-1]
	if of[len(of)-1] != '(' {
		of += ", "
	}
	of += "nan=" + string(k.Nan)
	if k.Center != 0 {
		of += ", center=" + number(k.Center)
	}
	if k.spread() != 1 {
		of += ", spread=" + number(k.spread())
	}
	return of + ")"
}

// Contains refuses infinite coordinates, and as many as there are not widths for.
func (k Incomplete) Contains(x []float64) error {
	filled, _ := gaps.Completed(x)
	if err := kernel.Contains(k.Of, filled); err != nil {
		return err
	}
	if k.Nan != Ignore && k.Nan != Penalise {
		return fmt.Errorf("nan=%s is not known: use ignore or penalise", k.Nan)
	}
	if s := k.spread(); !(s > 0) || math.IsInf(s, 0) || math.IsNaN(k.Center) || math.IsInf(k.Center, 0) {
		return errors.New("center must be finite, and spread finite and above 0")
	}
	return nil
}

// Bind gives pairs of complete points to Of, and computes others one by one.
func (k Incomplete) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	return gaps.Bind(rows, cols, k.single, k.between, func(rows, cols data.Set[[]float64]) kernel.Pairs { return kernel.Bind(k.Of, rows, cols) })
}

// Parameters returns those of Of.
func (k Incomplete) Parameters() []kernel.Parameter {
	if t, ok := k.Of.(kernel.Tunable[[]float64]); ok {
		return t.Parameters()
	}
	return nil
}

// With returns the kernel with other widths.
func (k Incomplete) With(values []float64) (Kernel, error) {
	t, ok := k.Of.(kernel.Tunable[[]float64])
	if !ok {
		return k, count(k.String(), len(values), 0)
	}
	of, err := t.With(values)
	k.Of = of
	return k, err
}

// Derive argues by the extension of each coordinate's kernel.
func (k Incomplete) Derive() kernel.Derivation {
	reason := "a missing value is orthogonal to all others, 1 with itself, which extends the kernel of a coordinate to one more point; products and sums over the coordinates keep it positive definite (Schur)"
	if k.Nan == Ignore {
		reason = "a missing value has the direction of the mean map of a normal distribution (for linear it is 0), which extends the kernel of a coordinate to one more point of its feature space; products and sums over the coordinates keep it positive definite (Schur)"
	}
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: reason, From: []kernel.Derivation{kernel.Derive(k.Of)}}
}

// Reference describes the kernel.
func (k Incomplete) Reference() kernel.Reference {
	c := kernel.Reference{Name: k.Of.String()}
	if d, ok := k.Of.(kernel.Describer); ok {
		c = d.Reference()
	}
	c.Title += ", of rows with missing cells"
	c.Domain += ", or missing"
	c.Equivalents = append(c.Equivalents, "a cell that one of two rows lacks: "+map[Nan]string{
		Ignore: "the value averaged over a normal distribution (linear: left out)", Penalise: "0 for the coordinate, 1 (linear: + 1) where both lack it"}[k.Nan])
	return c
}
