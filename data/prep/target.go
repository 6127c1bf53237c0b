package prep

import (
	"fmt"

	"example.org/mercer/data/prep/transform"
)

// Target is one column to be predicted. A numeric target is one output. A target
// with labels is coded by ±1: two labels make one output, the first label −1 and
// the second +1; more labels make one output each, +1 for the row's own label and
// −1 for the others. A target whose answers have parts has a Form, and the codes that
// [Form] says.
type Target struct {
	Name   string
	Labels []string // sorted; nil for a numeric target
	// Transform is the function of a numeric target that is its output; nil: the target itself is.
	Transform *transform.Map
	// Form says that a cell holds several of the sorted Items, a sequence Length of them.
	Form   Form
	Items  []string
	Length int
}

// Outputs returns the number of output columns of the target.
func (t Target) Outputs() int {
	if t.Form != One {
		return len(t.places())
	}
	if len(t.Labels) > 2 {
		return len(t.Labels)
	}
	return 1
}

// Names returns the names of the output columns: the name of the target, or
// "name=label" where each label, item or place has its own.
func (t Target) Names() []string {
	parts := t.Labels
	if t.Form != One {
		parts = t.places()
	} else if t.Outputs() == 1 {
		return []string{t.Name}
	}
	names := make([]string, len(parts))
	for i, label := range parts {
		if isForgotten(label) {
			label = fmt.Sprintf("(forgotten %d)", i+1)
		}
		names[i] = t.Name + "=" + label
	}
	return names
}

// encode stores the outputs of the label with the given index in dst, which has
// Outputs() elements.
func (t Target) encode(dst []float64, label int) {
	if len(dst) == 1 {
		dst[0] = float64(2*label - 1)
		return
	}
	for j := range dst {
		dst[j] = -1
	}
	dst[label] = 1
}

// Class returns the number of the label that the outputs of one row stand for, or −1
// for a numeric target and for a row with the wrong number of outputs; see [Target.Decode].
func (t Target) Class(outputs []float64) int {
	if t.Labels == nil || len(outputs) != t.Outputs() {
		return -1
	}
	if len(outputs) == 1 {
		if outputs[0] >= 0 && !isForgotten(t.Labels[1]) || isForgotten(t.Labels[0]) {
			return 1
		}
		return 0
	}
	best := 0
	for j, v := range outputs {
		if isForgotten(t.Labels[best]) || v > outputs[best] && !isForgotten(t.Labels[j]) {
			best = j
		}
	}
	return best
}

// Decode returns the label that the outputs of one row stand for: by sign for two
// labels (0 counts as the second), by the largest for more (the first of equals).
// It returns "" for a numeric target and for a row with the wrong number of outputs.
func (t Target) Decode(outputs []float64) string {
	if class := t.Class(outputs); class >= 0 {
		return t.Labels[class]
	}
	return ""
}
