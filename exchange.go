package mercer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
	"example.org/mercer/task"
)

// WriteLIBSVM writes a support vector machine as a model file of LIBSVM, which svm-predict
// accepts. LIBSVM prepares nothing and has no names of labels: the features must be
// numbers as they stand in the table, and labels must be whole numbers.
func (m *Model) WriteLIBSVM(w io.Writer) error {
	if m.Compression != nil {
		return errCompressed
	}
	report, ok := m.Report.(interface{ SVMType() svm.Type })
	if !ok {
		return fmt.Errorf("mercer: LIBSVM has support vector machines, and this model was made by method %q", m.Method)
	}
	f, ok := task.VectorEncoding.FunctionOf(m.Function)
	if !ok {
		return errors.New("mercer: the model stands on row ids; LIBSVM wants vectors, or a matrix of its own (-t 4)")
	}
	e, ok := f.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return task.ErrPrimal
	}
	if !m.Prep.Plain() {
		return fmt.Errorf("mercer: the model prepares its table (%s) and LIBSVM does not: fit it again with columns as they are (--no-standardize) and without categories", m.Prep)
	}
	var labels []int
	if m.Decision.Rule == outcome.Votes {
		for _, label := range m.Prep.Targets()[0].Labels {
			v, err := strconv.Atoi(label)
			if err != nil {
				return fmt.Errorf("mercer: LIBSVM numbers its labels, and this model has the label %q: number the labels of the table", label)
			}
			labels = append(labels, v)
		}
	}
	out, err := libsvm.FromExpansion(e, report.SVMType(), m.Decision.Votes, labels)
	if err != nil {
		return err
	}
	return out.Write(w)
}

// ReadLIBSVM makes a model of a model file of LIBSVM. The table, one that the model is
// meant for, names the columns and the target; nothing is learned from it but what
// rows of the self-test are to resemble.
func ReadLIBSVM(ctx context.Context, name string, r io.Reader, t *data.Table, s prep.Spec, o compute.Options) (*Model, error) {
	from, err := libsvm.Read(name, r)
	if err != nil {
		return nil, err
	}
	s.Raw, s.Labels = []string{"*"}, from.Labels != nil
	s.NoTarget = s.NoTarget || from.Type == svm.OneClass && len(s.Targets) == 0
	in, err := task.Prepare(t, s, "")
	if err != nil {
		return nil, err
	}
	names, _ := in.Steps.Features()
	e, rule, err := from.Expansion(len(names))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	points, ok := e.Points.(data.Vectors)
	if !ok {
		points = data.MakeVectors(e.Points.Len(), len(names))
		for i := range points.Len() {
			copy(points.At(i), e.Points.At(i))
		}
	}
	e.Points = points
	m := &Model{Fitted: &learner.Fitted{Function: task.NewFunction(task.VectorEncoding, e.Kernel, e), Decision: outcome.ForTargets(in.Steps)},
		Source: name, Version: model.Version, Prep: in.Steps, Method: methodOf(from.Type)}
	report := &svm.Report{Type: from.Type, SupportVectors: points.Len(), Converged: true}
	m.Report = report
	switch {
	case rule != nil:
		if m.Decision, err = relabel(rule, from.Labels, in.Steps); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Decision = m.Decision.Votes
	case from.Type == svm.OneClass:
		m.Decision = outcome.ForMembers()
	}
	if _, outputs := e.Coef.Dims(); outputs != len(m.Decision.Outputs) {
		return nil, fmt.Errorf("%s: the model has %d outputs, and the targets of %s want %d", name, outputs, t.Source, len(m.Decision.Outputs))
	}
	for i := range points.Len() {
		m.Trained = append(m.Trained, fmt.Sprintf("SV%d", i+1))
	}
	return m, m.inventSelfTest(ctx, in.Rows, o)
}

func methodOf(t svm.Type) string {
	switch t {
	case svm.OneClass:
		return methods.OneClass{}.Name()
	case svm.EpsilonSVR, svm.NuSVR:
		return methods.SVR{}.Name()
	}
	return methods.SVC{}.Name()
}

// relabel turns a rule about LIBSVM's classes into one about the labels of a target.
func relabel(rule *svm.Decision, labels []int, steps *prep.Pipeline) (outcome.Decision, error) {
	targets := steps.Targets()
	if len(targets) != 1 {
		return outcome.Decision{}, fmt.Errorf("the model has one target, and the table %d: name it", len(targets))
	}
	place := make([]int, len(labels))
	for c, label := range labels {
		if place[c] = slices.Index(targets[0].Labels, strconv.Itoa(label)); place[c] < 0 {
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
