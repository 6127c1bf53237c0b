package serve

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
)

// The bits of an answer do not depend on its company: rows that are predicted together, in batches
// as they come, have the values of each row alone.
func TestCompanyChangesNoBit(t *testing.T) {
	s := serving(t, Options{Concurrency: 2})
	for _, tc := range []struct {
		name, text string
	}{{"house", houses(40, 8)}, {"kinds", kinds(40, 8)}} {
		e, v, err := s.answering(tc.name, "")
		if err != nil {
			t.Fatal(err)
		}
		all := tableOf(t, tc.text)
		for range 3 {
			together(t, s.Server, e, v, all)
		}
	}
}

// together asks for parts of a table at the same time.
func together(t *testing.T, s *Server, e *entry, v *version, all *data.Table) {
	t.Helper()
	for range s.o.Concurrency { // all requests come while no computation can begin
		s.slots <- struct{}{}
	}
	var jobs sync.WaitGroup
	r := rand.New(rand.NewPCG(1, uint64(all.Rows())))
	for from := 0; from < all.Rows(); {
		n := min(1+r.IntN(7), all.Rows()-from)
		rows := make([]int, n)
		for i := range rows {
			rows[i] = from + i
		}
		from += n
		jobs.Go(func() {
			part := all.Gather(rows)
			part.Lines = nil
			got, _, err := s.predict(t.Context(), e, v, part, extras{})
			if err != nil {
				t.Error(err)
				return
			}
			for i, row := range rows {
				alone, err := v.Predict(t.Context(), all.Gather([]int{row}), compute.Options{Workers: 1})
				if err != nil {
					t.Error(err)
					return
				}
				same(t, got, alone, i, row)
			}
		})
	}
	until(func() bool { return e.queue.length() >= 5 })
	for range s.o.Concurrency {
		<-s.slots
	}
	jobs.Wait()
}

// same fails unless row i of a prediction is the only row of another.
func same(t *testing.T, got, alone *outcome.Prediction, i, row int) {
	t.Helper()
	if got.Rows.Rows[i] != i {
		t.Errorf("row %d is called %d", i, got.Rows.Rows[i])
	}
	_, outputs := alone.Values.Dims()
	for j := range outputs {
		if got.Values.At(i, j) != alone.Values.At(0, j) {
			t.Errorf("row %d: %v in company, %v alone", row, got.Values.At(i, j), alone.Values.At(0, j))
		}
	}
}

// A table whose rows cannot be predicted fails its own request, and none of those beside it.
func TestFailsAlone(t *testing.T) {
	s := serving(t, Options{Concurrency: 1})
	e, v, err := s.answering("house", "")
	if err != nil {
		t.Fatal(err)
	}
	s.slots <- struct{}{}
	var jobs sync.WaitGroup
	good := tableOf(t, "size,rooms,place\n80,3,town\n")
	gap := tableOf(t, "size,rooms,place\n80,3,\n")
	gap.Columns[2].Kind, gap.Columns[2].Missing, gap.Columns[2].Strings, gap.Columns[2].Numbers = good.Columns[2].Kind, []bool{true}, []string{""}, nil
	for k, table := range []*data.Table{good, gap, good} {
		table.Lines = nil
		jobs.Go(func() {
			if _, _, err := s.predict(t.Context(), e, v, table, extras{}); (err != nil) != (k == 1) {
				t.Errorf("table %d: %v", k, err)
			}
		})
	}
	until(func() bool { return e.queue.length() == 3 })
	<-s.slots
	jobs.Wait()
}

// A model that is asked again and again keeps no other model waiting.
func TestModelsTakeTurns(t *testing.T) {
	s := serving(t, Options{Concurrency: 1})
	busy, v, err := s.answering("house", "")
	if err != nil {
		t.Fatal(err)
	}
	other, w, err := s.answering("kinds", "")
	if err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	var asked sync.WaitGroup
	s.slots <- struct{}{}
	var again func() error
	again = func() error { // each computation leaves another one in the queue
		if ended.Load() {
			return nil
		}
		asked.Go(func() {
			if err := s.alone(t.Context(), busy, v, func(context.Context, compute.Options) error { return again() }); err != nil {
				t.Error(err)
			}
		})
		until(func() bool { return busy.queue.length() > 0 || ended.Load() })
		return nil
	}
	if err := again(); err != nil {
		t.Fatal(err)
	}
	asked.Go(func() {
		if err := s.alone(t.Context(), other, w, func(context.Context, compute.Options) error { return nil }); err != nil {
			t.Error(err)
		}
		ended.Store(true)
	})
	until(func() bool { return other.queue.length() == 1 })
	<-s.slots
	asked.Wait()
}
