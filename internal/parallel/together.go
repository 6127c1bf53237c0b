package parallel

import "sync"

// Together calls search(i, …) once for every i < count, up to most of them at the same time, and
// has what they ask for done together:
//
//  1. A search that asks for something waits until every other search asks, too, or has ended.
//  2. serve is given all that they ask for, and returns when it is done.
//
// The error is that of the first i which has one; searches that have not begun by then are left
// out. A search that waits for another outside of ask waits for ever.
func Together[R any](count, most int, serve func(all []R), search func(i int, ask func(R)) error) error {
	t, errs := &together[R]{serve: serve, active: min(most, count)}, make([]error, count)
	var group sync.WaitGroup
	for range t.active {
		group.Go(func() {
			defer t.leave()
			for i := t.begin(); i < count; i = t.begin() {
				if errs[i] = search(i, t.ask); errs[i] != nil {
					t.stop(count)
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

// together are searches that run.
type together[R any] struct {
	serve   func(all []R)
	mu      sync.Mutex
	started int // searches
	active  int // goroutines that have not left
	asked   []R
	done    chan struct{} // closed when what is asked for is done
}

// begin returns the number of the next search.
func (t *together[R]) begin() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started++
	return t.started - 1
}

// stop lets no search begin any more.
func (t *together[R]) stop(count int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started = count
}

// leave ends a goroutine, so that the others no longer wait for it.
func (t *together[R]) leave() {
	t.mu.Lock()
	t.active--
	t.serveAll()
}

// ask waits for the others, and until what it asks for is done.
func (t *together[R]) ask(r R) {
	t.mu.Lock()
	if t.asked = append(t.asked, r); t.done == nil {
		t.done = make(chan struct{})
	}
	done := t.done
	t.serveAll()
	<-done
}

// serveAll has all done once every search has asked. The caller holds the mutex; serveAll releases
// it.
func (t *together[R]) serveAll() {
	if len(t.asked) < t.active || len(t.asked) == 0 {
		t.mu.Unlock()
		return
	}
	all, done := t.asked, t.done
	t.asked, t.done = nil, nil
	t.mu.Unlock()
	t.serve(all)
	close(done)
}
