package pass

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Sender has the passes over some points made by the driver of their rows.
type Sender struct {
	driver Driver
	kernel kernel.Kernel[[]float64]
}

// SenderOf returns the sender of points with a kernel; nil: they have no driver.
func SenderOf[T any](k kernel.Kernel[T], xs data.Set[T]) *Sender {
	rows, ok := any(xs).(Rows)
	if !ok {
		return nil
	}
	return &Sender{rows.Driver(), any(k).(kernel.Kernel[[]float64])}
}

// Under returns the sender of the same points with a kernel that is made of theirs.
func (s *Sender) Under(of func(k kernel.Kernel[[]float64]) kernel.Kernel[[]float64]) *Sender {
	return &Sender{s.driver, of(s.kernel)}
}

// Elsewhere returns the sender of rows that have a driver, or are made of such; nil: passes over
// them are made here.
func Elsewhere(xs data.Rows) *Sender {
	switch xs := xs.(type) {
	case *sharedRows:
		return Elsewhere(xs.Rows)
	case interface{ elsewhere() *Sender }:
		return xs.elsewhere()
	case Rows:
		return &Sender{driver: xs.Driver()}
	}
	return nil
}

// Run makes a pass, and returns the sums of the pieces, added up in their order. each, if not nil,
// is given what is computed for the rows of a piece, in the order of the pieces.
func (s *Sender) Run(ctx context.Context, job Job, pieces []Piece, numbers func(piece int) ([]float64, error),
	each func(p Piece, rows []float64) error) ([]float64, error) {
	all := InOrder{Each: func(i int, r Result) error {
		if each == nil {
			return nil
		}
		return each(pieces[i], r.Rows)
	}}
	err := s.driver.Run(ctx, Pass{s.kernel, job, pieces, numbers}, all.Add)
	if err == nil && all.next != len(pieces) {
		err = fmt.Errorf("pass: it ended after %d of %d pieces", all.next, len(pieces))
	}
	return all.Total, err
}

// InOrder takes the results of pieces in their order, whatever the order in which they come: it
// adds up their sums, and calls Each. It is safe for concurrent use, and holds those that come
// early.
type InOrder struct {
	Each  func(i int, r Result) error // nil: nothing
	Total []float64                   // sums of the first pieces

	mu    sync.Mutex
	next  int
	early map[int]Result
}

// Add takes the result of piece i over.
func (s *InOrder) Add(i int, r Result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, twice := s.early[i]; i < s.next || twice {
		return fmt.Errorf("pass: piece %d came twice", i+1)
	}
	if s.early == nil {
		s.early = map[int]Result{}
	}
	s.early[i] = r
	for {
		r, ok := s.early[s.next]
		if !ok {
			return nil
		}
		delete(s.early, s.next)
		if err := s.take(r); err != nil {
			return err
		}
		s.next++
	}
}

// take adds the sums of the next piece.
func (s *InOrder) take(r Result) error {
	switch {
	case s.next == 0:
		s.Total = r.Sums
	case len(r.Sums) != len(s.Total):
		return fmt.Errorf("pass: piece %d has %d sums, and those before it %d", s.next+1, len(r.Sums), len(s.Total))
	default:
		floats.Add(s.Total, r.Sums)
	}
	if s.Each == nil {
		return nil
	}
	return s.Each(s.next, r)
}
