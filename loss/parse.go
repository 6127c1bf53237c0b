package loss

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// entry is a loss that [Parse] knows, with its parameters and their defaults.
type entry struct {
	name       string
	parameters []parameter
	build      func(v []float64) Loss
	card       string
}

type parameter struct {
	name  string
	value float64 // default, NaN if there is none
}

var dictionary = []entry{
	{"squared", nil, func([]float64) Loss { return Squared{} }, "(y−f)²/2: the mean"},
	{"absolute", nil, func([]float64) Loss { return Absolute{} }, "|y−f|: the median"},
	{"huber", []parameter{{"k", 1.345}, {"scale", 0}}, func(v []float64) Loss { return Huber{K: v[0], Scale: v[1]} }, "squared up to k·scale, straight beyond; scale 0 is estimated"},
	{"tukey", []parameter{{"c", 4.685}, {"scale", 0}}, func(v []float64) Loss { return Tukey{C: v[0], Scale: v[1]} }, "biweight: constant beyond c·scale, not convex; scale 0 is estimated"},
	{"quantile", []parameter{{"tau", math.NaN()}}, func(v []float64) Loss { return Quantile{Tau: v[0]} }, "pinball: the τ-quantile"},
	{"insensitive", []parameter{{"epsilon", math.NaN()}}, func(v []float64) Loss { return Insensitive{Epsilon: v[0]} }, "max(|y−f|−ε, 0): support vector regression"},
	{"logistic", nil, func([]float64) Loss { return Logistic{} }, "ln(1+e^(−yf)), y = ±1"},
	{"hinge", nil, func([]float64) Loss { return Hinge{} }, "max(1−yf, 0), y = ±1"},
	{"squared-hinge", nil, func([]float64) Loss { return SquaredHinge{} }, "max(1−yf, 0)², y = ±1"},
}

// Names lists the losses that [Parse] knows, each with its parameters and one line of
// help.
func Names() []string {
	out := make([]string, len(dictionary))
	for i, e := range dictionary {
		out[i] = e.signature() + "  " + e.card
	}
	return out
}

func (e *entry) signature() string {
	var args []string
	for _, p := range e.parameters {
		if math.IsNaN(p.value) {
			args = append(args, p.name+"=?")
		} else {
			args = append(args, fmt.Sprintf("%s=%g", p.name, p.value))
		}
	}
	if len(args) == 0 {
		return e.name
	}
	return e.name + "(" + strings.Join(args, ", ") + ")"
}

// Parse reads a loss as its String writes it: a name, and parameters by name in
// parentheses, such as "huber", "huber(k=2)" or "quantile(tau=0.9)". Values are checked
// by the solvers.
func Parse(text string) (Loss, error) {
	name, rest, open := strings.Cut(strings.TrimSpace(text), "(")
	name = strings.TrimSpace(name)
	for _, e := range dictionary {
		if e.name != name {
			continue
		}
		inside := ""
		if open {
			var closed bool
			if inside, closed = strings.CutSuffix(strings.TrimSpace(rest), ")"); !closed {
				return nil, fmt.Errorf("loss: %q has no closing parenthesis", text)
			}
		}
		v, err := e.arguments(inside)
		if err != nil {
			return nil, fmt.Errorf("loss: %q: %w", text, err)
		}
		return e.build(v), nil
	}
	var known []string
	for _, e := range dictionary {
		known = append(known, e.name)
	}
	return nil, fmt.Errorf("loss: %q is not known; one of %s is", name, strings.Join(known, ", "))
}

// arguments reads "name=number, name=number".
func (e *entry) arguments(text string) ([]float64, error) {
	v, given := make([]float64, len(e.parameters)), make([]bool, len(e.parameters))
	for i, p := range e.parameters {
		v[i] = p.value
	}
	for word := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(text) == "" {
			break
		}
		name, number, ok := strings.Cut(word, "=")
		name = strings.TrimSpace(name)
		at := -1
		for i, p := range e.parameters {
			if p.name == name {
				at = i
			}
		}
		switch {
		case !ok:
			return nil, fmt.Errorf("%q is not name=number", strings.TrimSpace(word))
		case at < 0:
			return nil, fmt.Errorf("%s has no parameter %q; it is %s", e.name, name, e.signature())
		case given[at]:
			return nil, fmt.Errorf("%s is given twice", name)
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s = %q is not a finite number", name, strings.TrimSpace(number))
		}
		v[at], given[at] = x, true
	}
	for i, p := range e.parameters {
		if math.IsNaN(v[i]) {
			return nil, fmt.Errorf("%s needs %s", e.name, p.name)
		}
	}
	return v, nil
}
