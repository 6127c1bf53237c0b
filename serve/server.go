package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
)

// Server answers requests about models.
type Server struct {
	o          Options
	slots      chan struct{} // one for each prediction that is computed
	background context.Context
	metrics    *metrics
	tokens     *tokens
	handler    http.Handler
	flying     atomic.Int64 // requests that are being answered
	held       atomic.Int64 // bytes of bodies
	ending     atomic.Bool  // no more models answer "ready"
	loopback   atomic.Bool

	mu      sync.RWMutex
	entries map[string]*entry
}

// New loads the models and returns a server of them. A model that cannot be loaded is an error; in
// a folder it is logged, and tried again when its file has changed.
func New(ctx context.Context, o Options) (*Server, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s := &Server{o: o.withDefaults(), background: context.WithoutCancel(ctx), entries: map[string]*entry{}}
	s.slots = make(chan struct{}, s.o.Concurrency)
	s.metrics = newMetrics(s)
	s.loopback.Store(true)
	var err error
	if s.tokens, err = readTokens(o.Tokens); err != nil {
		return nil, err
	}
	var problems []error
	for _, m := range o.Models {
		e := &entry{name: m.Name, path: m.Path}
		s.entries[m.Name] = e
		if _, err := s.load(ctx, e, true); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if o.Folder != "" {
		if err := s.lookIntoFolder(ctx); err != nil {
			return nil, err
		}
	}
	s.handler = s.routes()
	return s, nil
}

// Handler returns what answers.
func (s *Server) Handler() http.Handler { return s.handler }

// Names are those of the models, whether they answer or not.
func (s *Server) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.entries))
}

// load loads a model and says so. A failure that was told is not told again.
func (s *Server) load(ctx context.Context, e *entry, again bool) (*version, error) {
	start, before := time.Now(), e.reason()
	v, err := e.load(ctx, s.o, again)
	switch {
	case err != nil && !again && err.Error() == before:
	case err != nil:
		s.metrics.failed.WithLabelValues(e.name).Inc()
		s.o.Log.Error("model is not loaded", "model", e.name, "reason", err.Error(), "answers", e.current.Load() != nil)
	case v != nil:
		s.o.Log.Info("model is loaded", "model", e.name, "version", v.number, "method", v.Method, "sha256", v.digest, "seconds", time.Since(start).Seconds())
	}
	return v, err
}

// lookIntoFolder adds the model files of the folder and takes away those that are gone.
func (s *Server) lookIntoFolder(ctx context.Context) error {
	files, err := os.ReadDir(s.o.Folder)
	if err != nil {
		return fmt.Errorf("serve: the folder of models: %w", err)
	}
	there := map[string]string{}
	for _, f := range files {
		name, is := strings.CutSuffix(f.Name(), ".mercer")
		if is && named.MatchString(name) && !strings.HasPrefix(name, ".") {
			there[name] = filepath.Join(s.o.Folder, f.Name())
		}
	}
	s.mu.Lock()
	for name, e := range s.entries {
		if there[name] == "" && filepath.Dir(e.path) == filepath.Clean(s.o.Folder) && !s.given(name) {
			delete(s.entries, name)
			s.o.Log.Info("model is gone", "model", name)
		}
	}
	var fresh []*entry
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if s.entries[name] == nil {
			e := &entry{name: name, path: there[name]}
			s.entries[name] = e
			fresh = append(fresh, e)
		}
	}
	s.mu.Unlock()
	for _, e := range fresh {
		_, _ = s.load(ctx, e, false) // says so itself
	}
	return nil
}

// given reports whether a model was named in the options.
func (s *Server) given(name string) bool {
	return slices.ContainsFunc(s.o.Models, func(m Source) bool { return m.Name == name })
}

// Reload looks at all files, and loads those that have changed.
func (s *Server) Reload(ctx context.Context) {
	if s.o.Folder != "" {
		if err := s.lookIntoFolder(ctx); err != nil {
			s.o.Log.Error("folder of models", "reason", err.Error())
		}
	}
	for _, e := range s.all() {
		_, _ = s.load(ctx, e, false) // says so itself
	}
	if err := s.tokens.read(); err != nil {
		s.o.Log.Error("tokens are as before", "reason", err.Error())
	}
}

// watch reloads from time to time.
func (s *Server) watch(ctx context.Context) {
	if s.o.Watch < 0 {
		return
	}
	tick := time.NewTicker(s.o.Watch)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.Reload(ctx)
		}
	}
}

// all returns the entries by their names.
func (s *Server) all() []*entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.entries), func(a, b *entry) int { return strings.Compare(a.name, b.name) })
}

// entry returns the entry of a name, or an error that says which there are.
func (s *Server) entry(name string) (*entry, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if e := s.entries[name]; e != nil {
		return e, nil
	}
	return nil, refuse(http.StatusNotFound, "there is no model %s", data.Quote(name))
}

// answering returns the version that answers by a name. want, if not empty, is the version that is
// asked for.
func (s *Server) answering(name, want string) (*entry, *version, error) {
	e, err := s.entry(name)
	if err != nil {
		return nil, nil, err
	}
	v := e.current.Load()
	switch {
	case v == nil:
		return e, nil, refuse(http.StatusServiceUnavailable, "model %s does not answer: %s", name, e.reason())
	case want != "" && want != v.id():
		return e, nil, refuse(http.StatusNotFound, "model %s has no version %s: version %s answers", name, data.Quote(want), v.id())
	}
	return e, v, nil
}

// predict waits for the prediction of a table, with what is wanted beside it. Without that the
// table may go together with others.
func (s *Server) predict(ctx context.Context, e *entry, v *version, t *data.Table, beside extras) (*outcome.Prediction, *tabular.Additions, error) {
	if n := t.Rows(); n > s.o.MaxRows {
		return nil, nil, refuse(http.StatusRequestEntityTooLarge, "the request has %d rows, and the server takes %d at a time: send them in parts", n, s.o.MaxRows)
	}
	if beside != (extras{}) {
		return s.predictBeside(ctx, e, v, t, beside)
	}
	j := &job{ctx: ctx, v: v, table: t}
	if err := s.wait(e, j); err != nil { // of a job that has timed out nothing is read
		return nil, nil, err
	}
	return j.p, &tabular.Additions{}, nil
}

// alone waits until there is room for a computation, and for its end.
func (s *Server) alone(ctx context.Context, e *entry, v *version, work func(ctx context.Context, how compute.Options) error) error {
	return s.wait(e, &job{ctx: ctx, v: v, alone: work})
}

// wait puts a job into the queue of its model. It ends when the job is done; one that nobody waits
// for any more is not computed.
func (s *Server) wait(e *entry, j *job) error {
	j.since, j.done = time.Now(), make(chan struct{})
	if !s.inline(&e.queue, j) {
		if err := e.queue.add(j, s); err != nil {
			return err
		}
	}
	select {
	case <-j.done:
	case <-j.ctx.Done():
		return context.Cause(j.ctx)
	}
	s.metrics.computed(j)
	return j.err
}
