package mercer

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
	"example.org/mercer/task"
)

// importLIBSVM reads a model file of LIBSVM.
func importLIBSVM(ctx context.Context, f foreign) (*Model, *prep.Prepared, error) {
	from, err := libsvm.Read(f.name, f.budget.Reader(f.file, f.name, libsvmTimes))
	if err != nil {
		return nil, nil, err
	}
	s := f.spec
	s.Labels = from.Labels != nil
	s.NoTarget = s.NoTarget || from.Type == svm.OneClass && len(s.Targets) == 0
	read := vectorsOfLIBSVM
	if from.Points == nil {
		read = rowsOfLIBSVM
	}
	m, rows, rule, err := read(ctx, f, from, s)
	if err != nil {
		return nil, nil, err
	}
	report, method := supportVectors(from.Type, m.Function.Size())
	m.Report, m.Method, m.Decision = report, method, outcome.ForTargets(m.Prep)
	switch {
	case rule != nil:
		labels := make([]string, len(from.Labels))
		for c, label := range from.Labels {
			labels[c] = strconv.Itoa(label)
		}
		if m.Decision, err = relabel(rule, labels, m.Prep); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.name, err)
		}
		report.Decision = m.Decision.Votes
	case from.Type == svm.OneClass:
		m.Decision = outcome.ForMembers()
	}
	_, outputs := m.Function.Coef().Dims()
	return m, rows, f.checkOutputs(outputs, m.Decision)
}

// vectorsOfLIBSVM is the function of a model with vectors.
func vectorsOfLIBSVM(_ context.Context, f foreign, from *libsvm.Model, s prep.Spec) (*Model, *prep.Prepared, *svm.Decision, error) {
	if err := f.ownKernel(); err != nil {
		return nil, nil, nil, err
	}
	s.Raw = []string{"*"}
	in, err := task.Prepare(f.table, s, "")
	if err != nil {
		return nil, nil, nil, err
	}
	names, _ := in.Steps.Features()
	e, rule, err := from.Expansion(len(names))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", f.name, err)
	}
	m := &Model{Fitted: &learner.Fitted{Function: task.NewFunction(task.VectorEncoding, e.Kernel, e)}, Prep: in.Steps, Trained: numbered("SV", e.Points.Len())}
	return m, in.Rows, rule, nil
}

// rowsOfLIBSVM is the function of a model with numbers of rows, which are those of the table.
func rowsOfLIBSVM(ctx context.Context, f foreign, from *libsvm.Model, s prep.Spec) (*Model, *prep.Prepared, *svm.Decision, error) {
	if f.kernel == "" {
		return nil, nil, nil, fmt.Errorf("%s: the model has numbers of rows in place of vectors (-t 4): give the table that it was trained with, and the kernel", f.name)
	}
	p, err := task.New(ctx, f.table, s, f.kernel)
	if err != nil {
		return nil, nil, nil, err
	}
	place := map[int]int{} // of the rows of the table among those that were kept
	for i, row := range p.Rows.Rows {
		place[row+1] = i
	}
	few, bias, rule := from.Spread()
	_, outputs := few.Dims()
	coef := mat.NewDense(len(p.Rows.Rows), outputs, nil)
	for i, number := range from.Rows {
		at, ok := place[number]
		if !ok {
			return nil, nil, nil, fmt.Errorf("%s: support vector %d is row %d, and %s has %d rows that are used: give the table that the model was trained with", f.name, i+1, number, f.table.Source, len(place))
		}
		coef.SetRow(at, few.RawRowView(i))
	}
	function, support := p.Points.Expand(coef, bias)
	m := &Model{Fitted: &learner.Fitted{Function: function}, Prep: p.Prep}
	for _, i := range support {
		m.Trained = append(m.Trained, task.RowName(p.Rows, i))
	}
	return m, p.Rows, rule, nil
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
