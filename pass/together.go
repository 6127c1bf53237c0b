package pass

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
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
	return parallel.Together(count, active, func(all []*request) {
		for len(all) > 0 {
			all = share(xs, all)
		}
	}, func(i int, ask func(*request)) error { return search(i, &sharedRows{xs, ask}) })
}

// sharedRows are rows that several searches go through together.
type sharedRows struct {
	data.Rows
	ask func(*request)
}

// request is a pass that one of them waits for.
type request struct {
	ctx            context.Context
	slabs, workers int
	use            Visit      // where rows are here
	sent           *Sums      // where a driver has them
	sums           *[]float64 // of that
	err            error
}

// pass waits for the others and for the pass.
func (c *sharedRows) pass(r *request) error {
	c.ask(r)
	return r.err
}

// share makes one pass for the first and for all with the same slabs, and returns the others.
func share(xs data.Rows, all []*request) (others []*request) {
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
		sendTogether(xs, alike)
		return others
	}
	err := Each(first.ctx, xs, first.slabs, first.workers, func(worker, slab, b int, rows data.Vectors) {
		for _, r := range alike {
			r.use(worker, slab, b, rows)
		}
	})
	for _, r := range alike {
		r.err = err
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
