package task

import (
	"context"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/width"
	"example.org/mercer/tune"
	"example.org/mercer/unsupervised/dictionary"
)

// Expression is an expression that has found the type of its points: row ids, records with
// cells, or vectors. It is the one place that tells them apart.
type Expression interface {
	// learner puts the kernel, which must be free of parameters to be tuned, on the rows.
	Bind(ctx context.Context) (Points, error)
	// open puts the kernel on the rows with its free parameters where a search starts.
	Open(ctx context.Context) (StartingPoint, error)
	Visit(v ExpressionVisitor)
}

// ExpressionVisitor has a function for expressions on points of each type.
type ExpressionVisitor struct {
	Vectors func(TypedExpression[[]float64])
	IDs     func(TypedExpression[string])
	Records func(TypedExpression[record.Record])
}

func (s TypedExpression[T]) Visit(v ExpressionVisitor) {
	switch s := any(s).(type) {
	case TypedExpression[[]float64]:
		v.Vectors(s)
	case TypedExpression[string]:
		v.IDs(s)
	case TypedExpression[record.Record]:
		v.Records(s)
	}
}

// StartingPoint is where a search starts.
type StartingPoint struct {
	Points     Points
	Parameters []tune.Parameter
	Smooth     bool // the kernel has a gradient in them
}

// TypedExpression is an expression on points of type T. Names are resolved, and words for numbers
// that are computed from data are replaced.
type TypedExpression[T any] struct {
	In         PreparedTable
	Space      Encoding[T]
	Dictionary expr.Dictionary[T]
	Node       expr.Node
	Free       func(ctx context.Context) ([]Hyperparameter, error)
	// notes are what the files that a kernel names have to say, once it has been built;
	// nil: nothing.
	notes func() []string
	// Spread gives a free width one value for each column; nil where points have none.
	Spread func(f Hyperparameter, at float64) (Hyperparameter, error)
}

// Resolve gives the names in the expression of the rows' kernel their meaning. Row ids share
// what was read for other rows, if l is not nil.
func (in PreparedTable) Resolve(ctx context.Context, l *IDLanguage) (Expression, error) {
	switch in.Kernel.Kind {
	case OnRowIDs:
		return in.aboutIDs(ctx, in.Kernel.Node, l)
	case OnRecords:
		return in.aboutRecords(ctx, in.Kernel.Node)
	}
	return in.aboutVectors(ctx, in.Kernel.Node)
}

func (in PreparedTable) aboutIDs(ctx context.Context, n expr.Node, l *IDLanguage) (Expression, error) {
	if l == nil {
		l = NewIDLanguage(ctx, Files{})
	}
	s := TypedExpression[string]{In: in, Space: idEncoding, Dictionary: l.dictionary()}
	var err error
	if s.Node, err = expr.Resolve(n, s.Dictionary); err != nil {
		return nil, err
	}
	s.notes = l.notes
	s.Free = func(ctx context.Context) ([]Hyperparameter, error) {
		parameters, err := freeOnIDs(s.Node)
		if err != nil {
			return nil, err
		}
		k, err := SearchSpace(s.Node, parameters, s.Dictionary).Build(startsOf(parameters))
		if err != nil {
			return nil, err
		}
		in.Rows.Notes = append(in.Rows.Notes, l.notes()...)
		return parameters, ready(ctx, k, math.MaxInt32)
	}
	return s, nil
}

func (in PreparedTable) aboutRecords(ctx context.Context, n expr.Node) (Expression, error) {
	schema, err := recordSchema(n, in.Steps)
	if err != nil {
		return nil, err
	}
	s := TypedExpression[record.Record]{In: in, Space: recordEncoding(schema, nil)}
	if s.Dictionary, err = record.Dictionary(schema, languages...); err != nil {
		return nil, err
	}
	if s.Node, err = expr.Resolve(n, s.Dictionary); err != nil {
		return nil, err
	}
	var notes []string
	if s.Node, notes, err = dictionary.Fill(ctx, s.Node, in.Rows.X, schema.Numbers, 0, compute.Options{}); err != nil {
		return nil, err
	}
	in.Rows.Notes = append(notes, in.Rows.Notes...)
	vectors := dictionary.PointsOr(s.Node, in.Rows.X, schema.Numbers, in.vectorsOf(schema, s.Space))
	s.Node, err = width.FillResolved(ctx, s.Node, vectors)
	s.Free = func(ctx context.Context) ([]Hyperparameter, error) { return FreeHyperparameters(ctx, s.Node, vectors) }
	return s, err
}

func (in PreparedTable) aboutVectors(ctx context.Context, n expr.Node) (Expression, error) {
	schema := SchemaOf(in.Steps)
	s := TypedExpression[[]float64]{In: in, Space: VectorEncoding, Dictionary: VectorLanguage(schema)}
	var err error
	var notes []string
	s.Node, notes, err = FilledVectors(ctx, n, in.Rows.Vectors(), schema)
	in.Rows.Notes = append(notes, in.Rows.Notes...)
	s.Free = func(ctx context.Context) ([]Hyperparameter, error) {
		return FreeHyperparameters(ctx, s.Node, dictionary.Points(s.Node, in.Rows.Vectors(), schema))
	}
	s.Spread = func(f Hyperparameter, at float64) (Hyperparameter, error) { return f.spread(at, schema) }
	return s, err
}

func (s TypedExpression[T]) Bind(ctx context.Context) (Points, error) {
	k, err := expr.Build(s.Node, s.Dictionary)
	if err != nil {
		return Points{}, err
	}
	if s.notes != nil {
		s.In.Rows.Notes = append(s.In.Rows.Notes, s.notes()...)
	}
	return BindTyped(ctx, s.Space, k, s.In)
}

func (s TypedExpression[T]) Open(ctx context.Context) (StartingPoint, error) {
	found, err := s.Free(ctx)
	if err != nil {
		return StartingPoint{}, err
	}
	k, err := SearchSpace(s.Node, found, s.Dictionary).Build(startsOf(found))
	if err != nil {
		return StartingPoint{}, err
	}
	points, err := BindTyped(ctx, s.Space, k, s.In)
	_, smooth := k.(kernel.Differentiable[T])
	return StartingPoint{points, SearchSpace(s.Node, found, s.Dictionary).Parameters, smooth}, err
}
