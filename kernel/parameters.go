package kernel

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The parameters of a compound kernel are its own, then those of its parts in the
// order of writing. A name that occurs once stays as it is; where several parameters
// share a name they are numbered in that order: sigma#1, sigma#2.

// counter is implemented by the kernels of the algebra: the number of their
// parameters without making the names.
type counter interface{ arity() int }

// arity returns len(k.Parameters()), or 0 for a kernel that is not [Tunable].
func arity[T any](k Kernel[T]) int {
	switch k := k.(type) {
	case counter:
		return k.arity()
	case Tunable[T]:
		return len(k.Parameters())
	}
	return 0
}

// arities adds up the parameters of parts.
func arities[T any](parts []Kernel[T]) (n int) {
	for _, part := range parts {
		n += arity(part)
	}
	return n
}

// parametersOf joins own parameters and those of the parts under unique names.
func parametersOf[T any](own []Parameter, parts ...Kernel[T]) []Parameter {
	all := own
	for _, part := range parts {
		if t, ok := part.(Tunable[T]); ok {
			all = append(all, t.Parameters()...)
		}
	}
	count, seen := map[string]int{}, map[string]int{}
	for i := range all {
		all[i].Name, _, _ = strings.Cut(all[i].Name, "#")
		count[all[i].Name]++
	}
	for i := range all {
		name := all[i].Name
		if count[name] > 1 {
			seen[name]++
			all[i].Name = name + "#" + strconv.Itoa(seen[name])
		}
	}
	return all
}

// withParts returns the parts with new parameters, given in the order of
// [parametersOf] without own ones.
func withParts[T any](parts []Kernel[T], values []float64) ([]Kernel[T], error) {
	if n := arities(parts); len(values) != n {
		return nil, wrongCount(len(values), n)
	}
	fresh := make([]Kernel[T], len(parts))
	for i, part := range parts {
		n := arity(part)
		if fresh[i] = part; n == 0 {
			continue
		}
		changed, err := part.(Tunable[T]).With(values[:n])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
		fresh[i], values = changed, values[n:]
	}
	return fresh, nil
}

func wrongCount(got, want int) error {
	return fmt.Errorf("%d values for %d parameters: give one value for each, in the order of Parameters", got, want)
}

// with is [Tunable].With for a kernel without parameters of its own.
func with[T any](k assembled[T], values []float64) (Kernel[T], error) {
	parts, err := withParts(k.Parts(), values)
	if err != nil {
		return nil, err
	}
	return k.rebuilt(parts), nil
}

// withPart is withParts for a single part.
func withPart[T any](part Kernel[T], values []float64) (Kernel[T], error) {
	fresh, err := withParts([]Kernel[T]{part}, values)
	if err != nil {
		return nil, err
	}
	return fresh[0], nil
}

// ownNumber is the parameter list of a kernel whose own number c is tuned where it is
// positive.
func ownNumber(name string, c float64) []Parameter {
	if ownCount(c) == 0 {
		return nil
	}
	return []Parameter{{Name: name, Value: c, Positive: true}}
}

// ownCount returns len(ownNumber(…)).
func ownCount(c float64) int {
	if c > 0 {
		return 1
	}
	return 0
}

// ownValue returns the new value of a kernel's own number: the first of values, or c
// itself where it is not tuned.
func ownValue(name string, c float64, values []float64) (float64, error) {
	if ownCount(c) == 0 {
		return c, nil
	}
	if v := values[0]; !(v > 0) || math.IsInf(v, 1) {
		return 0, fmt.Errorf("%s = %v: it must be positive and finite", name, v)
	}
	return values[0], nil
}
