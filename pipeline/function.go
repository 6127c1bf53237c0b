package pipeline

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
)

// function is the fitted function of a model. It hides the type of the points; what does not need
// to know it asks [core], [pairing] or [kept], what does asks by [functionVisitor].
type function struct {
	core
	pairing
	kept
}

// core is what every function can do.
type core interface {
	kind() string
	text() string
	derive() kernel.Derivation
	predict(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error)
	form() string
	coef() *mat.Dense
	bias() []float64
	// size returns the number of training points, or of features of a primal function.
	size() int
}

// pairing binds rows to the training points.
type pairing interface {
	// train returns the training points on both sides of the kernel, and whether
	// there are any: a primal function has none.
	train() (pairs kernel.Pairs, ok bool)
	// cross binds chosen new rows to the training points.
	cross(rows *prep.Prepared, index []int) (kernel.Pairs, error)
	// selves binds rows to the kernel on both sides.
	selves(rows *prep.Prepared) (kernel.Pairs, error)
	// diagonal stores k(x, x) of chosen new rows.
	diagonal(dst []float64, rows *prep.Prepared, index []int) error
	// regrown returns the learner on some of the training points and then new rows.
	regrown(keep []int, more *prep.Prepared) (learner, error)
	// remapped returns the learner on other rows in the explicit features that the function is of.
	remapped(ctx context.Context, rows *prep.Prepared, o compute.Options) (learner, error)
}

// kept is what the file of a model has of its function.
type kept interface {
	// graphs returns the digests of the graphs that the kernel names.
	graphs() map[string]string
	// store puts the function among the tensors of a file.
	store(tensors map[string]model.Tensor) error
	visit(v functionVisitor)
}

// functionVisitor has a function for functions on points of each type, and for mixtures.
type functionVisitor struct {
	vectors func(fitted[[]float64])
	ids     func(fitted[string])
	records func(fitted[record.Record])
	mixture func(mixture)
}

// typed returns the function on points of a type, if it is one.
func typed[T any](f function) (found fitted[T], ok bool) {
	if f.kept != nil {
		f.visit(functionVisitor{
			func(f fitted[[]float64]) { found, ok = any(f).(fitted[T]) },
			func(f fitted[string]) { found, ok = any(f).(fitted[T]) },
			func(f fitted[record.Record]) { found, ok = any(f).(fitted[T]) },
			func(mixture) {},
		})
	}
	return found, ok
}

// fitted is the function on points of one type.
type fitted[T any] struct {
	space[T]
	kernel kernel.Kernel[T]
	f      model.Predictor[T]
	// bound returns f with its points bound, which the first prediction does for all.
	bound func() (model.Predictor[T], error)
}

func newFitted[T any](s space[T], k kernel.Kernel[T], f model.Predictor[T]) function {
	found := fitted[T]{space: s, kernel: k, f: f, bound: sync.OnceValues(func() (model.Predictor[T], error) {
		if e, ok := f.(*model.Expansion[T]); ok {
			return e.Bind()
		}
		return f, nil
	})}
	return function{found, found, found}
}

func (f fitted[T]) visit(v functionVisitor) {
	switch f := any(f).(type) {
	case fitted[[]float64]:
		v.vectors(f)
	case fitted[string]:
		v.ids(f)
	case fitted[record.Record]:
		v.records(f)
	}
}

func (f fitted[T]) kind() string              { return f.name }
func (f fitted[T]) text() string              { return f.kernel.String() }
func (f fitted[T]) derive() kernel.Derivation { return kernel.Derive(f.kernel) }
func (f fitted[T]) graphs() map[string]string { return graphsOf(f.kernel) }

func (f fitted[T]) predict(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	points, err := f.of(rows)
	if err != nil {
		return nil, err
	}
	bound, err := f.bound()
	if err != nil {
		return nil, err
	}
	values, err := bound.Predict(ctx, points, o)
	if err != nil && ctx.Err() == nil {
		if i, objection := kernel.Outside(f.kernel, points); objection != nil {
			return nil, &stray{at: i, objection: objection}
		}
	}
	return values, err
}

// stray is an error about a prepared row that the kernel is not defined for.
type stray struct {
	at        int
	objection error
}

func (e *stray) Error() string { return fmt.Sprintf("row %d: %v", e.at+1, e.objection) }

func (f fitted[T]) train() (kernel.Pairs, bool) {
	e, ok := f.f.(*model.Expansion[T])
	if !ok {
		return nil, false
	}
	return kernel.Bind(e.Kernel, e.Points, e.Points), true
}

func (f fitted[T]) cross(rows *prep.Prepared, index []int) (kernel.Pairs, error) {
	e, ok := f.f.(*model.Expansion[T])
	if !ok {
		return nil, errPrimal
	}
	points, err := f.of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(e.Kernel, points); err != nil {
		return nil, err
	}
	return kernel.Bind(e.Kernel, data.Subset(points, index), e.Points), nil
}

func (f fitted[T]) diagonal(dst []float64, rows *prep.Prepared, index []int) error {
	points, err := f.of(rows)
	if err != nil {
		return err
	}
	chosen := data.Subset(points, index)
	kernel.Diag(kernel.Bind(f.kernel, chosen, chosen), dst)
	return nil
}

var errPrimal = fmt.Errorf("pipeline: the model is in primal form and keeps no training rows; a method with a solver cholesky keeps them with that, on the kernel itself or on landmarks instead of explicit features")

func (f fitted[T]) coef() *mat.Dense {
	switch f := f.f.(type) {
	case *model.Expansion[T]:
		return f.Coef
	case *model.Primal[T]:
		return f.W
	}
	return nil
}

func (f fitted[T]) bias() []float64 {
	switch f := f.f.(type) {
	case *model.Expansion[T]:
		return f.Bias
	case *model.Primal[T]:
		return f.Bias
	}
	return nil
}

func (f fitted[T]) size() int {
	rows, _ := f.coef().Dims()
	return rows
}

// The forms of a function, as the model file names them.
const (
	formDual    = "dual"
	formPrimal  = "primal"
	formMixture = "mixture"
)

func (f fitted[T]) form() string {
	if _, ok := f.f.(*model.Primal[T]); ok {
		return formPrimal
	}
	return formDual
}

func (f fitted[T]) selves(rows *prep.Prepared) (kernel.Pairs, error) {
	return selves(f.space, f.kernel, rows)
}

// remapped returns the learner of prepared rows in the explicit features that the function is of.
func (f fitted[T]) remapped(ctx context.Context, rows *prep.Prepared, o compute.Options) (learner, error) {
	points, err := f.of(rows)
	if err != nil {
		return learner{}, err
	}
	if i, objection := kernel.Outside(f.kernel, points); objection != nil {
		return learner{}, &stray{at: i, objection: objection}
	}
	l := learning[T]{space: f.space, points: points}
	switch of := f.f.(type) {
	case *model.Primal[T]:
		l.kernel = of.Kernel
	case *model.Expansion[T]:
		if l.kernel, err = nystrom.On(ctx, of.Kernel, of.Points, o); err != nil {
			return learner{}, err
		}
	}
	return l.learner(), nil
}

// regrown joins training points and new rows.
func (f fitted[T]) regrown(keep []int, more *prep.Prepared) (learner, error) {
	e, ok := f.f.(*model.Expansion[T])
	if !ok {
		return learner{}, errPrimal
	}
	points := e.Points
	if len(keep) < points.Len() {
		points = data.Subset(points, keep)
	}
	if more != nil {
		news, err := f.of(more)
		if err != nil {
			return learner{}, err
		}
		if i, objection := kernel.Outside(f.kernel, news); objection != nil {
			return learner{}, &stray{at: i, objection: objection}
		}
		if points, err = data.Join(points, news); err != nil {
			return learner{}, err
		}
	}
	return learning[T]{space: f.with(points), kernel: f.kernel, points: points}.learner(), nil
}
