package tune

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// Free is what a search may change.
type Free struct {
	Parameters []Parameter // of the kernel
	Axes       []Axis      // of the method
	// Lambda, if not nil, is the range of a penalty of the method whose solutions follow from
	// one another: a grid takes all its values together, [Gradient] moves it too, and every
	// kernel that [Random] draws gets its best value.
	Lambda *Range
}

// Space is a family of kernels with free parameters, and what is free in a method. Build
// returns the kernel of given values, in the order of Parameters, or an error where there is
// none.
type Space[T any] struct {
	Free
	Build func(values []float64) (kernel.Kernel[T], error)
}

// Of returns the space of all parameters of a kernel, from their present values.
func Of[T any](k kernel.Tunable[T]) Space[T] {
	s := Space[T]{Build: k.With}
	for _, p := range k.Parameters() {
		s.Parameters = append(s.Parameters, NewParameter(p.Name, p.Value, p.Positive))
	}
	return s
}

// all returns every parameter of the search: those of the kernel, of the method, and λ.
func (f *Free) all() []Parameter {
	out := append([]Parameter{}, f.Parameters...)
	for _, a := range f.Axes {
		out = append(out, a.parameter())
	}
	if r := f.Lambda; r != nil {
		out = append(out, Parameter{Name: "lambda", Start: r.Start, Lower: r.Lower, Upper: r.Upper, Positive: true, Simpler: Above})
	}
	return out
}

// starts returns the starting values of the kernel.
func (f *Free) starts() []float64 {
	v := make([]float64, len(f.Parameters))
	for i, p := range f.Parameters {
		v[i] = p.Start
	}
	return v
}

// check reports every parameter that cannot be searched.
func (s *Space[T]) check() error {
	var problems []error
	if s.Build == nil {
		problems = append(problems, errors.New("tune: the space of kernels has no Build"))
	}
	for _, p := range s.Parameters {
		if !(p.Lower <= p.Start && p.Start <= p.Upper) || math.IsInf(p.Lower, 0) || math.IsInf(p.Upper, 0) || p.Positive && p.Lower <= 0 {
			problems = append(problems, fmt.Errorf("tune: parameter %s starts at %v between %v and %v: bounds must be finite, enclose the start, and be positive where the parameter is", p.Name, p.Start, p.Lower, p.Upper))
		}
	}
	for _, a := range s.Axes {
		problems = append(problems, a.check())
	}
	if s.Lambda != nil {
		problems = append(problems, s.Lambda.check())
		if len(s.Axes) > 0 {
			problems = append(problems, errors.New("tune: λ is followed along a path for a method that has no other parameters"))
		}
	}
	return errors.Join(problems...)
}

// Parameter is one number that a search may move. The coordinate of the search is the
// logarithm where Positive.
type Parameter struct {
	Name     string  `json:"name"`
	Start    float64 `json:"start"`
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Positive bool    `json:"positive"`
	// Simpler says which values make the simpler model; a tie goes to it.
	Simpler Side `json:"-"`
}

// freeRange is the range, as a factor either way, of a positive parameter without
// bounds.
const freeRange = 1e3

// NewParameter returns a parameter with the usual bounds: a factor of 1000 either way
// of a positive start, ±1000·max(1, |start|) otherwise.
func NewParameter(name string, start float64, positive bool) Parameter {
	if positive {
		return Parameter{Name: name, Start: start, Lower: start / freeRange, Upper: start * freeRange, Positive: true}
	}
	reach := freeRange * math.Max(1, math.Abs(start))
	return Parameter{Name: name, Start: start, Lower: start - reach, Upper: start + reach}
}

// coordinate returns the coordinate of a value.
func (p *Parameter) coordinate(v float64) float64 {
	if p.Positive {
		return math.Log(v)
	}
	return v
}

// value returns the value at a coordinate, between the bounds.
func (p *Parameter) value(c float64) float64 {
	if p.Positive {
		c = math.Exp(c)
	}
	return min(max(c, p.Lower), p.Upper)
}

// between returns the value at a share of the way from the lower to the upper bound.
func (p *Parameter) between(share float64) float64 {
	low, high := p.coordinate(p.Lower), p.coordinate(p.Upper)
	return p.value(low + (high-low)*share)
}
