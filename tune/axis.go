package tune

import (
	"fmt"
	"math"
	"slices"
)

// Axis is a parameter of a method and the values that a grid tries, in the order of a
// path of solutions: ascending. Other searches draw between the first and the last.
type Axis struct {
	Name   string
	Values []float64
	Log    bool // whether equal ratios, not equal differences, are equal steps
	// Simpler says which values make the simpler model.
	Simpler Side
}

// Side is the end of a range.
type Side int

// Which values of a parameter make the simpler model: the larger of λ or of a width, the smaller of
// C. The zero value is that it is not known.
const (
	Above Side = 1
	Below Side = -1
)

// SimplerAt returns the axis with the side of its simpler values.
func (a Axis) SimplerAt(s Side) Axis {
	a.Simpler = s
	return a
}

// Powers returns an axis of powers of a base, from base^lower to base^upper, in steps of
// base^step.
func Powers(name string, base float64, lower, upper, step int) Axis {
	a := Axis{Name: name, Log: true}
	for e := lower; e <= upper; e += step {
		a.Values = append(a.Values, math.Pow(base, float64(e)))
	}
	return a
}

// check returns why the axis cannot be searched.
func (a Axis) check() error {
	if len(a.Values) == 0 || !slices.IsSorted(a.Values) {
		return fmt.Errorf("tune: %s needs values in ascending order, not %v", a.Name, a.Values)
	}
	for _, v := range a.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) || a.Log && v <= 0 {
			return fmt.Errorf("tune: %v cannot be a value of %s", v, a.Name)
		}
	}
	return nil
}

// parameter returns the axis as a parameter between its first and last value.
func (a Axis) parameter() Parameter {
	first, last := a.Values[0], a.Values[len(a.Values)-1]
	return Parameter{Name: a.Name, Start: a.Values[len(a.Values)/2], Lower: first, Upper: last, Positive: a.Log, Simpler: a.Simpler}
}

// combinations returns all sets of values of the axes, the last axis running fastest.
func combinations(axes [][]float64) [][]float64 {
	all := [][]float64{{}}
	for _, values := range axes {
		var longer [][]float64
		for _, head := range all {
			for _, v := range values {
				longer = append(longer, append(slices.Clip(head), v))
			}
		}
		all = longer
	}
	return all
}
