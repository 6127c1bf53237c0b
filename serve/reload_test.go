package serve

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A file that is replaced answers without a failure in between; one that is cut, damaged, of other
// columns or gone leaves the model before.
func TestReload(t *testing.T) {
	s := serving(t, Options{})
	path := filepath.Join(s.dir, "house.mercer")
	row := []byte(`{"rows":[[80,3,"town"]]}`)
	predict := func() asked { return s.ask(t, "POST", "/v1/models/house:predict", row) }
	first := predict()
	first.want(t, http.StatusOK, `"version":"1"`)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := os.ReadFile(filepath.Join(s.dir, "kinds.mercer"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), raw...)
	damaged[len(damaged)-9] ^= 1
	for name, text := range map[string][]byte{"cut": raw[:len(raw)/2], "empty": nil, "damaged": damaged, "of other columns": kinds} {
		if err := os.WriteFile(path, text, 0o600); err != nil { // in place
			t.Fatal(err)
		}
		s.Reload(t.Context())
		if again := predict(); again.body != first.body {
			t.Errorf("%s: %s, and %s before", name, again.body, first.body)
		}
		s.ask(t, "GET", "/v1/models/house", nil).want(t, http.StatusOK, `"reason":"`)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	predict().want(t, http.StatusOK, `"version":"1"`)
	s.ask(t, "GET", "/metrics", nil).want(t, http.StatusOK, `mercer_model_reload_failures_total{model="house"} 5`)
	saved(t, houseModel(t, 2), s.dir, "house")
	s.Reload(t.Context())
	if again := predict(); !strings.Contains(again.body, `"version":"2"`) || again.body == first.body {
		t.Errorf("%s after the model was replaced", again.body)
	}
	s.ask(t, "GET", "/v1/models/house", nil).want(t, http.StatusOK, `"ready":true,"method"`)
	s.Reload(t.Context()) // the file is the same
	predict().want(t, http.StatusOK, `"version":"2"`)
	s.o.SchemaChange = true
	if err := os.WriteFile(path, kinds, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	s.ask(t, "GET", "/v2/models/house", nil).want(t, http.StatusOK, `"klr"`)
}

// Requests while models are replaced all have the answer of one of them.
func TestReloadUnderLoad(t *testing.T) {
	s := serving(t, Options{})
	row := []byte(`{"rows":[[80,3,"town"]]}`)
	first := s.ask(t, "POST", "/v1/models/house:predict", row).body
	files := [2]string{saved(t, s.house, t.TempDir(), "a"), saved(t, houseModel(t, 2), t.TempDir(), "b")}
	var clients sync.WaitGroup
	var ended atomic.Bool
	var answers sync.Map
	for range 4 {
		clients.Go(func() {
			for !ended.Load() {
				a, err := s.try(context.Background(), "POST", "/v1/models/house:predict", row)
				if err != nil || a.status != http.StatusOK {
					t.Errorf("%v: status %d: %s", err, a.status, a.body)
					return
				}
				_, rows, _ := strings.Cut(a.body, `"columns"`)
				answers.Store(rows, true)
			}
		})
	}
	for k := range 20 {
		text, err := os.ReadFile(files[k%2])
		if err != nil {
			t.Error(err)
		}
		fresh := filepath.Join(s.dir, "fresh")
		if err := os.WriteFile(fresh, text, 0o600); err != nil {
			t.Error(err)
		}
		if err := os.Rename(fresh, filepath.Join(s.dir, "house.mercer")); err != nil {
			t.Error(err)
		}
		s.Reload(t.Context())
	}
	ended.Store(true)
	clients.Wait()
	count := 0
	answers.Range(func(any, any) bool { count++; return true })
	if count < 1 || count > 2 {
		t.Errorf("%d different answers of two models; the first was %s", count, first)
	}
}

// A folder is served as its files come and go.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "broken.mercer"), []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serving(t, Options{Folder: dir})
	s.ask(t, "POST", "/v2/models/broken/infer", []byte(oneKind)).want(t, http.StatusServiceUnavailable, "does not answer")
	s.ask(t, "POST", "/v2/repository/index", nil).want(t, http.StatusOK, `"state":"UNAVAILABLE"`)
	saved(t, s.kinds, dir, "broken")
	saved(t, s.kinds, dir, "more")
	s.Reload(t.Context())
	for _, name := range []string{"broken", "more", "house"} {
		s.ask(t, "GET", "/v2/models/"+name+"/ready", nil).want(t, http.StatusOK, "true")
	}
	if err := os.Remove(filepath.Join(dir, "more.mercer")); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	s.ask(t, "GET", "/v2/models/more/ready", nil).want(t, http.StatusNotFound, "no model")
}

// A model whose kernel names a file is refused, and the file is not read.
func TestNamedFilesAreNotRead(t *testing.T) {
	path := gramModel(t, t.TempDir())
	_, err := New(t.Context(), Options{Models: []Source{{"m", path}}})
	if err == nil || !strings.Contains(err.Error(), "no file may be read") || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

// A server that ends answers what has begun, and says that it is not ready.
func TestRunDrains(t *testing.T) {
	s := serving(t, Options{Concurrency: 1})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	url, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- s.Run(ctx, Listening{Address: "127.0.0.1:0", Started: func(at string) { url <- at }})
	}()
	s.url = <-url
	s.slots <- struct{}{}
	answers := make(chan asked, 1)
	go func() {
		a, err := s.try(t.Context(), "POST", "/v2/models/kinds/infer", []byte(oneKind))
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	e, err := s.entry("kinds")
	if err != nil {
		t.Fatal(err)
	}
	until(func() bool { return e.queue.length() == 1 })
	stop()
	until(s.ending.Load)
	if s.ready() {
		t.Error("a server that ends is ready")
	}
	<-s.slots
	(<-answers).want(t, http.StatusOK, "label")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Nobody is let in from other machines by accident.
func TestPublicAddress(t *testing.T) {
	s := serving(t, Options{})
	err := s.Run(t.Context(), Listening{Address: "0.0.0.0:0"})
	if err == nil || !strings.Contains(err.Error(), "everyone") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := s.Run(ctx, Listening{Address: "0.0.0.0:0", Public: true, Started: func(string) { stop() }}); err != nil {
		t.Error(err)
	}
}

// All that is wrong with options is told at once.
func TestOptions(t *testing.T) {
	_, err := New(t.Context(), Options{Models: []Source{{"a b", "x"}, {"c", "y"}, {"c", "z"}}, Queue: -1})
	for _, text := range []string{"a b", "two models", "Queue"} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v does not tell of %s", err, text)
		}
	}
	if _, err := New(t.Context(), Options{}); err == nil {
		t.Error("no model is served")
	}
	if _, err := New(t.Context(), Options{Models: []Source{{"a", filepath.Join(t.TempDir(), "a.mercer")}}}); err == nil || !strings.Contains(fmt.Sprint(err), "no such file") {
		t.Error(err)
	}
}
