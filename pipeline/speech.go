package pipeline

import (
	"context"
	"math"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/tune"
)

// speech is an expression that has found the type of its points: row ids, records with
// cells, or vectors. It is the one place that tells them apart.
type speech interface {
	// learner puts the kernel, which must be free of parameters to be tuned, on the rows.
	learner(ctx context.Context) (learner, error)
	// open puts the kernel on the rows with its free parameters where a search starts.
	open(ctx context.Context) (opening, error)
	visit(v expressionVisitor)
}

// expressionVisitor has a function for expressions on points of each type.
type expressionVisitor struct {
	vectors func(spoken[[]float64])
	ids     func(spoken[string])
	records func(spoken[record.Record])
}

func (s spoken[T]) visit(v expressionVisitor) {
	switch s := any(s).(type) {
	case spoken[[]float64]:
		v.vectors(s)
	case spoken[string]:
		v.ids(s)
	case spoken[record.Record]:
		v.records(s)
	}
}

// opening is where a search starts.
type opening struct {
	points     learner
	parameters []tune.Parameter
	smooth     bool // the kernel has a gradient in them
}

// spoken is a speech about points of type T. Names are resolved, and words for numbers
// that are computed from data are replaced.
type spoken[T any] struct {
	in         prepared
	space      space[T]
	dictionary expr.Dictionary[T]
	node       expr.Node
	free       func(ctx context.Context) ([]free, error)
	// notes are what the files that a kernel names have to say, once it has been built;
	// nil: nothing.
	notes func() []string
	// spread gives a free width one value for each column; nil where points have none.
	spread func(f free, at float64) (free, error)
}

// understand reads an expression. Row ids share what was read for other rows, if l is
// not nil.
func (in prepared) understand(ctx context.Context, text string, l *idLanguage) (speech, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	switch kindOf(n) {
	case onRowIDs:
		return in.aboutIDs(ctx, n, l)
	case onRecords:
		return in.aboutRecords(ctx, n)
	}
	return in.aboutVectors(ctx, n)
}

// kindOf returns the kind of points that an expression compares, as a model file names it.
func kindOf(n expr.Node) string {
	switch {
	case onIDs(n):
		return onRowIDs
	case record.Speaks(n, languages...):
		return onRecords
	}
	return onVectors
}

// compares reports whether an expression compares points of a kind. A text that cannot be
// parsed does not.
func compares(text, kind string) bool {
	n, err := expr.Parse(text)
	return err == nil && kindOf(n) == kind
}

// OnIDs reports whether an expression speaks of precomputed Gram matrices or of the nodes
// of a graph, so that its points are row ids and not vectors.
func OnIDs(text string) bool { return compares(text, onRowIDs) }

// OnRecords reports whether an expression compares cells of records, such as strings.
func OnRecords(text string) bool { return compares(text, onRecords) }

func (in prepared) aboutIDs(ctx context.Context, n expr.Node, l *idLanguage) (speech, error) {
	if l == nil {
		l = newIDLanguage(ctx, Files{})
	}
	s := spoken[string]{in: in, space: idSpace, dictionary: l.dictionary()}
	var err error
	if s.node, err = expr.Resolve(n, s.dictionary); err != nil {
		return nil, err
	}
	s.notes = l.notes
	s.free = func(ctx context.Context) ([]free, error) {
		parameters, err := freeOnIDs(s.node)
		if err != nil {
			return nil, err
		}
		k, err := spaceOf(s.node, parameters, s.dictionary).Build(startsOf(parameters))
		if err != nil {
			return nil, err
		}
		in.rows.Notes = append(in.rows.Notes, l.notes()...)
		return parameters, ready(ctx, k, math.MaxInt32)
	}
	return s, nil
}

func (in prepared) aboutRecords(ctx context.Context, n expr.Node) (speech, error) {
	schema, err := recordSchema(n, in.steps)
	if err != nil {
		return nil, err
	}
	s := spoken[record.Record]{in: in, space: recordSpace(schema, nil)}
	if s.dictionary, err = record.Dictionary(schema, languages...); err != nil {
		return nil, err
	}
	if s.node, err = expr.Resolve(n, s.dictionary); err != nil {
		return nil, err
	}
	vectors := in.vectorsOf(schema, s.space)
	s.node, err = vec.FillResolved(ctx, s.node, vectors)
	s.free = func(ctx context.Context) ([]free, error) { return freeOf(ctx, s.node, vectors) }
	return s, err
}

func (in prepared) aboutVectors(ctx context.Context, n expr.Node) (speech, error) {
	schema := schemaOf(in.steps)
	s := spoken[[]float64]{in: in, space: vectorSpace, dictionary: vec.Dictionary(schema)}
	var err error
	s.node, err = vec.Fill(ctx, n, in.rows.Vectors(), schema)
	s.free = func(ctx context.Context) ([]free, error) { return freeOf(ctx, s.node, only(in.rows.Vectors(), schema)) }
	s.spread = func(f free, at float64) (free, error) { return f.spread(at, schema) }
	return s, err
}

func (s spoken[T]) learner(ctx context.Context) (learner, error) {
	k, err := expr.Build(s.node, s.dictionary)
	if err != nil {
		return learner{}, err
	}
	if s.notes != nil {
		s.in.rows.Notes = append(s.in.rows.Notes, s.notes()...)
	}
	return learn(ctx, s.space, k, s.in)
}

func (s spoken[T]) open(ctx context.Context) (opening, error) {
	found, err := s.free(ctx)
	if err != nil {
		return opening{}, err
	}
	k, err := spaceOf(s.node, found, s.dictionary).Build(startsOf(found))
	if err != nil {
		return opening{}, err
	}
	points, err := learn(ctx, s.space, k, s.in)
	_, smooth := k.(kernel.Differentiable[T])
	return opening{points, spaceOf(s.node, found, s.dictionary).Parameters, smooth}, err
}
