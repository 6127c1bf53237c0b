package passes

import (
	"context"
	"sync"

	"example.org/mercer/data"
)

// Together calls search(i, …) once for every i < count. Rows that are not in memory are read for
// up to most of the searches at once: each of them goes on to its next pass when all others have
// asked for theirs, or have ended. A search must use the rows that it is given, and neither the
// order nor the number of the others changes what it sees. The error is that of the first i which
// has one; searches that have not begun by then are left out.
func Together(xs data.Rows, count, most int, search func(i int, xs data.Rows) error) error {
	riders := min(most, count)
	if _, riding := xs.(*convoy); riders < 2 || riding || InMemory(xs) {
		for i := range count {
			if err := search(i, xs); err != nil {
				return err
			}
		}
		return nil
	}
	c, errs := &convoy{Rows: xs, riders: riders}, make([]error, count)
	var group sync.WaitGroup
	for range riders {
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

// convoy are rows that several searches go through together.
type convoy struct {
	data.Rows
	mu      sync.Mutex
	begun   int // searches
	riders  int // goroutines that have not left
	waiting []*ride
}

// ride is a pass that one of them has asked for.
type ride struct {
	ctx            context.Context
	slabs, workers int
	use            Use
	done           chan error
}

// begin returns the number of the next search.
func (c *convoy) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	return c.begun - 1
}

// stop lets no search begin any more.
func (c *convoy) stop(count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = count
}

// leave takes a goroutine out, for which the others may have waited.
func (c *convoy) leave() {
	c.mu.Lock()
	c.riders--
	c.depart()
}

// ride waits for the others and for the pass.
func (c *convoy) ride(ctx context.Context, slabs, workers int, use Use) error {
	r := &ride{ctx, slabs, workers, use, make(chan error, 1)}
	c.mu.Lock()
	c.waiting = append(c.waiting, r)
	c.depart()
	return <-r.done
}

// depart makes the pass once all are there. The caller holds the mutex, and depart releases it.
func (c *convoy) depart() {
	if len(c.waiting) < c.riders || len(c.waiting) == 0 {
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

// share makes one pass for the first and for all that are cut alike, and returns the others.
func (c *convoy) share(all []*ride) (others []*ride) {
	first := all[0]
	var alike []*ride
	for _, r := range all {
		if r.slabs == first.slabs && r.workers == first.workers {
			alike = append(alike, r)
		} else {
			others = append(others, r)
		}
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

// defaultBytes is what searches that go together may take where no limit is given.
const defaultBytes = 256 << 20

// Abreast returns how many searches go together that take so many bytes each: no more than fit in
// a quarter of a limit (0: none is given), and one at least.
func Abreast(each, limit int64) int {
	bytes := int64(defaultBytes)
	if limit > 0 {
		bytes = limit / 4
	}
	return int(max(1, bytes/max(1, each)))
}
