package methods

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
)

// CheckTargets refuses targets that a method of the registry cannot learn, and names methods that
// can, before there is any work. Of a method that the registry does not have nothing is known.
func CheckTargets(method string, targets []prep.Target) error {
	s := Named(method)
	if s == nil || len(targets) == 0 {
		return nil
	}
	has := func(is func(t prep.Target) bool) int { return slices.IndexFunc(targets, is) }
	labels := has(func(t prep.Target) bool { return t.Labels != nil })
	numbers := has(func(t prep.Target) bool { return t.Labels == nil && t.Form == prep.One })
	parts := has(func(t prep.Target) bool { return t.Form != prep.One })
	switch {
	case parts >= 0 && s.Target != learner.StructuredTarget:
		return fmt.Errorf("target %s holds answers that have parts, which %s does not predict: use %s", targets[parts].Name, s.Name, namesFor(learner.StructuredTarget))
	case labels >= 0 && s.Target == learner.NumericTarget:
		return fmt.Errorf("target %s holds labels (%s), and %s predicts numbers: use a method for labels, %s", targets[labels].Name, shownLabels(targets[labels].Labels), s.Name, namesFor(learner.LabelTarget))
	case numbers >= 0 && s.Target == learner.LabelTarget:
		return fmt.Errorf("target %s holds numbers, and %s tells labels apart: use a method for numbers, %s, or prepare the table with labels", targets[numbers].Name, s.Name, namesFor(learner.NumericTarget))
	case s.Target == learner.StructuredTarget && parts < 0:
		return fmt.Errorf("target %s has one label or number in a cell, and %s predicts answers that have parts: use a method for labels, %s, or say what a cell holds", targets[0].Name, s.Name, namesFor(learner.LabelTarget))
	}
	return nil
}

// namesFor lists the methods that are for targets of one kind.
func namesFor(kind learner.Target) string {
	var names []string
	for _, s := range All {
		if s.Target == kind {
			names = append(names, s.Name)
		}
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

// shownLabels shows the first of some labels.
func shownLabels(labels []string) string {
	const most = 4
	shown := make([]string, 0, most)
	for _, label := range labels[:min(most, len(labels))] {
		shown = append(shown, fmt.Sprintf("%q", label))
	}
	text := strings.Join(shown, ", ")
	if len(labels) > most {
		text += ", …"
	}
	return text
}
