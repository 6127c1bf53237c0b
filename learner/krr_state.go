package learner

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// ridgeRows is what kernel ridge regression keeps of its training rows.
type ridgeRows struct {
	loo     *mat.Dense              // leave-one-out residuals, rows × outputs; nil: not computed
	targets *mat.Dense              // rows × outputs; nil: rows cannot come and go
	factor  *linalg.UpdatableFactor // of the system of the fit; nil: not kept
}

var (
	_ Residuals  = (*ridgeRows)(nil)
	_ Intervals  = (*ridgeRows)(nil)
	_ Removals   = (*ridgeRows)(nil)
	_ RowUpdater = (*ridgeRows)(nil)
)

// The names of the tensors in a model file.
const (
	tensorLOO     = "loo"     // n×m leave-one-out residuals, optional
	tensorTargets = "targets" // n×m targets of the training rows, where rows can come and go
	tensorFactor  = "factor"  // n(n+1)/2: the Cholesky factor of the system row by row, optional
)

// Store puts residuals, targets and factor among the tensors.
func (s *ridgeRows) Store(e *Entries) error {
	if s.loo != nil {
		e.Tensors[tensorLOO] = model.Dense(s.loo)
	}
	return storeTargets(e, s.targets, s.factor)
}

// Restrict leaves nothing: all of it is of the training rows.
func (s *ridgeRows) Restrict() (State, error) { return &ridgeRows{}, nil }

// Weighted holds where something is kept of every row.
func (s *ridgeRows) Weighted() bool { return s.loo != nil || s.targets != nil }

// Contents names residuals and factor.
func (s *ridgeRows) Contents() (names []string) {
	if s.loo != nil {
		names = append(names, "leave-one-out residuals")
	}
	return append(names, contentsOf(s.factor)...)
}

// readRidgeStates reads the states of kernel ridge regression.
func readRidgeStates(s *Stored) ([]State, error) {
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
	if rows.targets, rows.factor, err = readTargets(s); err != nil {
		return nil, err
	}
	sums, err := readSums(s, KRR{}.fromSumsAgain)
	return append(sums, rows), err
}

// Residuals are those of leave-one-out; nil where they were not computed.
func (s *ridgeRows) Residuals() *mat.Dense { return s.loo }

// Intervals are those of the jackknife+ and its kin, from the leave-one-out residuals.
func (s *ridgeRows) Intervals(ctx context.Context, f *Fitted, p *outcome.Prediction, level float64, method krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error) {
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
	for from := 0; from < n; from += crossRows {
		to := min(from+crossRows, n)
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
func (s *ridgeRows) Explain(ctx context.Context, f *Fitted, cross *mat.Dense, o compute.Options) ([]krr.Explanation, error) {
	k, fit, err := s.refit(f, o)
	if err != nil {
		return nil, err
	}
	return krr.Explain(ctx, k, fit, cross, 0, o)
}

// refit returns what package krr needs to know of the fit, and the Gram matrix of the
// training rows.
func (s *ridgeRows) refit(f *Fitted, o compute.Options) (gram.Operator, krr.Fitted, error) {
	train, ok := f.Function.Train()
	if !ok {
		return nil, krr.Fitted{}, task.ErrPrimal
	}
	if s.loo == nil {
		return nil, krr.Fitted{}, errors.New("learner: the model holds no leave-one-out residuals; fit it with --loo (krr.Options.LOO)")
	}
	return gram.Of(train, o), krr.Fitted{Solution: &krr.Solution{Coef: f.Function.Coef(), Bias: f.Function.Bias()}, LOOResiduals: s.loo,
		Ridge: f.Report.(*krr.Report).Ridge, Weights: f.Weights, NoIntercept: f.NoIntercept}, nil
}

// Observed are the targets of the training rows.
func (s *ridgeRows) Observed() *mat.Dense { return s.targets }

// Updatable says what the factor takes; nil: there is none.
func (s *ridgeRows) Updatable() *Updatable { return updatableBy(s.factor) }

// ByFactor holds where the ridge R = Nλ stays, and with it the system of the rows that do.
func (s *ridgeRows) ByFactor(u *RowUpdate) bool { return s.factor != nil && u.KeepRidge }

// again returns the method with the options of the first fit.
func (s *ridgeRows) again(f *Fitted, u *RowUpdate, o compute.Options) KRR {
	return ridgeAgain(f, u.KeepRidge, KRR{Options: krr.Options{LOO: s.loo != nil, Compute: o}, Updatable: s.factor != nil})
}

// ridgeAgain puts the options of the first fit in those of another.
func ridgeAgain(f *Fitted, keepRidge bool, m KRR) KRR {
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
func (s *ridgeRows) PlanUpdate(ctx context.Context, f *Fitted, u *RowUpdate, o compute.Options) (compute.Plan, error) {
	return s.again(f, u, o).Plan(ctx, u.Task)
}

// Update solves by the factor where it serves, and else anew.
func (s *ridgeRows) Update(ctx context.Context, f *Fitted, u *RowUpdate, o compute.Options) (*Fitted, error) {
	m := s.again(f, u, o)
	if !s.ByFactor(u) {
		return m.Fit(ctx, u.Task)
	}
	l, err := copyFactor(s.factor)
	if err != nil {
		return nil, err
	}
	factored := &krr.Updatable{L: l, Y: s.targets, Weights: f.Weights, NoIntercept: m.NoIntercept, Ridge: m.Ridge}
	k, err := u.follow(ctx, m.Compute, factored.Remove, func(b *bordering) error {
		return factored.Append(ctx, b.cross, b.block, b.y, b.weights)
	})
	if err != nil {
		return nil, err
	}
	return m.solved(ctx, u.Task, k, factored)
}

// fromSums solves for the rows of the sums.
func (o KRR) fromSums(ctx context.Context, s *moments.Statistics) (*moments.Solution, Report, error) {
	w, r, err := krr.SolveMoments(ctx, s, o.Options)
	if err != nil {
		return nil, nil, err
	}
	return w, r, nil
}

// fromSumsAgain has the options of the first fit.
func (KRR) fromSumsAgain(f *Fitted, keepRidge bool, o compute.Options) summing {
	return ridgeAgain(f, keepRidge, KRR{Options: krr.Options{Compute: o}, Updatable: true})
}
