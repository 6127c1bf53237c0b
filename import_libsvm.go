package mercer

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
	"example.org/mercer/task"
)

// importLIBSVM reads a model file of LIBSVM.
func importLIBSVM(_ context.Context, f foreign) (*Model, *prep.Prepared, error) {
	from, err := libsvm.Read(f.name, f.budget.Reader(f.file, f.name, libsvmTimes))
	if err != nil {
		return nil, nil, err
	}
	s := f.spec
	s.Raw, s.Labels = []string{"*"}, from.Labels != nil
	s.NoTarget = s.NoTarget || from.Type == svm.OneClass && len(s.Targets) == 0
	in, err := task.Prepare(f.table, s, "")
	if err != nil {
		return nil, nil, err
	}
	names, _ := in.Steps.Features()
	e, rule, err := from.Expansion(len(names))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.name, err)
	}
	points, ok := e.Points.(data.Vectors)
	if !ok {
		points = data.MakeVectors(e.Points.Len(), len(names))
		for i := range points.Len() {
			copy(points.At(i), e.Points.At(i))
		}
	}
	e.Points = points
	m := &Model{Fitted: &learner.Fitted{Function: task.NewFunction(task.VectorEncoding, e.Kernel, e), Decision: outcome.ForTargets(in.Steps)}, Prep: in.Steps}
	report, method := supportVectors(from.Type, points.Len())
	m.Report, m.Method, m.Trained = report, method, numbered("SV", points.Len())
	switch {
	case rule != nil:
		labels := make([]string, len(from.Labels))
		for c, label := range from.Labels {
			labels[c] = strconv.Itoa(label)
		}
		if m.Decision, err = relabel(rule, labels, in.Steps); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.name, err)
		}
		report.Decision = m.Decision.Votes
	case from.Type == svm.OneClass:
		m.Decision = outcome.ForMembers()
	}
	return m, in.Rows, f.checkOutputs(e.Outputs(), m.Decision)
}

// libsvmTimes is what a model takes in memory in terms of its file.
const libsvmTimes = 16

// relabel turns a rule about classes with labels into one about the labels of a target.
func relabel(rule *svm.Decision, labels []string, steps *prep.Pipeline) (outcome.Decision, error) {
	targets := steps.Targets()
	if len(targets) != 1 {
		return outcome.Decision{}, fmt.Errorf("the model has one target, and the table %d: name it", len(targets))
	}
	place := make([]int, len(labels))
	for c, label := range labels {
		if place[c] = slices.Index(targets[0].Labels, label); place[c] < 0 {
			return outcome.Decision{}, fmt.Errorf("the model knows the labels %v, and target %s of the table has %q", labels, targets[0].Name, targets[0].Labels)
		}
	}
	move := func(classes []int) []int {
		out := make([]int, len(classes))
		for i, c := range classes {
			if out[i] = c; c >= 0 {
				out[i] = place[c]
			}
		}
		return out
	}
	return outcome.ForVotes(targets[0], &svm.Decision{Scheme: rule.Scheme, Positive: move(rule.Positive), Negative: move(rule.Negative), Order: move(rule.Order)}), nil
}
