package vec

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/mercer/kernel"
)

// vector is a point of the kernels of this package.
type vector = []float64

// Kernel is a kernel on dense vectors.
type Kernel = kernel.Kernel[[]float64]

// leaf is a kernel of this package that is not built from others: a profile of one
// of the [tile.Statistic] values of a pair. emit appends the opcodes that leave the
// kernel's value on top of the stack.
type leaf interface {
	Kernel
	Family() kernel.Family[[]float64]
	emit(c *compiler)
}

// member is embedded by every kernel of this package and says which family binds it.
type member struct{}

// Family returns the family that binds expressions of this package's kernels.
func (member) Family() kernel.Family[[]float64] { return family{} }

// number returns the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// list returns one number as itself and several as [1, 0.5].
func list(values []float64) string {
	if len(values) == 1 {
		return number(values[0])
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = number(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// finite returns an error about the first coordinate that is NaN or infinite.
func finite(x []float64) error {
	for j, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("coordinate %d (counted from 1) is %v: kernels need finite numbers; drop the row, fill the value, or say what a missing one means (nan=ignore or nan=penalise of rbf, laplace1, linear)", j+1, v)
		}
	}
	return nil
}

// positive returns an error unless v is a finite number above 0.
func positive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%s = %s must be a finite number above 0", name, number(v))
	}
	return nil
}

// finiteNumber returns an error unless v is a finite number.
func finiteNumber(name string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s = %s must be a finite number", name, number(v))
	}
	return nil
}

// or returns v, or fallback where v is zero: the default of a field of a kernel
// whose zero value is useful.
func or(v, fallback float64) float64 {
	if v == 0 {
		return fallback
	}
	return v
}

// count returns an error unless exactly want values were given to With.
func count(name string, got, want int) error {
	if got != want {
		return fmt.Errorf("%s has %d parameters, %d values were given", name, want, got)
	}
	return nil
}

// proof is the derivation of a kernel that is positive definite for the given reason.
func proof(k fmt.Stringer, reason string) kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: reason}
}

// disproof is the derivation of a kernel that is known not to be positive definite.
func disproof(k fmt.Stringer, reason string) kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Indefinite, Reason: reason}
}
