package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/learner"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// processRows is what a Gaussian process keeps of its training rows, which all its variances
// depend on.
type processRows struct {
	learner.RowFactor // of K + Σ
	rowNoise
	cache *gp.LowRankCache // of the variances; nil: they are solved for
}

var (
	_ learner.RowNoise   = (*processRows)(nil)
	_ learner.Intervals  = (*processRows)(nil)
	_ learner.RowUpdater = (*processRows)(nil)
)

// The names in a model file.
const (
	jsonNoise   = "noise_column"
	tensorNoise = "noise" // n variances of the noise that rows have of their own, optional
	tensorCache = "cache" // n×k: R of a gp.LowRankCache, optional
	tensorAlong = "along" // n: its Mean, where that is not known
)

// Store puts noise, targets, factor and cache among the tensors.
func (s *processRows) Store(e *learner.Entries) error {
	var problems []error
	s.rowNoise.store(e)
	if s.rowNoise.train != nil {
		problems = append(problems, e.Floats(tensorNoise, s.rowNoise.train))
	}
	if s.cache != nil {
		e.Tensors[tensorCache] = model.Dense(s.cache.R)
		if s.cache.Mean != nil {
			problems = append(problems, e.Floats(tensorAlong, s.cache.Mean))
		}
	}
	return errors.Join(append(problems, s.RowFactor.Store(e))...)
}

// Restrict refuses to leave rows out: variances depend on all of them.
func (s *processRows) Restrict() (learner.State, error) { return nil, learner.ErrTrainingRows }

// Weighted holds: the variances depend on the weights.
func (s *processRows) Weighted() bool { return true }

// Contents names variances and factor.
func (s *processRows) Contents() []string {
	return append([]string{"variances"}, s.RowFactor.Contents()...)
}

// RowValues names targets, factor and the variances of noise.
func (s *processRows) RowValues() []string {
	return append(s.RowFactor.RowValues(), learner.CountRows("noise variances", len(s.rowNoise.train))...)
}

// readProcessStates reads the state of a process on all rows or on landmarks.
func readProcessStates(s *learner.Stored) ([]learner.State, error) {
	if s.Compressed {
		return nil, nil
	}
	noise, err := readNoise(s)
	if err != nil {
		return nil, err
	}
	if r, ok := s.Report.(*gp.Report); ok {
		return readProcessRows(s, r, noise)
	}
	return readSparse(s, noise)
}

// readProcessRows reads the state of a process on all rows.
func readProcessRows(s *learner.Stored, r *gp.Report, noise rowNoise) ([]learner.State, error) {
	p, n := &processRows{rowNoise: noise}, s.TrainingRows
	var err error
	if noise.column != "" {
		if p.rowNoise.train, err = s.File.Floats(tensorNoise, n); err != nil {
			return nil, err
		}
	}
	if s.File.Has(tensorCache) {
		if r.Cache == nil {
			return nil, errors.New("the model has a variance cache, and its report does not speak of one")
		}
		p.cache = new(gp.LowRankCache)
		if p.cache.R, err = s.File.Matrix(tensorCache, n, r.Cache.Rank); err != nil {
			return nil, err
		}
		if r.Mean != gp.Zero {
			if p.cache.Mean, err = s.File.Floats(tensorAlong, n); err != nil {
				return nil, err
			}
		}
	}
	p.RowFactor, err = learner.ReadRowFactor(s)
	return []learner.State{p}, err
}

// Intervals are those of new observations.
func (s *processRows) Intervals(ctx context.Context, f *learner.Fitted, p *outcome.Prediction, level float64, _ krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error) {
	return processIntervals(ctx, f, p, level, o, func(train kernel.Pairs) (gp.PosteriorCovariance, float64, error) {
		r := f.Report.(*gp.Report)
		if s.cache != nil {
			return s.cache, r.Noise, nil
		}
		again := againBy(r, s.rowNoise.train, f.Weights, o)
		rows, err := space.DualOf(ctx, gram.Of(train, o), again.Space())
		if err != nil {
			return nil, 0, err
		}
		covariance, err := gp.Condition(ctx, rows, again)
		return covariance, r.Noise, err
	})
}

// processIntervals are the central intervals of new observations: the mean and the
// quantiles of N(mean, variance + σ² + r), r the noise that the row has of its own. The posterior
// is made from the Gram matrix of the training rows, or the landmarks, with the noise σ².
func processIntervals(ctx context.Context, f *learner.Fitted, p *outcome.Prediction, level float64, o compute.Options, posterior func(kernel.Pairs) (gp.PosteriorCovariance, float64, error)) (lo, hi *mat.Dense, err error) {
	if !(level > 0 && level < 1) {
		return nil, nil, fmt.Errorf("learner: level %v is not between 0 and 1", level)
	}
	train, ok := f.Function.Train()
	if !ok {
		return nil, nil, task.ErrPrimal
	}
	c, noise, err := posterior(train)
	if err != nil {
		return nil, nil, err
	}
	quantile := math.Sqrt2 * math.Erfinv(level)
	lo, hi = mat.DenseCopyOf(p.Values), mat.DenseCopyOf(p.Values)
	return lo, hi, f.EachCross(ctx, p, o, func(from, _ int, variances []float64, cross *mat.Dense) error {
		if _, err := c.VariancesAt(ctx, variances, cross); err != nil {
			return err
		}
		for i, v := range variances {
			v += noise
			if p.Noise != nil {
				v += p.Noise[from+i]
			}
			half := quantile * math.Sqrt(v)
			for j := range lo.RawMatrix().Cols {
				lo.Set(from+i, j, lo.At(from+i, j)-half)
				hi.Set(from+i, j, hi.At(from+i, j)+half)
			}
		}
		return nil
	})
}

// ByFactor holds wherever there is a factor: the noise does not follow the number of rows.
func (s *processRows) ByFactor(*learner.RowUpdate) bool { return s.Factor != nil }

// again returns the method with the options of the first fit.
func (s *processRows) again(f *learner.Fitted, u *learner.RowUpdate, o compute.Options) (GP, error) {
	noise, err := s.rowNoise.after(u)
	if err != nil {
		return GP{}, err
	}
	r := f.Report.(*gp.Report)
	m := GP{Options: againBy(r, noise, u.Task.Rows.W, o), NoiseColumn: s.rowNoise.column, Updatable: s.Factor != nil, VarianceCache: r.CacheOptions()}
	m.VarianceCache.Rank = min(m.VarianceCache.Rank, len(u.Task.Rows.Rows))
	return m, nil
}

// PlanUpdate is the plan of a new fit.
func (s *processRows) PlanUpdate(ctx context.Context, f *learner.Fitted, u *learner.RowUpdate, o compute.Options) (compute.Plan, error) {
	m, err := s.again(f, u, o)
	if err != nil {
		return compute.Plan{}, err
	}
	return m.Plan(ctx, u.Task)
}

// Update solves by the factor where it is kept, and else anew.
func (s *processRows) Update(ctx context.Context, f *learner.Fitted, u *learner.RowUpdate, o compute.Options) (*learner.Fitted, error) {
	m, err := s.again(f, u, o)
	if err != nil {
		return nil, err
	}
	if !s.ByFactor(u) {
		return m.refit(ctx, u.Task)
	}
	l, err := s.CopyFactor()
	if err != nil {
		return nil, err
	}
	factored := &gp.Updatable{L: l, Y: mat.Col(nil, 0, s.Targets), Options: gp.Options{Noise: m.Noise, RowNoise: s.rowNoise.train, Mean: m.Mean, Weights: f.Weights}}
	k, err := u.Follow(ctx, o, factored.Remove, func(b *learner.Bordering) error {
		var noise []float64
		if m.RowNoise != nil {
			noise = m.RowNoise[len(u.Stay):]
		}
		return factored.Append(ctx, b.Cross, b.Block, mat.Col(nil, 0, b.Y), noise, b.Weights, o)
	})
	if err != nil {
		return nil, err
	}
	solution, report, err := factored.Solve(ctx, k, o)
	if err != nil {
		return nil, err
	}
	found := m.fitted(u.Task, u.Task.Points.ExpandAll(solution.Coef, []float64{solution.Mean}), report)
	kept, _ := learner.StateOf[*processRows](found)
	kept.Factor = factored.L
	return found, nil
}

// after returns the noise of the rows of an update; nil: they have none of their own.
func (n rowNoise) after(u *learner.RowUpdate) ([]float64, error) {
	if n.column == "" {
		return nil, nil
	}
	left := data.Pick(n.train, u.Stay)
	if u.Come == nil {
		return left, nil
	}
	own, err := task.NoiseVariances(u.Table, n.column, u.Come.Rows)
	return slices.Concat(left, own), err
}
