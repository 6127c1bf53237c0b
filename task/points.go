package task

import (
	"context"

	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/space"
	"gonum.org/v1/gonum/mat"
)

// Points is the kernel on the rows of a problem. It hides the type of the points from everything
// that does not need it; what does asks by [Visitor].
type Points struct {
	bound
	spanned
	approximable
}

// bound is n points of which any can be bound to any.
type bound interface {
	Kind() string
	Size() int
	Text() string
	Derive() kernel.Derivation
	Bind() kernel.Pairs
	Cross(rows *prep.Prepared) (kernel.Pairs, error)
	// BindRows binds other rows to the kernel on both sides.
	BindRows(rows *prep.Prepared) (kernel.Pairs, error)
	Visit(v Visitor)
}

// spanned makes functions in the span of the points, or of their explicit features.
type spanned interface {
	// Operator returns the Gram matrix of the points.
	Operator(ctx context.Context, o compute.Options) (gram.Symmetric, error)
	// Features returns the explicit features of rows; nil rows are the training rows.
	Features(rows *prep.Prepared) (f design.Matrix, ok bool, err error)
	// Space returns the space of the points; see [space.Of].
	Space(ctx context.Context, o space.Options) (*Space, error)
	// Expand returns f(x) = b + Σ αᵢ k(x, xᵢ) over the points whose coefficients are
	// not all zero, and which these are.
	Expand(coef *mat.Dense, bias []float64) (f Function, points []int)
	// ExpandAll is Expand over all points, those without a coefficient included.
	ExpandAll(coef *mat.Dense, bias []float64) Function
	// images returns the points in explicit features, and primal functions of these, by weights in
	// the columns of a matrix.
	images() (data.Rows, error)
	Primal(w *mat.Dense, bias []float64) (Function, error)
	// FromWeights is Primal, and an expansion on the landmarks where these make the features.
	FromWeights(ctx context.Context, w *mat.Dense, bias []float64) (Function, error)
}

// approximable replaces the kernel or the points by others.
type approximable interface {
	// AsVectors returns the kernel as one on vectors, and the points as vectors: their numbers
	// (0), (1), … where they are none.
	AsVectors() (kernel.Kernel[[]float64], data.Vectors)
	// part returns some of the points.
	part(rows []int) Points
	// LowRank returns the points with a low-rank kernel. Collapse turns a function that was found
	// with it into one on the landmarks.
	LowRank(ctx context.Context, o nystrom.Options, measure bool) (Points, *LandmarkMap, []int, error)
	Collapse(ctx context.Context, f Function) (Function, error)
	// Original returns the points with the kernel that landmarks or random features stand for.
	Original() Points
	// WithFeatures returns the points with explicit features for the kernel. WeighFeatures turns a
	// function that was found with them into one of the features.
	WithFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options, measure bool) (Points, *FeatureMap, error)
	WeighFeatures(ctx context.Context, f Function) (Function, error)
	// WithFilters returns the points with the features of filters that are learned from them;
	// planned: of filters that are not.
	WithFilters(ctx context.Context, o filters.Options, how compute.Options, planned bool) (Points, *FeatureMap, error)
}

// Visitor has a function for points of each type.
type Visitor struct {
	Vectors func(TypedPoints[[]float64])
	IDs     func(TypedPoints[string])
	Records func(TypedPoints[record.Record])
}

// TypedPoints is the learner for points of one type.
type TypedPoints[T any] struct {
	Encoding[T]
	Kernel kernel.Kernel[T]
	Set    data.Set[T]
	// product says that the points are features, whose Gram matrix is their product.
	Product bool
}

// ChoosePrimal says whether a solver works in the features of the kernel, and their number where
// the kernel has them: see [space.ChoosePrimal].
func (p Points) ChoosePrimal(s space.Solver) (dim int, primal bool) {
	f, ok, err := p.Features(nil)
	return f.Dim, ok && err == nil && s.InFeatures(f.Dim, f.Rows)
}

// Any hides the type of the points.
func (l TypedPoints[T]) Any() Points { return Points{l, l, l} }

func (l TypedPoints[T]) Visit(v Visitor) {
	switch l := any(l).(type) {
	case TypedPoints[[]float64]:
		v.Vectors(l)
	case TypedPoints[string]:
		v.IDs(l)
	case TypedPoints[record.Record]:
		v.Records(l)
	}
}

func (l TypedPoints[T]) Kind() string { return l.name }

func (l TypedPoints[T]) Size() int { return l.Set.Len() }

func (l TypedPoints[T]) Text() string { return l.Kernel.String() }

func (l TypedPoints[T]) Derive() kernel.Derivation { return kernel.Derive(l.Kernel) }

func (l TypedPoints[T]) Bind() kernel.Pairs { return kernel.Bind(l.Kernel, l.Set, l.Set) }

func (l TypedPoints[T]) Cross(rows *prep.Prepared) (kernel.Pairs, error) {
	points, err := l.Of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(l.Kernel, points); err != nil {
		return nil, err
	}
	return kernel.Bind(l.Kernel, points, l.Set), nil
}

// VectorPoints returns the points that are vectors.
func VectorPoints(rows Points) (found TypedPoints[[]float64], ok bool) {
	rows.Visit(Visitor{func(l TypedPoints[[]float64]) { found, ok = l, true }, func(TypedPoints[string]) {}, func(TypedPoints[record.Record]) {}})
	return found, ok
}

// SetOf returns points, which have the type of the encoding.
func (Encoding[T]) SetOf(p Points) (xs data.Set[T]) {
	p.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) { xs, _ = any(l.Set).(data.Set[T]) },
		IDs:     func(l TypedPoints[string]) { xs, _ = any(l.Set).(data.Set[T]) },
		Records: func(l TypedPoints[record.Record]) { xs, _ = any(l.Set).(data.Set[T]) },
	})
	return xs
}

// Numbers returns the features of the points that are made from columns of the table.
func (p Points) Numbers() (xs data.Vectors) {
	p.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) { xs, _ = l.Set.(data.Vectors) },
		IDs:     func(TypedPoints[string]) {},
		Records: func(l TypedPoints[record.Record]) {
			if r, ok := l.Set.(*record.Records); ok {
				xs = r.Numbers
			}
		},
	})
	return xs
}

// Products reports whether the points are features, whose Gram matrix is their product.
func (l Points) Products() bool {
	found, _ := VectorPoints(l)
	return found.Product
}

// Source returns the points as rows of which any can be bound to any.
func (p Points) Source() (of gram.Source, err error) {
	p.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) { of, err = gram.On(l.Kernel, l.Set), kernel.Validate(l.Kernel, l.Set) },
		IDs:     func(l TypedPoints[string]) { of, err = gram.On(l.Kernel, l.Set), kernel.Validate(l.Kernel, l.Set) },
		Records: func(l TypedPoints[record.Record]) {
			of, err = gram.On(l.Kernel, l.Set), kernel.Validate(l.Kernel, l.Set)
		},
	})
	return of, err
}

func (l TypedPoints[T]) part(rows []int) Points {
	l.Set = data.Part(l.Set, rows)
	return l.Any()
}

// BindRows binds prepared rows to the kernel on both sides.
func (l TypedPoints[T]) BindRows(rows *prep.Prepared) (kernel.Pairs, error) {
	return bindRows(l.Encoding, l.Kernel, rows)
}

func bindRows[T any](s Encoding[T], k kernel.Kernel[T], rows *prep.Prepared) (kernel.Pairs, error) {
	points, err := s.Of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(k, points); err != nil {
		return nil, err
	}
	return kernel.Bind(k, points, points), nil
}
