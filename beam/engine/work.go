package engine

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"example.org/mercer/compute"
	"example.org/mercer/distributed"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&work{})
	register.Emitter1[string]()
	register.Function1x0(forget)
}

// work is the function of a job: it works on pieces, several at a time. What it is sent by is
// JSON.
type work struct {
	Staging string
	Threads int

	group *errgroup.Group
	ctx   context.Context
}

// counters are shown by the engine: pieces that were begun, rows and files that were read, bytes of
// results. A piece that is repeated counts again.
var counters = map[string]beam.Counter{}

// counting is held by who counts: Beam takes its metrics for those of one goroutine.
var counting sync.Mutex

func init() {
	for _, what := range []string{"pieces", "rows", "files", "bytes"} {
		counters[what] = beam.NewCounter("mercer", what)
	}
}

func count(ctx context.Context, what string, n int64) {
	counting.Lock()
	defer counting.Unlock()
	counters[what].Inc(ctx, n)
}

// workers are those of this process, one for each staging folder: they hold rows and kernels.
var workers struct {
	sync.Mutex
	of map[string]*distributed.Worker
}

// workerOf returns the worker of a staging place.
func workerOf(ctx context.Context, staging string) (*distributed.Worker, error) {
	workers.Lock()
	defer workers.Unlock()
	w := workers.of[staging]
	if w == nil {
		store, err := storeOf(context.WithoutCancel(ctx), staging) // it is there for later jobs, too
		if err != nil {
			return nil, err
		}
		w = &distributed.Worker{Store: store, Compute: compute.Options{Workers: 1}, Count: count}
		if workers.of == nil {
			workers.of = map[string]*distributed.Worker{}
		}
		workers.of[staging] = w
	}
	return w, nil
}

// StartBundle begins a run of pieces.
func (f *work) StartBundle(ctx context.Context, _ func(string)) {
	f.group, f.ctx = errgroup.WithContext(ctx)
	threads := f.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	f.group.SetLimit(threads)
}

// ProcessElement begins to work on a piece, as soon as fewer than the threads are at work. What
// it emits is of no use but for one: Prism waits for a step without any output in a loop that
// keeps a core busy.
func (f *work) ProcessElement(ctx context.Context, text string, emit func(string)) error {
	var p distributed.Piece
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return err
	}
	count(ctx, "pieces", 1)
	emit(p.Key)
	w, err := workerOf(ctx, f.Staging)
	if err != nil {
		return err
	}
	f.group.Go(func() error { return w.Work(f.ctx, p) })
	return nil
}

// forget takes what pieces emit.
func forget(string) {}

// FinishBundle waits for all pieces.
func (f *work) FinishBundle(context.Context, func(string)) error { return f.group.Wait() }
