package pass

import (
	"context"
	"sync"

	"example.org/mercer/data"
)

// Together calls search(i, …) once for every i < count. Where rows are not in memory, up to most
// of the searches share their passes, so that a file is read once for all of them:
//
//  1. A search that starts a pass waits until every other search has started its next one, or has
//     ended.
//  2. The rows are read once, and each block is given to all of them.
//
// A search must use the rows that it is given; the results do not depend on how many others there
// are. The error is that of the first i which has one; searches that have not begun by then are
// left out.
func Together(xs data.Rows, count, most int, search func(i int, xs data.Rows) error) error {
	active := min(most, count)
	if _, shared := xs.(*sharedRows); active < 2 || shared || InMemory(xs) {
		for i := range count {
			if err := search(i, xs); err != nil {
				return err
			}
		}
		return nil
	}
	c, errs := &sharedRows{Rows: xs, active: active}, make([]error, count)
	var group sync.WaitGroup
	for range active {
		group.Go(func() {
			defer c.leave()
			for i := c.begin(); i < count; i = c.begin() {
				if errs[i] = search(i, c); errs[i] != nil {
					c.stop(count)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sharedRows are rows that several searches go through together.
type sharedRows struct {
	data.Rows
	mu      sync.Mutex
	started int // searches
	active  int // goroutines that have not left
	waiting []*request
}

// request is a pass that one of them waits for.
type request struct {
	ctx            context.Context
	slabs, workers int
	use            Visit      // where rows are here
	sent           *Sums      // where a driver has them
	sums           *[]float64 // of that
	done           chan error
}

// begin returns the number of the next search.
func (c *sharedRows) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started++
	return c.started - 1
}

// stop lets no search begin any more.
func (c *sharedRows) stop(count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = count
}

// leave ends a goroutine, so that the others no longer wait for it.
func (c *sharedRows) leave() {
	c.mu.Lock()
	c.active--
	c.runPass()
}

// pass waits for the others and for the pass.
func (c *sharedRows) pass(ctx context.Context, slabs, workers int, use Visit) error {
	return c.wait(&request{ctx: ctx, slabs: slabs, workers: workers, use: use})
}

// wait waits until a request has been met.
func (c *sharedRows) wait(r *request) error {
	r.done = make(chan error, 1)
	c.mu.Lock()
	c.waiting = append(c.waiting, r)
	c.runPass()
	return <-r.done
}

// runPass makes the pass once all wait for it. The caller holds the mutex; runPass releases it.
func (c *sharedRows) runPass() {
	if len(c.waiting) < c.active || len(c.waiting) == 0 {
		c.mu.Unlock()
		return
	}
	all := c.waiting
	c.waiting = nil
	c.mu.Unlock()
	for len(all) > 0 {
		all = c.share(all)
	}
}

// share makes one pass for the first and for all with the same slabs, and returns the others.
func (c *sharedRows) share(all []*request) (others []*request) {
	first := all[0]
	var alike []*request
	for _, r := range all {
		if r.slabs == first.slabs && r.workers == first.workers && (r.sent == nil) == (first.sent == nil) {
			alike = append(alike, r)
		} else {
			others = append(others, r)
		}
	}
	if first.sent != nil {
		c.sendTogether(alike)
		return others
	}
	err := Each(first.ctx, c.Rows, first.slabs, first.workers, func(worker, slab, b int, rows data.Vectors) {
		for _, r := range alike {
			r.use(worker, slab, b, rows)
		}
	})
	for _, r := range alike {
		r.done <- err
	}
	return others
}

// defaultBytes is the memory that concurrent searches may take where no limit is given.
const defaultBytes = 256 << 20

// MaxConcurrent returns how many searches of so many bytes each may run at the same time: as many
// as fit in a quarter of the limit (0: none is given), and one at least.
func MaxConcurrent(each, limit int64) int {
	bytes := int64(defaultBytes)
	if limit > 0 {
		bytes = limit / 4
	}
	return int(max(1, bytes/max(1, each)))
}
