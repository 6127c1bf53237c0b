package bag

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Mean is the kernel of mean maps
//
//	k(X, Y) = 1/(|X||Y|) Σ_{x ∈ X} Σ_{y ∈ Y} k(x, y) = ⟨μ_X, μ_Y⟩,   μ_X = 1/|X| Σ_{x ∈ X} φ(x).
//
// A point that occurs m times counts m times. The kernel is positive definite where k is, as
// an inner product of points of its feature space (Gärtner, Flach, Kowalczyk and Smola,
// Multi-instance kernels, ICML 2002; Smola, Gretton, Song and Schölkopf, A Hilbert space
// embedding for distributions, ALT 2007). An empty bag has no mean: Contains refuses it, and
// its value is 0.
type Mean[T any] struct{ Of kernel.Kernel[T] }

// Sum is the kernel Σ_{x ∈ X} Σ_{y ∈ Y} k(x, y), a convolution kernel (Haussler 1999; Gärtner and
// others 2002). It is positive definite where k is; that of an empty bag is 0.
type Sum[T any] struct{ Of kernel.Kernel[T] }

// Eval returns k(x, y) in |x||y| evaluations of the base kernel.
func (k Mean[T]) Eval(x, y []T) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	return total(k.Of, x, y) / size(x, y)
}

// Eval returns k(x, y) in |x||y| evaluations of the base kernel.
func (k Sum[T]) Eval(x, y []T) float64 { return total(k.Of, x, y) }

// total adds the values of all pairs, those near 0 first, so that an exchange of the bags
// changes no bit.
func total[T any](k kernel.Kernel[T], x, y []T) float64 {
	values := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			values = append(values, k.Eval(a, b))
		}
	}
	slices.SortFunc(values, func(a, b float64) int { return cmp.Or(cmp.Compare(math.Abs(a), math.Abs(b)), cmp.Compare(a, b)) })
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// size returns |x||y|.
func size[T any](x, y []T) float64 { return float64(len(x)) * float64(len(y)) }

// String returns mean(of=k).
func (k Mean[T]) String() string { return "mean(of=" + k.Of.String() + ")" }

// String returns sum(of=k).
func (k Sum[T]) String() string { return "sum(of=" + k.Of.String() + ")" }

// Contains refuses an empty bag, and one with a point outside the domain of the base kernel.
func (k Mean[T]) Contains(x []T) error { return filled(k.Of, x) }

// Contains refuses a bag with a point outside the domain of the base kernel.
func (k Sum[T]) Contains(x []T) error { return inside(k.Of, x) }

var errEmpty = errors.New("the bag is empty, and nothing has no mean: leave it out, or take sum(of=…), which is 0 there")

// filled is inside for kernels that need a point.
func filled[T any](k kernel.Kernel[T], x []T) error {
	if len(x) == 0 {
		return errEmpty
	}
	return inside(k, x)
}

func inside[T any](k kernel.Kernel[T], x []T) error {
	for i, point := range x {
		if err := kernel.Contains(k, point); err != nil {
			return fmt.Errorf("element %d of the bag: %w", i+1, err)
		}
	}
	return nil
}

// Bind binds the base kernel to the points of all bags, or takes means of explicit features.
func (k Mean[T]) Bind(rows, cols data.Set[[]T]) kernel.Pairs {
	return k.BindColumns(cols).Bind(rows, nil)
}

// Bind is that of [Mean].
func (k Sum[T]) Bind(rows, cols data.Set[[]T]) kernel.Pairs {
	return k.BindColumns(cols).Bind(rows, nil)
}

// BindColumns does with the columns what can be done before the rows are known.
func (k Mean[T]) BindColumns(cols data.Set[[]T]) kernel.BoundColumns[[]T] {
	return anchor(k.Of, cols, true)
}

// BindColumns is that of [Mean].
func (k Sum[T]) BindColumns(cols data.Set[[]T]) kernel.BoundColumns[[]T] {
	return anchor(k.Of, cols, false)
}

// Parameters returns those of the base kernel.
func (k Mean[T]) Parameters() []kernel.Parameter { return parameters(k.Of) }

// Parameters returns those of the base kernel.
func (k Sum[T]) Parameters() []kernel.Parameter { return parameters(k.Of) }

// With returns the kernel of a base kernel with other parameters.
func (k Mean[T]) With(values []float64) (kernel.Kernel[[]T], error) {
	of, err := with(k.Of, values)
	return Mean[T]{of}, err
}

// With returns the kernel of a base kernel with other parameters.
func (k Sum[T]) With(values []float64) (kernel.Kernel[[]T], error) {
	of, err := with(k.Of, values)
	return Sum[T]{of}, err
}

// EvalGrad adds up gradients.
func (k Mean[T]) EvalGrad(grad []float64, x, y []T) float64 {
	value := gradient(k.Of, grad, x, y)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	for i := range grad {
		grad[i] /= size(x, y)
	}
	return value / size(x, y)
}

// EvalGrad adds up gradients.
func (k Sum[T]) EvalGrad(grad []float64, x, y []T) float64 { return gradient(k.Of, grad, x, y) }

// NotDifferentiable names a base kernel that has parameters and no gradient in them.
func (k Mean[T]) NotDifferentiable() error { return notDifferentiable(k.Of) }

// NotDifferentiable names a base kernel that has parameters and no gradient in them.
func (k Sum[T]) NotDifferentiable() error { return notDifferentiable(k.Of) }

// Derive argues by the mean map.
func (k Mean[T]) Derive() kernel.Derivation {
	return derived(k.String(), k.Of, "the inner product of mean maps, ⟨μ_X, μ_Y⟩ with μ_X = 1/|X| Σ φ(x) (Gärtner, Flach, Kowalczyk and Smola 2002)")
}

// Derive argues by the sum of the features.
func (k Sum[T]) Derive() kernel.Derivation {
	return derived(k.String(), k.Of, "an inner product of sums of features, ⟨Σ φ(x), Σ φ(y)⟩ (Haussler 1999)")
}

// derived gives the verdict on the base kernel: a point is a bag of one.
func derived[T any](text string, of kernel.Kernel[T], rule string) kernel.Derivation {
	base := kernel.Derive(of)
	d := kernel.Derivation{Kernel: text, Verdict: base.Verdict, Reason: rule, From: []kernel.Derivation{base}}
	switch base.Verdict {
	case kernel.Unknown:
		d.Reason = base.Kernel + " is " + base.Verdict.String() + ", so this rule does not apply: " + rule
	case kernel.Indefinite:
		d.Reason = "bags of one point have the values of " + base.Kernel + ", which is " + base.Verdict.String()
	}
	return d
}

const source = "Gärtner, Flach, Kowalczyk and Smola, Multi-instance kernels, ICML 2002"

// Reference describes the kernel.
func (k Mean[T]) Reference() kernel.Reference {
	return kernel.Reference{Name: "mean", Title: "mean map kernel of bags", Formula: "1/(|X||Y|) Σ_{x∈X} Σ_{y∈Y} k(x, y)", Domain: "X, Y: bags of points, not empty",
		Equivalents: []string{"k = " + k.Of.String()}, Source: source, SeeAlso: []string{"sum", "match"}}
}

// Reference describes the kernel.
func (k Sum[T]) Reference() kernel.Reference {
	return kernel.Reference{Name: "sum", Title: "sum over the pairs of two bags", Formula: "Σ_{x∈X} Σ_{y∈Y} k(x, y)", Domain: "X, Y: bags of points",
		Equivalents: []string{"k = " + k.Of.String()}, Source: source, SeeAlso: []string{"mean"}}
}
