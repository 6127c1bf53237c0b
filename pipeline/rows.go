package pipeline

import (
	"context"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/supervised/krr"
	"gonum.org/v1/gonum/mat"
)

// learner is the kernel on the rows of a problem. It hides the type of the points from everything
// that does not need it; what does asks by [visitor].
type learner struct {
	bound
	spanned
	approximable
}

// bound is n points of which any can be bound to any.
type bound interface {
	kind() string
	size() int
	text() string
	derive() kernel.Derivation
	bind() kernel.Pairs
	cross(rows *prep.Prepared) (kernel.Pairs, error)
	// selves binds other rows to the kernel on both sides.
	selves(rows *prep.Prepared) (kernel.Pairs, error)
	visit(v visitor)
}

// spanned makes functions in the span of the points, or of their explicit features.
type spanned interface {
	// operator returns the Gram matrix of the points.
	operator(ctx context.Context, o compute.Options) (gram.Symmetric, error)
	// features returns the explicit features of rows, nil for those that are learned from.
	features(rows *prep.Prepared) (f gram.Design, ok bool, err error)
	choosePrimal(s krr.Solver) (dim int, primal bool)
	// expand returns f(x) = b + Σ αᵢ k(x, xᵢ) over the points whose coefficients are
	// not all zero, and which these are.
	expand(coef *mat.Dense, bias []float64) (f function, points []int)
	// whole is expand over all points.
	whole(coef *mat.Dense, bias []float64) function
	// images returns the points in explicit features, and primal functions of these, by weights in
	// the columns of a matrix.
	images() (data.Rows, error)
	primal(w *mat.Dense, bias []float64) (function, error)
	// weighing is primal where features on landmarks stand for the kernel: an expansion on these.
	weighing(ctx context.Context, w *mat.Dense, bias []float64) (function, error)
}

// approximable replaces the kernel or the points by others.
type approximable interface {
	// numbered returns the kernel as one on vectors, and the points as vectors.
	numbered() (kernel.Kernel[[]float64], data.Vectors)
	// part returns the learner on some of the points.
	part(rows []int) learner
	// lowRank returns the learner with a low-rank kernel, and collapse what was found
	// with it as a function on the landmarks.
	lowRank(ctx context.Context, o nystrom.Options, measure bool) (learner, *Approximation, []int, error)
	collapse(ctx context.Context, f function) (function, error)
	// original returns the learner with the kernel that a low-rank one stands for.
	original() learner
	// withFeatures returns the learner with explicit features for the kernel, and weighFeatures
	// what was found with them as a function of the features.
	withFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options, measure bool) (learner, *FeatureMap, error)
	weighFeatures(ctx context.Context, f function) (function, error)
}

// visitor has a function for points of each type.
type visitor struct {
	vectors func(learning[[]float64])
	ids     func(learning[string])
	records func(learning[record.Record])
}

// learning is the learner for points of one type.
type learning[T any] struct {
	space[T]
	kernel kernel.Kernel[T]
	points data.Set[T]
	// product says that the points are features, whose Gram matrix is their product.
	product bool
}

// learner hides the type of the points.
func (l learning[T]) learner() learner { return learner{l, l, l} }

func (l learning[T]) visit(v visitor) {
	switch l := any(l).(type) {
	case learning[[]float64]:
		v.vectors(l)
	case learning[string]:
		v.ids(l)
	case learning[record.Record]:
		v.records(l)
	}
}

func (l learning[T]) kind() string { return l.name }

func (l learning[T]) size() int { return l.points.Len() }

func (l learning[T]) text() string { return l.kernel.String() }

func (l learning[T]) derive() kernel.Derivation { return kernel.Derive(l.kernel) }

func (l learning[T]) bind() kernel.Pairs { return kernel.Bind(l.kernel, l.points, l.points) }

func (l learning[T]) cross(rows *prep.Prepared) (kernel.Pairs, error) {
	points, err := l.of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(l.kernel, points); err != nil {
		return nil, err
	}
	return kernel.Bind(l.kernel, points, l.points), nil
}

// onVectorsOf returns the points that are vectors.
func onVectorsOf(rows learner) (found learning[[]float64], ok bool) {
	rows.visit(visitor{func(l learning[[]float64]) { found, ok = l, true }, func(learning[string]) {}, func(learning[record.Record]) {}})
	return found, ok
}

// products reports whether the points are features, whose Gram matrix is their product.
func (l learner) products() bool {
	found, _ := onVectorsOf(l)
	return found.product
}

func (l learning[T]) part(rows []int) learner {
	l.points = data.Subset(l.points, rows)
	return l.learner()
}

// selves binds prepared rows to the kernel on both sides.
func (l learning[T]) selves(rows *prep.Prepared) (kernel.Pairs, error) {
	return selves(l.space, l.kernel, rows)
}

func selves[T any](s space[T], k kernel.Kernel[T], rows *prep.Prepared) (kernel.Pairs, error) {
	points, err := s.of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(k, points); err != nil {
		return nil, err
	}
	return kernel.Bind(k, points, points), nil
}
