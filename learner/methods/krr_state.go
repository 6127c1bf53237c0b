package methods

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// ridgeRows is what kernel ridge regression keeps of its training rows.
type ridgeRows struct {
	learner.RowFactor
	loo *mat.Dense // leave-one-out residuals, rows × outputs; nil: not computed
}

var (
	_ learner.Residuals  = (*ridgeRows)(nil)
	_ learner.Intervals  = (*ridgeRows)(nil)
	_ learner.Removals   = (*ridgeRows)(nil)
	_ learner.RowUpdater = (*ridgeRows)(nil)
)

// The names of the tensors in a model file.
const (
	tensorLOO = "loo" // n×m leave-one-out residuals, optional
)

// Store puts residuals, targets and factor among the tensors.
func (s *ridgeRows) Store(e *learner.Entries) error {
	if s.loo != nil {
		e.Tensors[tensorLOO] = model.Dense(s.loo)
	}
	return s.RowFactor.Store(e)
}

// Restrict leaves nothing: all of it is of the training rows.
func (s *ridgeRows) Restrict() (learner.State, error) { return &ridgeRows{}, nil }

// Weighted holds where something is kept of every row.
func (s *ridgeRows) Weighted() bool { return s.loo != nil || s.Targets != nil }

// Contents names residuals and factor.
func (s *ridgeRows) Contents() (names []string) {
	if s.loo != nil {
		names = append(names, "leave-one-out residuals")
	}
	return append(names, s.RowFactor.Contents()...)
}

// RowValues names residuals, targets and factor.
func (s *ridgeRows) RowValues() []string {
	rows := 0
	if s.loo != nil {
		rows = s.loo.RawMatrix().Rows
	}
	return append(s.RowFactor.RowValues(), learner.CountRows("leave-one-out residuals", rows)...)
}

// readRidgeStates reads the states of kernel ridge regression.
func readRidgeStates(s *learner.Stored) ([]learner.State, error) {
	rows := &ridgeRows{}
	var err error
	if s.File.Has(tensorLOO) {
		if rows.loo, err = s.File.Matrix(tensorLOO, s.TrainingRows, len(s.Decision.Outputs)); err != nil {
			return nil, err
		}
		if size := s.Function.Size(); s.Function.Form() == task.FormDual && size != s.TrainingRows {
			return nil, fmt.Errorf("the model has %d training rows, and leave-one-out residuals of %d", size, s.TrainingRows)
		}
	}
	if rows.RowFactor, err = learner.ReadRowFactor(s); err != nil {
		return nil, err
	}
	sums, err := learner.ReadSums(s, KRR{})
	return append(sums, rows), err
}

// Residuals are those of leave-one-out; nil where they were not computed.
func (s *ridgeRows) Residuals() *mat.Dense { return s.loo }

// intervalRows is the number of rows whose intervals are found at a time.
const intervalRows = 1024

// Intervals are those of the jackknife+ and its kin, from the leave-one-out residuals.
func (s *ridgeRows) Intervals(ctx context.Context, f *learner.Fitted, p *outcome.Prediction, level float64, method krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error) {
	k, fit, err := s.refit(f, o)
	if err != nil {
		return nil, nil, err
	}
	intervals, err := krr.NewIntervals(ctx, k, fit, o)
	if err != nil {
		return nil, nil, err
	}
	n, outputs := p.Values.Dims()
	lo, hi = mat.NewDense(n, outputs, nil), mat.NewDense(n, outputs, nil)
	for from := 0; from < n; from += intervalRows {
		to := min(from+intervalRows, n)
		cross, err := f.Cross(ctx, p, data.Range(from, to), o)
		if err != nil {
			return nil, nil, err
		}
		l, h, err := intervals.Predict(ctx, cross, level, method)
		if err != nil {
			return nil, nil, err
		}
		lo.Slice(from, to, 0, outputs).(*mat.Dense).Copy(l)
		hi.Slice(from, to, 0, outputs).(*mat.Dense).Copy(h)
	}
	return lo, hi, nil
}

// Explain says what every training row adds to predictions, with its leverage, and what the
// prediction were without it.
func (s *ridgeRows) Explain(ctx context.Context, f *learner.Fitted, cross *mat.Dense, o compute.Options) ([]krr.Explanation, error) {
	k, fit, err := s.refit(f, o)
	if err != nil {
		return nil, err
	}
	return krr.Explain(ctx, k, fit, cross, 0, o)
}

// refit returns what package krr needs to know of the fit, and the Gram matrix of the
// training rows.
func (s *ridgeRows) refit(f *learner.Fitted, o compute.Options) (gram.Operator, krr.Fitted, error) {
	train, ok := f.Function.Train()
	if !ok {
		return nil, krr.Fitted{}, task.ErrPrimal
	}
	if s.loo == nil {
		return nil, krr.Fitted{}, errors.New("learner: the model holds no leave-one-out residuals; fit it with --loo")
	}
	return gram.Of(train, o), krr.Fitted{Solution: &krr.Solution{Coef: f.Function.Coef(), Bias: f.Function.Bias()}, LOOResiduals: s.loo,
		Ridge: f.Report.(*krr.Report).Ridge, Weights: f.Weights, NoIntercept: f.NoIntercept}, nil
}

// ByFactor holds where the ridge R = Nλ stays, and with it the system of the rows that do.
func (s *ridgeRows) ByFactor(u *learner.RowUpdate) bool { return s.Factor != nil && u.KeepRidge }

// again returns the method with the options of the first fit.
func (s *ridgeRows) again(f *learner.Fitted, u *learner.RowUpdate, o compute.Options) KRR {
	return ridgeAgain(f, u.KeepRidge, KRR{Options: krr.Options{LOO: s.loo != nil, Compute: o}, Updatable: s.Factor != nil})
}

// ridgeAgain puts the options of the first fit in those of another.
func ridgeAgain(f *learner.Fitted, keepRidge bool, m KRR) KRR {
	r := f.Report.(*krr.Report)
	m.Lambda, m.NoIntercept, m.Solver, m.Tolerance = r.Lambda, f.NoIntercept, r.Solver, r.Tolerance
	if m.Compute.Precision = compute.Double; r.Precision == compute.Single.String() {
		m.Compute.Precision = compute.Single
	}
	if keepRidge {
		m.Lambda, m.Ridge = 0, r.Ridge
	}
	return m
}

// PlanUpdate is the plan of a new fit.
func (s *ridgeRows) PlanUpdate(ctx context.Context, f *learner.Fitted, u *learner.RowUpdate, o compute.Options) (compute.Plan, error) {
	return s.again(f, u, o).Plan(ctx, u.Task)
}

// Update solves by the factor where it serves, and else anew.
func (s *ridgeRows) Update(ctx context.Context, f *learner.Fitted, u *learner.RowUpdate, o compute.Options) (*learner.Fitted, error) {
	m := s.again(f, u, o)
	if !s.ByFactor(u) {
		return m.Fit(ctx, u.Task)
	}
	l, err := s.CopyFactor()
	if err != nil {
		return nil, err
	}
	factored := &krr.Updatable{L: l, Y: s.Targets, Weights: f.Weights, NoIntercept: m.NoIntercept, Ridge: m.Ridge}
	k, err := u.Follow(ctx, m.Compute, factored.Remove, func(b *learner.Bordering) error {
		return factored.Append(ctx, b.Cross, b.Block, b.Y, b.Weights, m.Compute)
	})
	if err != nil {
		return nil, err
	}
	return m.solved(ctx, u.Task, k, factored)
}

// FromSums solves for the rows of the sums.
func (o KRR) FromSums(ctx context.Context, s *moments.Statistics) (*moments.Solution, learner.Report, error) {
	w, r, err := krr.SolveMoments(ctx, s, o.Options)
	if err != nil {
		return nil, nil, err
	}
	return w, r, nil
}

// FromSumsAgain has the options of the first fit.
func (KRR) FromSumsAgain(f *learner.Fitted, keepRidge bool, o compute.Options) learner.Summing {
	return ridgeAgain(f, keepRidge, KRR{Options: krr.Options{Compute: o}, Updatable: true})
}
