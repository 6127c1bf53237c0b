package mercer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/sklearn"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/newton"
	"example.org/mercer/task"
)

// importSklearn reads a model of scikit-learn.
func importSklearn(ctx context.Context, f foreign) (*Model, *prep.Prepared, error) {
	if err := f.ownKernel(); err != nil {
		return nil, nil, err
	}
	from, err := sklearn.Read(ctx, f.name, f.file, f.file.Size(), f.budget)
	if err != nil {
		return nil, nil, err
	}
	steps, order, err := f.steps(from)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.name, err)
	}
	names, _ := steps.Features()
	e, err := from.Expansion(order, names)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.name, err)
	}
	m := &Model{Prep: steps, Trained: numbered("row ", from.Points())}
	m.Fitted = &learner.Fitted{}
	if err := m.answer(from, e); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.name, err)
	}
	m.Function = task.NewFunction(task.VectorEncoding, e.Kernel, e)
	for _, w := range from.Warnings {
		m.Report.Ran().Warn("%s", w)
	}
	if err := f.checkOutputs(e.Outputs(), m.Decision); err != nil {
		return nil, nil, err
	}
	rows, err := steps.ApplyInputs(f.table)
	return m, rows, err
}

// steps are those of the model on the columns of the table. order[j] is the feature of the model
// that coordinate j is; −1: none.
func (f foreign) steps(from *sklearn.Model) (steps *prep.Pipeline, order []int, err error) {
	s, t := f.spec, *f.table
	s.Raw, s.Labels = []string{"*"}, from.Labels != nil
	s.NoTarget = s.NoTarget || from.Answer >= sklearn.Members && len(s.Targets) == 0
	in, err := task.Prepare(&t, s, "")
	if err != nil {
		return nil, nil, err
	}
	columns := from.Columns
	if columns == nil {
		if columns = in.Steps.Inputs(); len(columns) != from.Width {
			return nil, nil, fmt.Errorf("the model was fitted to %d columns without names, and %s has %d beside its target: drop the others", from.Width, t.Source, len(columns))
		}
	}
	of, err := stepsOf(from, columns)
	if err != nil {
		return nil, nil, err
	}
	if steps, err = in.Steps.WithSteps(of); err != nil {
		return nil, nil, err
	}
	if from.Labels != nil {
		if steps, err = steps.WithLabels(from.Labels); err != nil {
			return nil, nil, err
		}
	}
	return steps, orderOf(from, columns, steps), nil
}

// stepsOf returns the steps of columns with these names.
func stepsOf(from *sklearn.Model, columns []string) (out []prep.Step, err error) {
	at := map[int]int{} // of the step of a column
	for _, f := range from.Features {
		i, seen := at[f.Column]
		if !seen || !f.IsLevel {
			i, at[f.Column] = len(out), len(out)
			out = append(out, prep.Step{Name: columns[f.Column], Categorical: f.IsLevel, Center: f.Center, Scale: f.Scale, Fills: f.Fills, Fill: f.Fill})
		}
		if f.IsLevel {
			out[i].Levels = f.Levels
			if out[i].FillLevel = max(0, slices.Index(f.Levels, f.FillLevel)); f.Fills && !slices.Contains(f.Levels, f.FillLevel) {
				return nil, fmt.Errorf("missing cells of column %s are filled with %s, which is none of its categories: fit with one that is", data.Quote(out[i].Name), data.Quote(f.FillLevel))
			}
		}
	}
	return out, nil
}

// orderOf finds the features of the model among those of the steps.
func orderOf(from *sklearn.Model, columns []string, steps *prep.Pipeline) []int {
	names, groups := steps.Features()
	order := make([]int, len(names))
	for j := range names {
		order[j] = slices.IndexFunc(from.Features, func(f sklearn.Feature) bool {
			return columns[f.Column] == groups[j] && (!f.IsLevel || names[j] == groups[j]+"="+f.Level)
		})
	}
	return order
}

// answer gives a model method, report, decision and states. Outputs for classes are put in the
// order of the labels of the target.
func (m *Model) answer(from *sklearn.Model, e *model.Expansion[[]float64]) error {
	m.Method, m.Decision = methods.ImportedName, outcome.ForTargets(m.Prep)
	m.Report = &methods.Imported{From: "scikit-learn " + from.Version, Class: from.Class, Points: from.Points()}
	if from.Vectors != "" {
		report, method := supportVectors(from.Vectors, from.Points())
		m.Report, m.Method = report, method
		if from.Answer == sklearn.Votes {
			var err error
			if m.Decision, err = relabel(from.Rule, from.Labels, m.Prep); err != nil {
				return err
			}
			report.Decision = m.Decision.Votes
		}
	}
	switch from.Answer {
	case sklearn.Members:
		m.Decision = outcome.ForMembers()
	case sklearn.Components:
		m.Decision = outcome.ForComponents(e.Outputs())
	case sklearn.Coordinates:
		m.Decision = outcome.ForCoordinates(e.Outputs())
	case sklearn.Classes:
		return m.answerClasses(from, e)
	case sklearn.Numbers:
		if from.Process != nil {
			return m.answerProcess(from)
		}
	}
	return nil
}

// answerClasses is for one output for each class, or one for two.
func (m *Model) answerClasses(from *sklearn.Model, e *model.Expansion[[]float64]) error {
	targets := m.Prep.Targets()
	m.Decision = outcome.ForClasses(targets[0])
	if from.Softmax {
		m.Decision.Link = outcome.Softmax
	}
	reorder(e, from.Labels, targets[0].Labels)
	l := from.Latent
	if l == nil {
		return nil
	}
	m.Method, m.Decision.Link = methods.GPC{}.Name(), outcome.Averaged
	m.Report = &gp.ClassReport{N: len(l.Classes), Classes: 2, LogEvidence: l.LogEvidence, Likelihood: l.Likelihood, Accuracy: l.Accuracy, Newton: newton.Trace{Converged: true}}
	m.States = []learner.State{methods.LatentProcess()}
	return nil
}

// reorder puts outputs in the order of the labels of the target. One output for two classes speaks
// for the second: it changes its sign where that is the first of the target.
func reorder(e *model.Expansion[[]float64], labels, wanted []string) {
	n, outputs := e.Coef.Dims()
	coef, bias := mat.NewDense(n, outputs, nil), slices.Clone(e.Bias)
	if outputs == 1 {
		if labels[1] == wanted[1] {
			return
		}
		coef.Scale(-1, e.Coef)
		floats.Scale(-1, bias)
		e.Coef, e.Bias = coef, bias
		return
	}
	for c, label := range wanted {
		from := slices.Index(labels, label)
		coef.SetCol(c, mat.Col(nil, from, e.Coef))
		bias[c] = e.Bias[from]
	}
	e.Coef, e.Bias = coef, bias
}

// answerProcess is for regression by a process, whose intervals follow from its rows.
func (m *Model) answerProcess(from *sklearn.Model) error {
	p, n := from.Process, float64(from.Points())
	if !(p.Noise > 0) {
		return errors.New("the process has no noise: fit it with alpha > 0")
	}
	alpha := mat.Col(nil, 0, from.Coefficients())
	report := &gp.Report{N: from.Points(), Active: from.Points(), Noise: p.Noise, Mean: gp.Zero, LogEvidence: p.LogEvidence, Residual: p.Residual,
		Fit: -floats.Dot(p.Targets, alpha) / 2, RMSE: p.Noise * floats.Norm(alpha, 2) / math.Sqrt(n)}
	report.Complexity = p.LogEvidence - report.Fit + n/2*math.Log(2*math.Pi)
	m.Method, m.Report = methods.GP{}.Name(), report
	m.States = []learner.State{methods.ConditionedProcess()}
	return nil
}
