package transform

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// None is the name for leaving a target as it is.
const None = "none"

// Map is a strictly increasing function g of a target.
type Map struct {
	Name       string    `json:"name"`
	Parameters []float64 `json:"parameters,omitempty"`
	// Low and High bound what is taken back: the range of the training targets and as much on
	// either side. A function that is g⁻¹ of a straight line may have no end otherwise.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// family is a set of functions, of which parameters choose one.
type family interface {
	// fit finds the parameters from targets and their weights.
	fit(y, w []float64) []float64
	// few reports whether the parameters are few, and not targets themselves.
	few() bool
	// defined reports whether the functions have a value at y.
	defined(y float64) bool
	forward(p []float64, y float64) float64
	inverse(p []float64, z float64) float64
	// without returns the parameters without what is of no target with these values.
	without(p, z []float64) []float64
	// check returns why parameters cannot be those of a function.
	check(p []float64) error
	// needs says what targets must be.
	needs() string
}

var families = map[string]family{"log": logarithm{}, "yeo-johnson": yeoJohnson{}, "rank": ranks{}}

// Names returns the names of all functions, in order.
func Names() []string { return slices.Sorted(maps.Keys(families)) }

// Parametric returns the names of the functions with few parameters, in order. Leave-one-out errors
// compare these fairly: a function that joins the targets themselves knows those that are left out.
func Parametric() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return !families[name].few() })
}

// Known returns why a name is that of no function, and of [None].
func Known(name string) error {
	if _, ok := families[name]; ok || name == None {
		return nil
	}
	return fmt.Errorf("transform: no function of a target is called %s: take %s, or %s", data.Quote(name), strings.Join(Names(), ", "), None)
}

// Undefined is a target that a function has no value for.
type Undefined struct {
	Row   int // among those given, from 0
	Value float64
	Name  string
	Needs string
}

func (e *Undefined) Error() string {
	return fmt.Sprintf("transform: %s needs targets %s, and number %d is %v", e.Name, e.Needs, e.Row+1, e.Value)
}

// Fit chooses the function of a name that suits targets. Weights may be nil. The error is an
// [*Undefined] for a target without a value. O(n), of ranks O(n·ln n).
func Fit(name string, y, weights []float64) (*Map, error) {
	f, ok := families[name]
	if !ok {
		return nil, Known(name)
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	if len(y) == 0 || len(weights) != len(y) {
		return nil, fmt.Errorf("transform: %d targets with %d weights", len(y), len(weights))
	}
	for i, v := range y {
		if !f.defined(v) {
			return nil, &Undefined{i, v, name, f.needs()}
		}
	}
	low, high := slices.Min(y), slices.Max(y)
	m := &Map{Name: name, Parameters: f.fit(y, weights), Low: low - (high - low), High: high + (high - low)}
	return m, m.Check()
}

// Forward returns g(y), NaN where g has no value.
func (m *Map) Forward(y float64) float64 {
	if f := families[m.Name]; f.defined(y) {
		return f.forward(m.Parameters, y)
	}
	return math.NaN()
}

// Inverse returns g⁻¹(z) within the bounds of the map.
func (m *Map) Inverse(z float64) float64 {
	return min(max(families[m.Name].inverse(m.Parameters, z), m.Low), m.High)
}

// Needs says what targets the function has values for.
func (m *Map) Needs() string { return families[m.Name].needs() }

// Named writes the function of something, as in "log(price)".
func (m *Map) Named(target string) string { return m.Name + "(" + target + ")" }

// Of returns the function without what it keeps of targets other than those with the given values
// z: knots that none of them has, and bounds. It is the same at all of these.
func (m *Map) Of(z []float64) *Map {
	if len(z) == 0 {
		return m
	}
	out := *m
	out.Parameters = families[m.Name].without(m.Parameters, z)
	low, high := m.Inverse(slices.Min(z)), m.Inverse(slices.Max(z))
	out.Low, out.High = low-(high-low), high+(high-low)
	return &out
}

// Check returns why a map that was read cannot have come from [Fit].
func (m *Map) Check() error {
	f, ok := families[m.Name]
	if !ok {
		return Known(m.Name)
	}
	for _, v := range append([]float64{m.Low, m.High}, m.Parameters...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("transform: %s has the parameter %v", m.Name, v)
		}
	}
	if !(m.Low <= m.High) {
		return errors.New("transform: the bounds of " + m.Name + " are not in order")
	}
	if err := f.check(m.Parameters); err != nil {
		return fmt.Errorf("transform: %s: %w", m.Name, err)
	}
	return nil
}

// none refuses parameters.
func none(p []float64) error {
	if len(p) > 0 {
		return fmt.Errorf("it has %d parameters, and takes none", len(p))
	}
	return nil
}

// moments returns the weighted mean and the standard deviation (divisor Σw).
func moments(x, w []float64) (mean, deviation float64) {
	total := 0.0
	for i, v := range x {
		total += w[i]
		mean += w[i] * v
	}
	mean /= total
	squares := 0.0
	for i, v := range x {
		squares += w[i] * (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / total)
}
