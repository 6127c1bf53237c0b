package task

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
	"example.org/mercer/supervised/tree"
	"example.org/mercer/unsupervised/manifold"
)

// Function is the fitted function of a model. It hides the type of the points; what does not need
// to know it asks [core], [pairing] or [kept], what does asks by [FunctionVisitor].
type Function struct {
	core
	pairing
	kept
}

// core is what every function can do.
type core interface {
	Kind() string
	Text() string
	Derive() kernel.Derivation
	Predict(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error)
	Form() string
	Coef() *mat.Dense
	Bias() []float64
	// Size returns the number of training points, or of features of a primal function.
	Size() int
}

// pairing binds rows to the training points.
type pairing interface {
	// Train returns the training points on both sides of the kernel, and whether
	// there are any: a primal function has none.
	Train() (pairs kernel.Pairs, ok bool)
	// Cross binds chosen new rows to the training points.
	Cross(rows *prep.Prepared, index []int) (kernel.Pairs, error)
	// BindRows binds rows to the kernel on both sides.
	BindRows(rows *prep.Prepared) (kernel.Pairs, error)
	// Diagonal stores k(x, x) of chosen new rows.
	Diagonal(dst []float64, rows *prep.Prepared, index []int) error
	// Regrown returns some of the training points, and then new rows.
	Regrown(keep []int, more *prep.Prepared) (Points, error)
	// Remapped returns other rows in the explicit features of the function.
	Remapped(ctx context.Context, rows *prep.Prepared, o compute.Options) (Points, error)
}

// kept is what the file of a model has of its function.
type kept interface {
	// Graphs returns the digests of the graphs that the kernel names.
	Graphs() map[string]string
	// Store puts the function among the tensors of a file.
	Store(tensors map[string]model.Tensor) error
	Visit(v FunctionVisitor)
}

// FunctionVisitor has a function for functions on points of each type, and for mixtures.
type FunctionVisitor struct {
	Vectors func(TypedFunction[[]float64])
	IDs     func(TypedFunction[string])
	Records func(TypedFunction[record.Record])
	Mixture func(Mixture)
}

// FunctionOf returns the function on points of the encoding's type, if it is one.
func (s Encoding[T]) FunctionOf(f Function) (found TypedFunction[T], ok bool) {
	if f.kept != nil {
		f.Visit(FunctionVisitor{
			func(f TypedFunction[[]float64]) { found, ok = any(f).(TypedFunction[T]) },
			func(f TypedFunction[string]) { found, ok = any(f).(TypedFunction[T]) },
			func(f TypedFunction[record.Record]) { found, ok = any(f).(TypedFunction[T]) },
			func(Mixture) {},
		})
	}
	return found, ok
}

// TypedFunction is the function on points of one type.
type TypedFunction[T any] struct {
	Encoding[T]
	Kernel    kernel.Kernel[T]
	Predictor model.Predictor[T]
	// bound returns f with its points bound, which the first prediction does for all.
	bound func() (model.Predictor[T], error)
}

func NewFunction[T any](s Encoding[T], k kernel.Kernel[T], f model.Predictor[T]) Function {
	found := TypedFunction[T]{Encoding: s, Kernel: k, Predictor: f, bound: sync.OnceValues(func() (model.Predictor[T], error) {
		if e, ok := f.(*model.Expansion[T]); ok {
			return e.Bind()
		}
		return f, nil
	})}
	return Function{found, found, found}
}

func (f TypedFunction[T]) Visit(v FunctionVisitor) {
	switch f := any(f).(type) {
	case TypedFunction[[]float64]:
		v.Vectors(f)
	case TypedFunction[string]:
		v.IDs(f)
	case TypedFunction[record.Record]:
		v.Records(f)
	}
}

func (f TypedFunction[T]) Kind() string              { return f.name }
func (f TypedFunction[T]) Text() string              { return f.Kernel.String() }
func (f TypedFunction[T]) Derive() kernel.Derivation { return kernel.Derive(f.Kernel) }
func (f TypedFunction[T]) Graphs() map[string]string { return graphsOf(f.Kernel) }

func (f TypedFunction[T]) Predict(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	points, err := f.Of(rows)
	if err != nil {
		return nil, err
	}
	bound, err := f.bound()
	if err != nil {
		return nil, err
	}
	values, err := bound.Predict(ctx, points, o)
	if err != nil && ctx.Err() == nil {
		if i, objection := kernel.Outside(f.Kernel, points); objection != nil {
			return nil, &outsideDomain{at: i, objection: objection}
		}
	}
	return values, err
}

// outsideDomain is an error about a prepared row that the kernel is not defined for.
type outsideDomain struct {
	at        int
	objection error
}

func (e *outsideDomain) Error() string { return fmt.Sprintf("row %d: %v", e.at+1, e.objection) }

func (f TypedFunction[T]) Train() (kernel.Pairs, bool) {
	e, ok := f.Predictor.(*model.Expansion[T])
	if !ok {
		return nil, false
	}
	return kernel.Bind(e.Kernel, e.Points, e.Points), true
}

func (f TypedFunction[T]) Cross(rows *prep.Prepared, index []int) (kernel.Pairs, error) {
	e, ok := f.Predictor.(*model.Expansion[T])
	if !ok {
		return nil, f.NotExpanded()
	}
	points, err := f.Of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(e.Kernel, points); err != nil {
		return nil, err
	}
	return kernel.Bind(e.Kernel, data.Subset(points, index), e.Points), nil
}

func (f TypedFunction[T]) Diagonal(dst []float64, rows *prep.Prepared, index []int) error {
	points, err := f.Of(rows)
	if err != nil {
		return err
	}
	chosen := data.Subset(points, index)
	kernel.Diag(kernel.Bind(f.Kernel, chosen, chosen), dst)
	return nil
}

var ErrPrimal = fmt.Errorf("task: the model is in primal form and keeps no training rows; a method with a solver cholesky keeps them with that, on the kernel itself or on landmarks instead of explicit features")

func (f TypedFunction[T]) Coef() *mat.Dense {
	switch f := f.Predictor.(type) {
	case *model.Expansion[T]:
		return f.Coef
	case *model.Primal[T]:
		return f.W
	}
	return nil
}

func (f TypedFunction[T]) Bias() []float64 {
	switch f := f.Predictor.(type) {
	case *model.Expansion[T]:
		return f.Bias
	case *model.Primal[T]:
		return f.Bias
	}
	return nil
}

func (f TypedFunction[T]) Size() int {
	rows, _ := f.Coef().Dims()
	return rows
}

// The forms of a function, as the model file names them.
const (
	FormDual    = "dual"
	FormPrimal  = "primal"
	FormMixture = "mixture"
	formTree    = "tree"
	formMap     = "map" // of a surface
)

// StandsOnRows reports whether the function keeps training rows.
func (f Function) StandsOnRows() bool { return standsOnRows(f.Form()) }

func standsOnRows(form string) bool { return form == FormDual || form == formTree || form == formMap }

// NotExpanded is why a function that is no expansion has no training rows to offer.
func (f TypedFunction[T]) NotExpanded() error {
	switch any(f.Predictor).(type) {
	case *tree.Tree:
		return errTree
	case *manifold.Embedding[T]:
		return errPlacing
	}
	return ErrPrimal
}

func (f TypedFunction[T]) Form() string {
	if _, ok := f.Predictor.(*model.Primal[T]); ok {
		return FormPrimal
	}
	return FormDual
}

func (f TypedFunction[T]) BindRows(rows *prep.Prepared) (kernel.Pairs, error) {
	return bindRows(f.Encoding, f.Kernel, rows)
}

// Remapped returns prepared rows in the explicit features of the function.
func (f TypedFunction[T]) Remapped(ctx context.Context, rows *prep.Prepared, o compute.Options) (Points, error) {
	points, err := f.Of(rows)
	if err != nil {
		return Points{}, err
	}
	if i, objection := kernel.Outside(f.Kernel, points); objection != nil {
		return Points{}, &outsideDomain{at: i, objection: objection}
	}
	l := TypedPoints[T]{Encoding: f.Encoding, Set: points}
	switch of := f.Predictor.(type) {
	case *model.Primal[T]:
		l.Kernel = of.Kernel
	case *model.Expansion[T]:
		if l.Kernel, err = nystrom.On(ctx, of.Kernel, of.Points, o); err != nil {
			return Points{}, err
		}
	}
	return l.Any(), nil
}

// Regrown joins training points and new rows.
func (f TypedFunction[T]) Regrown(keep []int, more *prep.Prepared) (Points, error) {
	e, ok := f.Predictor.(*model.Expansion[T])
	if !ok {
		return Points{}, f.NotExpanded()
	}
	points := e.Points
	if len(keep) < points.Len() {
		points = data.Subset(points, keep)
	}
	if more != nil {
		news, err := f.Of(more)
		if err != nil {
			return Points{}, err
		}
		if i, objection := kernel.Outside(f.Kernel, news); objection != nil {
			return Points{}, &outsideDomain{at: i, objection: objection}
		}
		if points, err = data.Join(points, news); err != nil {
			return Points{}, err
		}
	}
	return TypedPoints[T]{Encoding: f.with(points), Kernel: f.Kernel, Set: points}.Any(), nil
}
