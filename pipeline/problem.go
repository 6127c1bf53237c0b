package pipeline

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// Problem is a table turned into points with a kernel on them.
type Problem struct {
	Source string         // what the table was called
	Prep   *prep.Pipeline // the steps, fitted
	Rows   *prep.Prepared // the rows, prepared
	// Indefinite says what is done with a Gram matrix that is not positive semidefinite;
	// "": nothing, and the method meets it as it is.
	Indefinite gram.Treatment
	// Approximation is that of the kernel by landmarks; nil: there is none. See
	// [Problem.LowRank].
	Approximation *Approximation
	// FeatureMap replaces the kernel by explicit features; nil: there is none. See
	// [Problem.WithFeatures].
	FeatureMap *FeatureMap

	points learner
	raw    *data.Table  // the table itself; without cells where it stays in its file
	blocks data.Blocks  // the same
	held   bool         // for a plan: the Gram matrix is in memory, and kernel values are read
	golden *goldenTable // a few of its rows, kept for the model's self-test
}

// NewProblem prepares a table as s says and puts the kernel of an expression on its
// rows. Words in the expression that stand for statistics of the data are computed
// here, on these rows.
func NewProblem(ctx context.Context, t *data.Table, s prep.Spec, text string) (*Problem, error) {
	in, err := prepare(t, s, text)
	if err != nil {
		return nil, err
	}
	points, err := in.learner(ctx, text)
	if err != nil {
		return nil, err
	}
	return in.problem(points), nil
}

// prepared is a table with its rows prepared and the steps that did it.
type prepared struct {
	table *data.Table
	// blocks are the table where it stays in its file; table has no cells then.
	blocks data.Blocks
	steps  *prep.Pipeline
	rows   *prep.Prepared
	golden *goldenTable // a few of the rows
}

// prepare prepares a table for a kernel; one on row ids needs no features, and some
// columns may be compared as they are.
func prepare(t *data.Table, s prep.Spec, kernel string) (prepared, error) {
	s, err := suited(s, t, kernel)
	if err != nil {
		return prepared{}, err
	}
	in := prepared{table: t}
	if in.steps, in.rows, err = prep.Fit(t, s); err != nil {
		return prepared{}, err
	}
	in.golden, err = goldenRows(in.cells(), in.rows)
	return in, err
}

// problem joins the prepared rows with a kernel on them.
func (in prepared) problem(points learner) *Problem {
	return &Problem{Source: in.table.Source, Prep: in.steps, Rows: in.rows, points: points, raw: in.table, blocks: in.cells(), golden: in.golden}
}

// cells returns the table, wherever it is.
func (in prepared) cells() data.Blocks {
	if in.blocks != nil {
		return in.blocks
	}
	return data.Whole(in.table)
}

// Table returns the table whose rows these are.
func (p *Problem) Table() *data.Table { return p.raw }

// Kernel returns the expression in use, with every number filled in.
func (p *Problem) Kernel() string { return p.points.text() }

// Derivation returns why the kernel is positive definite, or that nothing proves it.
func (p *Problem) Derivation() kernel.Derivation { return p.points.derive() }

// Pairs returns the kernel bound to the rows on both sides.
func (p *Problem) Pairs() kernel.Pairs { return p.points.bind() }

// Dims returns the number of rows, of features, and of outputs.
func (p *Problem) Dims() (rows, features, outputs int) {
	names, _ := p.Prep.Features()
	if p.Rows.Y != nil {
		_, outputs = p.Rows.Y.Dims()
	}
	return p.points.size(), len(names), outputs
}

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

// The kinds of points, as the model file names them.
const (
	onVectors = "vectors"
	onRowIDs  = "ids"
)

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

// space knows how prepared rows become points of one type, and back into tensors.
type space[T any] struct {
	name string
	of   func(*prep.Prepared) (data.Set[T], error)
	// beside returns the space of rows that are compared with points; nil: any rows can be.
	beside func(points data.Set[T]) space[T]
}

// with returns the space of rows that are compared with points.
func (s space[T]) with(points data.Set[T]) space[T] {
	if s.beside == nil {
		return s
	}
	return s.beside(points)
}

var vectorSpace = space[[]float64]{name: onVectors, of: func(r *prep.Prepared) (data.Set[[]float64], error) { return r.Vectors(), nil }}

var idSpace = space[string]{name: onRowIDs, of: func(r *prep.Prepared) (data.Set[string], error) {
	if r.IDs == nil {
		return nil, errors.New("pipeline: the kernel looks rows up by their id, and the table has no id column; name it (--id)")
	}
	return data.Slice[string](r.IDs), nil
}}

// learner puts the kernel of an expression on the rows.
func (in prepared) learner(ctx context.Context, text string) (learner, error) {
	spoken, err := in.understand(ctx, text, nil)
	if err != nil {
		return learner{}, err
	}
	return spoken.learner(ctx)
}

// learn puts a kernel on prepared rows, all of which must lie in its domain.
func learn[T any](ctx context.Context, s space[T], k kernel.Kernel[T], in prepared) (learner, error) {
	points, err := s.of(in.rows)
	if err != nil {
		return learner{}, in.placed(err, k.String(), s.name)
	}
	if i, err := kernel.Outside(k, points); err != nil {
		return learner{}, in.outside(err, k.String(), s.name, in.rows.Rows[i])
	}
	return learning[T]{space: s.with(points), kernel: k, points: points}.learner(), ready(ctx, k, points.Len())
}

// placed says of an error about a prepared row where that stands in the table.
func (in prepared) placed(err error, kernel, kind string) error {
	if out := (*stray)(nil); errors.As(err, &out) {
		return in.outside(out.objection, kernel, kind, in.rows.Rows[out.at])
	}
	return err
}

// outside says which row of the table a kernel is not defined for. Vectors are seen
// after preparation, which is often the reason.
func (in prepared) outside(err error, kernel, kind string, row int) error {
	e := &data.Error{Source: in.table.Source, Row: row + 1, Reason: fmt.Sprintf("is outside the domain of kernel %s", kernel), Err: err}
	e.Line = lineOf(in.cells(), row)
	if kind == onVectors {
		e.Fix = fmt.Sprintf("rows are seen after preparation (%s); --raw COLUMN leaves numbers as they are", in.steps)
	}
	return e
}

func (l learning[T]) kind() string              { return l.name }
func (l learning[T]) size() int                 { return l.points.Len() }
func (l learning[T]) text() string              { return l.kernel.String() }
func (l learning[T]) derive() kernel.Derivation { return kernel.Derive(l.kernel) }
func (l learning[T]) bind() kernel.Pairs        { return kernel.Bind(l.kernel, l.points, l.points) }

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

func (l learning[T]) whole(coef *mat.Dense, bias []float64) function {
	return newFitted(l.space, l.kernel, model.Predictor[T](&model.Expansion[T]{Kernel: l.kernel, Points: l.points, Coef: coef, Bias: bias}))
}

func (l learning[T]) expand(coef *mat.Dense, bias []float64) (function, []int) {
	e := &model.Expansion[T]{Kernel: l.kernel, Points: l.points, Coef: coef, Bias: bias}
	return newFitted(l.space, l.kernel, model.Predictor[T](e.Compact())), e.Support()
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
