package gram

import (
	"context"

	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
)

// subset is some rows of a source that has no way of its own to select them. Each method that the
// source may lack says so.
type subset struct {
	of   Source
	rows []int
}

func (s subset) Len() int { return len(s.rows) }

func (s subset) Bind(rows, cols []int) kernel.Pairs {
	left := compose(s.rows, rows)
	if sameIndex(rows, cols) {
		return s.of.Bind(left, left)
	}
	return s.of.Bind(left, compose(s.rows, cols))
}

func (s subset) Subset(rows []int) Source { return subset{s.of, compose(s.rows, rows)} }

func (s subset) Design(rows []int) (d design.Matrix, ok bool) {
	able, ok := s.of.(interface {
		Design(rows []int) (design.Matrix, bool)
	})
	if !ok {
		return design.Matrix{}, false
	}
	return able.Design(compose(s.rows, rows))
}

func (s subset) Columns(cols []int, maxBytes int64) (bind func(rows []int, reuse kernel.Pairs) kernel.Pairs, ok bool) {
	able, ok := s.of.(interface {
		Columns(cols []int, maxBytes int64) (func(rows []int, reuse kernel.Pairs) kernel.Pairs, bool)
	})
	if !ok {
		return func(rows []int, _ kernel.Pairs) kernel.Pairs { return s.Bind(rows, cols) }, true
	}
	all, ok := able.Columns(compose(s.rows, cols), maxBytes)
	if !ok {
		return nil, false
	}
	return func(rows []int, reuse kernel.Pairs) kernel.Pairs { return all(compose(s.rows, rows), reuse) }, true
}

func (s subset) Diagonal(ctx context.Context, dst []float64, rows []int, workers int) (ok bool, err error) {
	able, ok := s.of.(interface {
		Diagonal(ctx context.Context, dst []float64, rows []int, workers int) (bool, error)
	})
	if !ok {
		return false, nil
	}
	return able.Diagonal(ctx, dst, compose(s.rows, rows), workers)
}
