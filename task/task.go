package task

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/dkl"
)

// Task is a table turned into points with a kernel on them.
type Task struct {
	Source string         // what the table was called
	Prep   *prep.Pipeline // the steps, fitted
	Rows   *prep.Prepared // the rows, prepared
	// Indefinite says what is done with a Gram matrix that is not positive semidefinite;
	// "": nothing, and the method meets it as it is.
	Indefinite gram.Treatment
	// Approximation is that of the kernel by landmarks; nil: there is none. See
	// [Task.LowRank].
	LandmarkMap *LandmarkMap
	// FeatureMap replaces the kernel by explicit features; nil: there is none. See
	// [Task.WithFeatures].
	FeatureMap *FeatureMap
	// Network says how the network of a kernel deep(…) without weights is learned.
	Network dkl.Options

	Points     Points
	Raw        *data.Table // the table itself; without cells where it stays in its file
	Blocks     data.Blocks // the same
	KernelHeld bool        // for a plan: the Gram matrix is in memory, and kernel values are read
	// NoSelfTest leaves the model without rows to test itself on.
	NoSelfTest bool
}

// New prepares a table as s says and puts the kernel of an expression on its
// rows. Words in the expression that stand for statistics of the data are computed
// here, on these rows. Of a table in a file a block at a time is in memory, for methods
// that make passes over the rows; the kernel is then one on vectors.
func New(ctx context.Context, b data.Blocks, s prep.Spec, text string) (*Task, error) {
	in, err := PrepareBlocks(ctx, b, s, text)
	if err != nil {
		return nil, err
	}
	watching, read := CancelOnReadError(ctx, in.Rows)
	points, err := in.Bind(watching)
	if err := read(err); err != nil {
		return nil, err
	}
	return in.Task(points), nil
}

// PreparedTable is a table with its rows prepared for a kernel and the steps that did it.
type PreparedTable struct {
	Table  *data.Table
	Kernel Parsed
	// blocks are the table where it stays in its file; table has no cells then.
	Blocks data.Blocks
	Steps  *prep.Pipeline
	Rows   *prep.Prepared
}

// Prepare prepares a table for the kernel of an expression; one on row ids needs no features, and
// some columns may be compared as they are. "" is no kernel yet.
func Prepare(t *data.Table, s prep.Spec, text string) (PreparedTable, error) {
	in := PreparedTable{Table: t}
	var err error
	if text != "" {
		if in.Kernel, err = Parse(text); err != nil {
			return PreparedTable{}, err
		}
	}
	if s, err = in.Kernel.suited(s, t); err != nil {
		return PreparedTable{}, err
	}
	in.Steps, in.Rows, err = prep.Fit(t, s)
	return in, err
}

// Task joins the prepared rows with a kernel on them.
func (in PreparedTable) Task(points Points) *Task {
	return &Task{Source: in.Table.Source, Prep: in.Steps, Rows: in.Rows, Points: points, Raw: in.Table, Blocks: in.cells()}
}

// cells returns the table, wherever it is.
func (in PreparedTable) cells() data.Blocks {
	if in.Blocks != nil {
		return in.Blocks
	}
	return in.Table
}

// Table returns the table whose rows these are.
func (p *Task) Table() *data.Table { return p.Raw }

// Kernel returns the expression in use, with every number filled in.
func (p *Task) Kernel() string { return p.Points.Text() }

// Derivation returns why the kernel is positive definite, or that nothing proves it.
func (p *Task) Derivation() kernel.Derivation { return p.Points.Derive() }

// Pairs returns the kernel bound to the rows on both sides.
func (p *Task) Pairs() kernel.Pairs { return p.Points.Bind() }

// Dims returns the number of rows, of features, and of outputs.
func (p *Task) Dims() (rows, features, outputs int) {
	names, _ := p.Prep.Features()
	if p.Rows.Y != nil {
		_, outputs = p.Rows.Y.Dims()
	}
	return p.Points.Size(), len(names), outputs
}

// Encoding knows how prepared rows become points of one type, and back into tensors.
type Encoding[T any] struct {
	name string
	Of   func(*prep.Prepared) (data.Set[T], error)
	// beside returns the space of rows that are compared with points; nil: any rows can be.
	beside func(points data.Set[T]) Encoding[T]
}

// with returns the space of rows that are compared with points.
func (s Encoding[T]) with(points data.Set[T]) Encoding[T] {
	if s.beside == nil {
		return s
	}
	return s.beside(points)
}

var VectorEncoding = Encoding[[]float64]{name: OnVectors, Of: func(r *prep.Prepared) (data.Set[[]float64], error) { return r.Vectors(), nil }}

var idEncoding = Encoding[string]{name: OnRowIDs, Of: func(r *prep.Prepared) (data.Set[string], error) {
	if r.IDs == nil {
		return nil, errors.New("task: the kernel looks rows up by their id, and the table has no id column; name it (--id)")
	}
	return data.Slice[string](r.IDs), nil
}}

// Bind puts the kernel on the rows.
func (in PreparedTable) Bind(ctx context.Context) (Points, error) {
	spoken, err := in.Resolve(ctx, nil)
	if err != nil {
		return Points{}, err
	}
	return spoken.Bind(ctx)
}

// BindTyped puts a kernel on prepared rows, all of which must lie in its domain.
func BindTyped[T any](ctx context.Context, s Encoding[T], k kernel.Kernel[T], in PreparedTable) (Points, error) {
	points, err := s.Of(in.Rows)
	if err != nil {
		return Points{}, in.Placed(err, k.String(), s.name)
	}
	if i, err := kernel.Outside(k, points); err != nil {
		return Points{}, in.outside(err, k.String(), s.name, in.Rows.Rows[i])
	}
	if err := ready(ctx, k, points.Len()); err != nil {
		return Points{}, err
	}
	return in.Elsewhere(TypedPoints[T]{Encoding: s.with(points), Kernel: k, Set: points}.Any())
}

// Placed says of an error about a prepared row where that stands in the table.
func (in PreparedTable) Placed(err error, kernel, kind string) error {
	if out := (*outsideDomain)(nil); errors.As(err, &out) {
		return in.outside(out.objection, kernel, kind, in.Rows.Rows[out.at])
	}
	return err
}

// Placed says of an error about the target of a row on which line of the table it stands, and in
// which column.
func (p *Task) Placed(err error) error {
	at := (*model.RowError)(nil)
	targets := p.Prep.Targets()
	if !errors.As(err, &at) || at.Row >= len(p.Rows.Rows) || len(targets) == 0 || p.Raw == nil {
		return err
	}
	t := targets[0]
	if len(targets) > 1 {
		t = targets[min(at.Output, len(targets)-1)]
	}
	row := p.Rows.Rows[at.Row]
	_, column := p.Raw.Column(t.Name)
	e := &data.Error{Row: row + 1, Column: column + 1, Name: t.Name,
		Value: strconv.FormatFloat(at.Value, 'g', -1, 64), Reason: "cannot be the target: " + at.Reason, Fix: at.Fix}
	e.Source, e.Line = placeOf(p.Blocks, row)
	return e
}

// outside says which row of the table a kernel is not defined for. Vectors are seen
// after preparation, which is often the reason.
func (in PreparedTable) outside(err error, kernel, kind string, row int) error {
	e := &data.Error{Row: row + 1, Reason: fmt.Sprintf("is outside the domain of kernel %s", kernel), Err: err}
	e.Source, e.Line = placeOf(in.cells(), row)
	if kind == OnVectors {
		e.Fix = fmt.Sprintf("rows are seen after preparation (%s); --raw COLUMN leaves numbers as they are", in.Steps)
	}
	return e
}
