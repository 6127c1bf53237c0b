package serve

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// exchange is a request and its answer.
type exchange struct {
	*http.Request
	w      http.ResponseWriter
	s      *Server
	status int
	bytes  int64
	held   int64 // bytes of its body that are counted
	called error // of a call by gRPC
	// What the log says of it.
	model string
	rows  int
}

// WriteHeader keeps the status.
func (x *exchange) WriteHeader(status int) {
	x.status = status
	x.w.WriteHeader(status)
}

// Write counts bytes.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.w.Write(b)
	x.bytes += int64(n)
	return n, err
}

// handle is the handler of a route: guards in front, and an error as JSON where there is one.
func (s *Server) handle(r route) http.HandlerFunc {
	pattern := r.method + " " + r.path
	return func(w http.ResponseWriter, request *http.Request) {
		start := time.Now()
		s.flying.Add(1)
		defer s.flying.Add(-1)
		ctx, cancel := context.WithTimeout(request.Context(), s.o.Timeout)
		defer cancel()
		x := &exchange{w: w, Request: request.WithContext(ctx), s: s}
		id := requestID(request)
		w.Header().Set("X-Request-Id", id)
		err := s.guard(x, r)
		if err == nil {
			x.Body = http.MaxBytesReader(w, request.Body, s.o.MaxBody)
			err = x.answer(r)
			s.held.Add(-x.held)
		}
		if err != nil {
			x.fail(err)
		}
		took := time.Since(start)
		s.metrics.answered(pattern, x.model, x.status, took)
		s.record(x, id, pattern, took, err)
	}
}

// answer lets the handler of a route answer. A panic is an error of the server, and ends nothing
// but the request.
func (x *exchange) answer(r route) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &failure{http.StatusInternalServerError, fmt.Errorf("the server has failed: %v", p)}
		}
	}()
	return r.serve(x.s, x)
}

// requestID is that of the client where it is short and plain, and else a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.:", c)
	}
	if id == "" || len(id) > 64 || strings.IndexFunc(id, func(c rune) bool { return !plain(c) }) >= 0 {
		return rand.Text()
	}
	return id
}

// record writes a line about a request to the log, without any value of it.
func (s *Server) record(x *exchange, id, route string, took time.Duration, err error) {
	level := slog.LevelInfo
	if x.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	if !s.o.Log.Enabled(x.Context(), level) {
		return
	}
	attributes := []slog.Attr{slog.String("id", id), slog.String("route", route), slog.Int("status", x.status), slog.Float64("ms", 1e3*took.Seconds()), slog.Int64("bytes", x.bytes)}
	if x.model != "" {
		attributes = append(attributes, slog.String("model", x.model))
	}
	if x.rows > 0 {
		attributes = append(attributes, slog.Int("rows", x.rows))
	}
	if trace := x.Header.Get("Traceparent"); trace != "" && len(trace) < 64 {
		attributes = append(attributes, slog.String("traceparent", trace))
	}
	if err != nil && x.status >= http.StatusInternalServerError {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	s.o.Log.LogAttrs(x.Context(), level, "request", attributes...)
}

// crossOrigin refuses what a page of another site asks a browser to send.
var crossOrigin = http.NewCrossOriginProtection()

// guard lets a request through: the host that it names, its origin, and its token.
func (s *Server) guard(x *exchange, r route) error {
	if !s.knows(x.Host) {
		return refuse(http.StatusMisdirectedRequest, "the server is not called by the host of this request: name it among its hosts")
	}
	if err := crossOrigin.Check(x.Request); err != nil {
		return &failure{http.StatusForbidden, err}
	}
	if !r.open && !s.tokens.admit(x.Header.Get("Authorization")) {
		x.w.Header().Set("WWW-Authenticate", `Bearer realm="mercer"`)
		return refuse(http.StatusUnauthorized, "a bearer token is wanted: Authorization: Bearer TOKEN")
	}
	return nil
}

// knows reports whether the server may be called by a host: a page that lets its own name point at
// this machine is not to reach a server that listens for this machine alone.
func (s *Server) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if slices.Contains(s.o.Hosts, host) {
		return true
	}
	if s.loopback.Load() {
		ip := net.ParseIP(host)
		return host == "localhost" || ip != nil && ip.IsLoopback()
	}
	return len(s.o.Hosts) == 0
}

// read reads the body, decompressed; its limit counts what comes out.
func (x *exchange) read() ([]byte, error) {
	var from io.Reader = x.Body
	switch encoding := x.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		zipped, err := gzip.NewReader(from)
		if err != nil {
			return nil, bad(fmt.Errorf("the body is not compressed by gzip: %w", err))
		}
		from = zipped
	case "deflate":
		zipped, err := inflate(from)
		if err != nil {
			return nil, bad(fmt.Errorf("the body is not compressed by deflate: %w", err))
		}
		from = zipped
	default:
		return nil, refuse(http.StatusUnsupportedMediaType, "the encoding %q of the body is not known: use gzip or deflate", encoding)
	}
	return x.collect(from)
}

// firstRead is the memory of a body before more of it has come than that: the length that a client
// tells is not believed.
const firstRead = 64 << 10

// collect reads a body as it comes. The bodies of all requests together are bounded, too.
func (x *exchange) collect(from io.Reader) ([]byte, error) {
	body := make([]byte, 0, min(max(x.ContentLength+1, 512), firstRead))
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, readFailure(err)
		case int64(len(body)) > x.s.o.MaxBody:
			return nil, refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", x.s.o.MaxBody)
		case len(body) == cap(body):
			more := int64(cap(body))
			if !x.hold(more) {
				return nil, errFull
			}
			body = append(make([]byte, 0, 2*more), body...)
		}
	}
}

// bodies is how many bodies of the largest size the server holds at a time.
const bodies = 16

// hold counts the bytes of a body beyond its first; false where all bodies together are too large.
func (x *exchange) hold(more int64) bool {
	x.held += more
	return x.s.held.Add(more) <= bodies*x.s.o.MaxBody
}

// inflate reads what is called deflate: the form of zlib, as the protocol has it, or the same
// without its header, as many clients send.
func inflate(from io.Reader) (io.Reader, error) {
	begun := bufio.NewReader(from)
	head, err := begun.Peek(2)
	if err != nil {
		return nil, err
	}
	const method = 8
	if head[0]&15 == method && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(begun)
	}
	return flate.NewReader(begun), nil
}

// readFailure is the error of a body that cannot be read.
func readFailure(err error) error {
	var large *http.MaxBytesError
	if err == nil || errors.As(err, &large) {
		return err
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return refuse(http.StatusRequestTimeout, "the body did not arrive in time")
	}
	return bad(fmt.Errorf("the body cannot be read: %w", err))
}

// media returns the media type of the body, in lower case.
func (x *exchange) media() string {
	media, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	return media
}

// json writes a value as JSON.
func (x *exchange) json(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return &failure{http.StatusInternalServerError, err}
	}
	return x.send("application/json", text)
}

// send writes a whole answer. Where the client is gone there is nobody to tell.
func (x *exchange) send(media string, body []byte) error {
	x.w.Header().Set("Content-Type", media)
	_, _ = x.Write(body)
	return nil
}

// fail answers with an error.
func (x *exchange) fail(err error) {
	status := statusOf(err)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		x.w.Header().Set("Retry-After", "1")
	}
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // strings
	x.w.Header().Set("Content-Type", "application/json")
	x.WriteHeader(status)
	_, _ = x.Write(text)
}
