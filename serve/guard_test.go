package serve

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const oneKind = `{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","data":[1,2]}]}`

// Without one of the tokens nothing but health is answered; new tokens count after they are read
// again, and an empty file changes nothing.
func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# of the shop\nfirst\n\nsecond\n")
	s := serving(t, Options{Tokens: path, Admin: true})
	infer := func(token string) asked {
		return s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind), "Authorization", token)
	}
	for _, token := range []string{"Bearer first", "bearer second"} {
		infer(token).want(t, http.StatusOK, "label")
	}
	for _, token := range []string{"", "Bearer", "Bearer third", "Bearer first second", "Basic first", "first"} {
		infer(token).want(t, http.StatusUnauthorized, "bearer token")
	}
	s.ask(t, "GET", "/v2/health/ready", nil).want(t, http.StatusOK, "true")
	s.ask(t, "GET", "/metrics", nil).want(t, http.StatusUnauthorized, "token")
	write("third\n")
	s.Reload(t.Context())
	infer("Bearer first").want(t, http.StatusUnauthorized, "token")
	write("\n")
	s.Reload(t.Context())
	infer("Bearer third").want(t, http.StatusOK, "label")
	s.ask(t, "POST", "/v2/repository/models/kinds/unload", nil, "Authorization", "Bearer third").want(t, http.StatusOK, "{}")
	infer("Bearer third").want(t, http.StatusServiceUnavailable, "unloaded")
	s.ask(t, "GET", "/v2/health/ready", nil).want(t, http.StatusServiceUnavailable, `"ready":false`)
	s.ask(t, "POST", "/v2/repository/models/kinds/load", nil, "Authorization", "Bearer third").want(t, http.StatusOK, "{}")
	infer("Bearer third").want(t, http.StatusOK, `"model_version":"2"`)
}

// A page of another site reaches nothing, neither by a form nor by a name that points at this
// machine.
func TestBrowsersOfOthers(t *testing.T) {
	s := serving(t, Options{})
	infer := func(headers ...string) asked {
		return s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind), headers...)
	}
	infer("Host", "evil.example").want(t, http.StatusMisdirectedRequest, "host")
	infer("Sec-Fetch-Site", "cross-site").want(t, http.StatusForbidden, "cross-origin")
	infer("Origin", "http://evil.example").want(t, http.StatusForbidden, "cross-origin")
	infer("Host", "localhost:1234").want(t, http.StatusOK, "label")
	named := serving(t, Options{Hosts: []string{"models.example"}})
	named.ask(t, "GET", "/v2", nil, "Host", "models.example:80").want(t, http.StatusOK, "mercer")
	named.loopback.Store(false)
	named.ask(t, "GET", "/v2", nil, "Host", "localhost").want(t, http.StatusMisdirectedRequest, "host")
}

// A body counts as large as it is after decompression.
func TestBodies(t *testing.T) {
	s := serving(t, Options{MaxBody: 4096})
	var zipped, deflated, bomb bytes.Buffer
	g := gzip.NewWriter(&zipped)
	_, _ = g.Write([]byte(oneKind))
	_ = g.Close()
	d := zlib.NewWriter(&deflated)
	_, _ = d.Write([]byte(oneKind))
	_ = d.Close()
	b := gzip.NewWriter(&bomb)
	_, _ = b.Write(make([]byte, 1<<20))
	_ = b.Close()
	infer := func(body []byte, encoding string) asked {
		return s.ask(t, "POST", "/v2/models/kinds/infer", body, "Content-Encoding", encoding)
	}
	infer(zipped.Bytes(), "gzip").want(t, http.StatusOK, "label")
	infer(deflated.Bytes(), "deflate").want(t, http.StatusOK, "label")
	infer(deflated.Bytes()[2:], "deflate").want(t, http.StatusOK, "label") // without the header of zlib
	infer(bomb.Bytes(), "gzip").want(t, http.StatusRequestEntityTooLarge, "4096")
	infer([]byte(oneKind), "gzip").want(t, http.StatusBadRequest, "gzip")
	infer([]byte(oneKind), "br").want(t, http.StatusUnsupportedMediaType, "br")
	infer([]byte(strings.Repeat(" ", 5000)), "").want(t, http.StatusRequestEntityTooLarge, "large")
	infer(zipped.Bytes()[:20], "gzip").want(t, http.StatusBadRequest, "cannot be read")
}

// A full queue refuses at once, a request that waits too long is given up, and one whose client has
// gone is not computed.
func TestQueueIsBounded(t *testing.T) {
	s := serving(t, Options{Concurrency: 1, Queue: 2, Timeout: 200 * time.Millisecond})
	s.slots <- struct{}{} // a computation that does not end
	type result struct {
		asked
		err error
	}
	answers := make(chan result, 2)
	for range 2 {
		go func() {
			a, err := s.try(t.Context(), "POST", "/v2/models/kinds/infer", []byte(oneKind))
			answers <- result{a, err}
		}()
	}
	e, err := s.entry("kinds")
	if err != nil {
		t.Fatal(err)
	}
	until(func() bool { return e.queue.length() == 2 })
	full := s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind))
	full.want(t, http.StatusTooManyRequests, "too many")
	if full.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	for range 2 {
		r := <-answers
		if r.err != nil {
			t.Fatal(r.err)
		}
		r.want(t, http.StatusGatewayTimeout, "deadline")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.try(gone, "POST", "/v2/models/kinds/infer", []byte(oneKind)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-s.slots
	until(func() bool { return e.queue.length() == 0 })
	s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind)).want(t, http.StatusOK, "label")
	s.ask(t, "GET", "/metrics", nil).want(t, http.StatusOK, `mercer_rows_total{model="kinds"} 1`)
}
