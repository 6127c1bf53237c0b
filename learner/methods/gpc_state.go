package methods

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/linalg"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
)

// latentRows is the covariance of latent functions over the training rows; after a file it is
// factored again when it is first needed.
type latentRows struct {
	sync.Mutex
	covariance *gp.LaplaceCovariance
}

// latentWeights is that of the weights of features. The model keeps the factor of their precision.
type latentWeights struct {
	sync.Mutex
	precision  *linalg.UpdatableFactor
	functions  int
	covariance *gp.LaplaceCovariance // once it is needed
}

var (
	_ learner.Averages = (*latentRows)(nil)
	_ learner.Averages = (*latentWeights)(nil)
)

// Store has nothing to put: the covariance follows from function, rows and weights.
func (s *latentRows) Store(*learner.Entries) error { return nil }

// Restrict refuses to leave rows out: the averages depend on all of them.
func (s *latentRows) Restrict() (learner.State, error) { return nil, learner.ErrTrainingRows }

// Weighted holds: the covariance depends on the weights.
func (s *latentRows) Weighted() bool { return true }

// Contents names the averages.
func (s *latentRows) Contents() []string { return []string{"averaged probabilities"} }

// Store puts the factor of the precision among the tensors.
func (s *latentWeights) Store(e *learner.Entries) error {
	return e.Floats(tensorPrecision, s.precision.Rows())
}

// Restrict leaves all: it is of the features.
func (s *latentWeights) Restrict() (learner.State, error) { return s, nil }

// Weighted is false: nothing is of single rows.
func (s *latentWeights) Weighted() bool { return false }

// Contents names the averages.
func (s *latentWeights) Contents() []string { return []string{"averaged probabilities"} }

// readLatent reads the covariance of latent functions.
func readLatent(s *learner.Stored) ([]learner.State, error) {
	r := s.Report.(*gp.ClassReport)
	if r.Features == 0 {
		return []learner.State{&latentRows{}}, nil
	}
	size := s.Function.Size()
	_, functions := s.Function.Coef().Dims()
	order := functions * size
	if size != r.Features || !s.File.Has(tensorPrecision) {
		return nil, fmt.Errorf("the model is a classifier in %d features, and holds weights of %d and not all that its probabilities need", r.Features, size)
	}
	rows, err := s.File.Floats(tensorPrecision, order*(order+1)/2)
	if err != nil {
		return nil, err
	}
	precision, err := linalg.NewUpdatableFactor(order, rows)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorPrecision, err)
	}
	return []learner.State{&latentWeights{precision: precision, functions: functions}}, nil
}

// averagesFor makes room for the probabilities of a prediction.
func averagesFor(p *outcome.Prediction) (functions, classes int) {
	_, functions = p.Values.Dims()
	classes = max(2, functions)
	p.Averages = mat.NewDense(len(p.Rows.Rows), classes, nil)
	return functions, classes
}

// Average adds the probabilities, averaged over the latent functions: O(n³) the first time, and
// O(n²) for every row, times the number of classes where there are more than two.
func (s *latentRows) Average(ctx context.Context, f *learner.Fitted, p *outcome.Prediction, o compute.Options) error {
	covariance, err := s.conditioned(ctx, f, o)
	if err != nil {
		return err
	}
	functions, classes := averagesFor(p)
	return f.EachCross(ctx, p, o, func(from, to int, prior []float64, cross *mat.Dense) error {
		part, err := covariance.Probabilities(ctx, p.Values.Slice(from, to, 0, functions).(*mat.Dense), prior, cross, o)
		if err == nil {
			p.Averages.Slice(from, to, 0, classes).(*mat.Dense).Copy(part)
		}
		return err
	})
}

// conditioned returns the covariance over the training rows.
func (s *latentRows) conditioned(ctx context.Context, f *learner.Fitted, o compute.Options) (*gp.LaplaceCovariance, error) {
	s.Lock()
	defer s.Unlock()
	if s.covariance != nil {
		return s.covariance, nil
	}
	train, ok := f.Function.Train()
	if !ok {
		return nil, task.ErrPrimal
	}
	again := gp.ClassOptions{Weights: f.Weights, Solver: f.Report.(*gp.ClassReport).Solver, Compute: o}
	rows, err := space.DualOf(ctx, gram.Of(train, o), again.Space())
	if err == nil {
		s.covariance, err = gp.ConditionClasses(ctx, rows, f.Function.Coef(), again)
	}
	return s.covariance, err
}

// Average adds the probabilities by the covariance of weights, (mD)² flops for each function of a
// row.
func (s *latentWeights) Average(ctx context.Context, f *learner.Fitted, p *outcome.Prediction, o compute.Options) error {
	there, err := f.Function.Remapped(ctx, p.Rows, o)
	if err != nil {
		return err
	}
	features, ok, err := there.Features(nil)
	if err != nil || !ok {
		return errors.Join(err, task.ErrPrimal)
	}
	covariance, err := s.restored(o)
	if err != nil {
		return err
	}
	functions, classes := averagesFor(p)
	return features.Blocks().Each(ctx, func(from, to int, phi *mat.Dense) error {
		part, err := covariance.Probabilities(ctx, p.Values.Slice(from, to, 0, functions).(*mat.Dense), make([]float64, to-from), phi, o)
		if err == nil {
			p.Averages.Slice(from, to, 0, classes).(*mat.Dense).Copy(part)
		}
		return err
	})
}

// restored returns the covariance of the weights.
func (s *latentWeights) restored(o compute.Options) (_ *gp.LaplaceCovariance, err error) {
	s.Lock()
	defer s.Unlock()
	if s.covariance == nil {
		s.covariance, err = gp.RestoreClasses(s.precision, s.functions, o)
	}
	return s.covariance, err
}
