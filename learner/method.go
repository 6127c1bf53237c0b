package learner

import (
	"context"
	"encoding/json"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Learner is one way to learn, with its options: one of the types of this package that
// wrap the options of a method package, such as [KRR].
type Learner interface {
	// Name is what the command and the model file call the method.
	Name() string
	// Fit learns from a task.
	Fit(ctx context.Context, p *task.Task) (*Fitted, error)
	// Plan predicts memory and time of Fit on this machine.
	Plan(ctx context.Context, p *task.Task) (compute.Plan, error)
	// ComputeOptions say how the method computes.
	ComputeOptions() compute.Options
	// WithCompute returns the method with other computing options.
	WithCompute(o compute.Options) Learner
}

// Report is what a method tells of a fit: a *[krr.Report], a *[svm.Report], …
type Report interface {
	// Ran returns the stages and the warnings.
	Ran() *model.Run
	// Lines returns what people read of it.
	Lines() []model.Line
}

// DecodeStates reads the states of a model of a method, whose weights are read.
func DecodeStates(of *Spec, s *Stored) (states []State, err error) {
	if of.ReadStates != nil {
		if states, err = of.ReadStates(s); err != nil {
			return nil, err
		}
	}
	scores, err := readConformal(s)
	return append(states, scores...), err
}

// DecodeReport reads the report of a model of a method.
func DecodeReport(of *Spec, text json.RawMessage, outputs int) (Report, error) {
	report, err := of.ReadReport(text, outputs)
	if err != nil {
		return nil, fmt.Errorf("the report of the model: %w", err)
	}
	return report, nil
}

// PlainReport reads a report of which nothing has to be checked.
func PlainReport[R any, P interface {
	*R
	Report
}](text json.RawMessage, _ int) (Report, error) {
	r := P(new(R))
	return r, json.Unmarshal(text, r)
}

// EncodeReport returns the JSON of a report as [DecodeReport] reads it, without the times, so that
// the same fit gives the same bytes.
func EncodeReport(of *Spec, r Report, outputs int) (json.RawMessage, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	read, err := DecodeReport(of, text, outputs)
	if err != nil {
		return nil, err
	}
	run := read.Ran()
	run.Stages, run.Seconds = nil, 0
	return json.Marshal(read)
}

// Tunable is a method whose own parameters a search can find.
type Tunable interface {
	Solver
	// Axes are these parameters with the values that a grid tries on a problem.
	Axes(p *task.Task) []tune.Axis
	// With returns the method with values of them.
	With(values []float64) Tunable
}

// pathSolver is a method that solves for several sets of values faster than one by one.
type pathSolver interface {
	// SolvePath fails where it has no path for its options: each is then solved for itself.
	SolvePath(ctx context.Context, k gram.Operator, p *task.Task, values [][]float64) ([]*Solution, error)
}

// ClosedForm is a method whose only parameter is λ, that has a path of λ, and along it criteria in
// closed form.
type ClosedForm interface {
	PathOptions() krr.PathOptions // without weights and computing
}
