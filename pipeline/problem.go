package pipeline

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
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

// The kinds of points, as the model file names them.
const (
	onVectors = "vectors"
	onRowIDs  = "ids"
)

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
