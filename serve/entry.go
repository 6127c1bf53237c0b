package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"example.org/mercer/compute"
)

// entry is a name and the version that answers by it.
type entry struct {
	name, path string
	current    atomic.Pointer[version] // nil: none is loaded
	queue      queue

	mu   sync.Mutex // of loading
	seen fileState
	last int // number of the last version

	failure atomic.Value // why the file does not answer, a string; "" where all is well
	asked   atomic.Bool  // to be unloaded
}

// fileState tells whether a file has changed: a folder that is mounted anew, a rename and a write
// in place are all seen.
type fileState struct {
	size     int64
	modified time.Time
	info     os.FileInfo
}

func (a fileState) same(b fileState) bool {
	return a.info != nil && b.info != nil && a.size == b.size && a.modified.Equal(b.modified) && os.SameFile(a.info, b.info)
}

func stateOf(path string) (fileState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	return fileState{size: info.Size(), modified: info.ModTime(), info: info}, nil
}

// errOtherColumns is the reason why a file does not replace a model.
var errOtherColumns = errors.New("its columns or outputs are other than those of the model that answers: requests would fail; allow a change of the schema, or give it another name")

// load reads the file and lets it answer. Where it cannot be read, is damaged, does not agree with
// the rows that it tests itself by, or has other columns, the model before goes on.
func (e *entry) load(ctx context.Context, o Options, again bool) (*version, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	state, err := stateOf(e.path)
	if err != nil {
		return nil, e.fail(err)
	}
	if !again && (state.same(e.seen) || e.asked.Load()) {
		return nil, nil
	}
	e.seen = state
	v, err := readVersion(ctx, e.name, e.path, o.MaxRows, compute.Options{Workers: o.Concurrency, MaxMemory: o.MaxMemory})
	if err != nil {
		return nil, e.fail(err)
	}
	if old := e.current.Load(); old != nil && !o.SchemaChange && !v.sameColumns(old) {
		return nil, e.fail(fmt.Errorf("%s: %w", e.path, errOtherColumns))
	}
	e.last++
	v.number = e.last
	e.current.Store(v)
	e.asked.Store(false)
	e.failure.Store("")
	return v, nil
}

// fail keeps why a file does not answer.
func (e *entry) fail(err error) error {
	e.failure.Store(err.Error())
	return err
}

// unload lets nothing answer by the name until it is loaded again.
func (e *entry) unload() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked.Store(true)
	e.current.Store(nil)
}

// reason says why no model answers, or why its file does not; "" where all is well.
func (e *entry) reason() string {
	if e.asked.Load() {
		return "unloaded"
	}
	why, _ := e.failure.Load().(string)
	return why
}
