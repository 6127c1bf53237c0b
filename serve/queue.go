package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
)

// job is a request that waits for a prediction.
type job struct {
	ctx   context.Context
	v     *version
	table *data.Table
	alone func(ctx context.Context, how compute.Options) error // in place of a prediction of table
	since time.Time
	done  chan struct{}

	// What it has become when it is done.
	p      *outcome.Prediction
	err    error
	rows   int // of the batch
	ended  bool
	waited time.Duration
}

// queue holds the jobs of a model. Jobs that wait when a worker is free are predicted together, and
// no job waits for others to come.
type queue struct {
	mu      sync.Mutex
	waiting []*job
	workers int
}

// inline computes a job at once where it is the only request that is being answered and there is
// room: it is spared the way to another goroutine and back.
func (s *Server) inline(q *queue, j *job) bool {
	if s.flying.Load() != 1 || q.length() > 0 {
		return false
	}
	select {
	case s.slots <- struct{}{}:
	default:
		return false
	}
	defer func() { <-s.slots }()
	s.compute([]*job{j})
	return true
}

// errFull is the error of a queue that takes no more.
var errFull = errors.New("too many requests wait for this model")

// mostTogether bounds the rows of a batch: beyond some hundreds a row takes no less time.
const mostTogether = 1024

// add puts a job in, and begins to work where there is room.
func (q *queue) add(j *job, s *Server) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= s.o.Queue {
		return errFull
	}
	q.waiting = append(q.waiting, j)
	if q.workers < s.o.Concurrency {
		q.workers++
		go q.work(s)
	}
	return nil
}

// work takes jobs until there are none. Between two batches it stands behind the workers of other
// models, so that a model that is always asked keeps none of them waiting.
func (q *queue) work(s *Server) {
	for more := true; more; {
		s.slots <- struct{}{}
		q.gather()
		batch := q.take()
		if more = batch != nil; more {
			s.compute(batch)
		}
		<-s.slots
	}
}

// gather lets requests that have arrived come to the queue: without it, on few cores, each would be
// taken before the next one is there.
func (q *queue) gather() {
	for seen := -1; ; {
		n := q.length()
		if n == seen || n >= mostTogether {
			return
		}
		seen = n
		runtime.Gosched()
	}
}

func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// take removes the first job and those that can be predicted with it; nil, and the worker is
// counted out, where there is none.
func (q *queue) take() (batch []*job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	rows := 0
	q.waiting = slices.DeleteFunc(q.waiting, func(j *job) bool {
		if rows >= mostTogether || batch != nil && !j.goesWith(batch[0], rows) {
			return false
		}
		batch = append(batch, j)
		rows += j.size()
		return true
	})
	if batch == nil {
		q.workers--
	}
	return batch
}

func (j *job) size() int {
	if j.table == nil {
		return mostTogether
	}
	return j.table.Rows()
}

// goesWith reports whether two jobs are one table for the same model: columns of the same names and
// kinds in the same order.
func (j *job) goesWith(first *job, rows int) bool {
	if j.alone != nil || first.alone != nil || j.v != first.v || rows+j.size() > mostTogether {
		return false
	}
	return slices.EqualFunc(j.table.Columns, first.table.Columns, func(a, b data.Column) bool { return a.Name == b.Name && a.Kind == b.Kind && a.Unit == b.Unit })
}

// compute answers the jobs of a batch that are still waited for. A panic fails the jobs, and not
// the server.
func (s *Server) compute(batch []*job) {
	defer func() {
		if p := recover(); p != nil {
			for _, j := range batch {
				if !j.ended {
					j.finish(nil, &failure{http.StatusInternalServerError, fmt.Errorf("the prediction has failed: %v", p)})
				}
			}
		}
	}()
	s.answer(batch)
}

// answer computes.
func (s *Server) answer(batch []*job) {
	var wanted []*job
	for _, j := range batch {
		j.waited = time.Since(j.since)
		if err := context.Cause(j.ctx); err != nil {
			j.finish(nil, err)
		} else {
			wanted = append(wanted, j)
		}
	}
	batch = wanted
	switch {
	case len(batch) == 0:
	case len(batch) == 1:
		j := batch[0]
		how := s.computeOptions(j.size())
		j.rows = j.size()
		if j.alone != nil {
			j.finish(nil, j.alone(j.ctx, how))
			return
		}
		p, err := j.v.Predict(j.ctx, j.table, how)
		if err == nil {
			j.v.drift.see(p)
		}
		j.finish(p, err)
	default:
		s.together(batch)
	}
}

// fewRows are those that one worker predicts.
const fewRows = 128

// computeOptions are those of a prediction of so many rows: the cores that no other takes.
func (s *Server) computeOptions(rows int) compute.Options {
	how := compute.Options{Workers: 1, MaxMemory: s.o.MaxMemory}
	if rows >= fewRows {
		how.Workers = max(1, 1+cap(s.slots)-len(s.slots))
	}
	return how
}

// together predicts the rows of several jobs as one table. Where it fails, each is predicted alone,
// so that a row that cannot be predicted fails no other request.
func (s *Server) together(batch []*job) {
	whole, starts := stacked(batch)
	p, err := batch[0].v.Predict(s.background, whole, s.computeOptions(whole.Rows()))
	if err != nil {
		for _, j := range batch {
			j.rows = j.size()
			j.finish(j.v.Predict(j.ctx, j.table, compute.Options{Workers: 1, MaxMemory: s.o.MaxMemory}))
		}
		return
	}
	for k, j := range batch {
		j.rows = whole.Rows()
		j.finish(share(p, starts[k], starts[k+1]), nil)
	}
	batch[0].v.drift.see(p)
}

// stacked puts tables of the same columns one below the other, and says where each begins.
func stacked(batch []*job) (*data.Table, []int) {
	starts := make([]int, len(batch)+1)
	for k, j := range batch {
		starts[k+1] = starts[k] + j.table.Rows()
	}
	n := starts[len(batch)]
	whole := &data.Table{Source: "request", Headed: true, Columns: make([]data.Column, len(batch[0].table.Columns))}
	for c := range whole.Columns {
		like := &batch[0].table.Columns[c]
		out := data.Column{Name: like.Name, Kind: like.Kind, Unit: like.Unit}
		for k, j := range batch {
			from := &j.table.Columns[c]
			if from.Numbers != nil {
				out.Numbers = append(slices.Grow(out.Numbers, n-starts[k]), from.Numbers...)
			}
			if from.Strings != nil {
				out.Strings = append(slices.Grow(out.Strings, n-starts[k]), from.Strings...)
			}
			if from.Missing != nil {
				if out.Missing == nil {
					out.Missing = make([]bool, n)
				}
				copy(out.Missing[starts[k]:], from.Missing)
			}
		}
		whole.Columns[c] = out
	}
	return whole, starts
}

// share is what a prediction says of the rows of a table from one to before another: those that
// were kept, counted from the first. What is noted of the table may tell of other requests, and is
// left out.
func share(p *outcome.Prediction, from, to int) *outcome.Prediction {
	rows := p.Rows.Rows
	first, _ := slices.BinarySearch(rows, from)
	end, _ := slices.BinarySearch(rows, to)
	if first == end { // no row was kept: there are no values
		empty := *p
		kept := *p.Rows
		kept.Rows, kept.Notes = nil, nil
		empty.Rows, empty.Values = &kept, nil
		return &empty
	}
	out := p.Between(first, end)
	own := make([]int, end-first)
	for i := range own {
		own[i] = rows[first+i] - from
	}
	out.Rows.Rows = own
	return out
}

func (j *job) finish(p *outcome.Prediction, err error) {
	j.p, j.err, j.ended = p, err, true
	close(j.done)
}
