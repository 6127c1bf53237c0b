package page

import (
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/lab"
)

//go:embed web
var embedded embed.FS

// Files are those of the page.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "web")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return files
}

// mostBody bounds a request: some thousand points.
const mostBody = 1 << 20

// policy lets the page load what it brings along, and nothing else.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the page, and answers POST /lab/api/SCREEN. It is for this machine alone: a
// request whose host is no loopback name is refused, so that no other page can ask. An answer
// ends when its client goes away.
func Handler(o compute.Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /lab/screens", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, lab.Screens()) })
	mux.HandleFunc("POST /lab/api/{screen}", func(w http.ResponseWriter, r *http.Request) { answer(w, r, o) })
	mux.Handle("GET /", http.FileServerFS(Files()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host) {
			http.Error(w, "the lab answers on this machine alone: open it as localhost", http.StatusMisdirectedRequest)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}

// local reports whether a host is this machine by name.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// failure is what a request that is not answered gets.
type failure struct {
	Error string `json:"error"`
}

func answer(w http.ResponseWriter, r *http.Request, o compute.Options) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
		reply(w, http.StatusUnsupportedMediaType, failure{"a request is JSON: say so (Content-Type: application/json)"})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		reply(w, http.StatusRequestEntityTooLarge, failure{err.Error()})
		return
	}
	text, err := lab.Call(r.Context(), r.PathValue("screen"), body, o)
	invalid := (*lab.Invalid)(nil)
	switch {
	case errors.As(err, &invalid):
		reply(w, http.StatusBadRequest, failure{invalid.Reason})
	case err != nil:
		reply(w, http.StatusUnprocessableEntity, failure{err.Error()})
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // to a client that may have gone away
	}
}

func reply(w http.ResponseWriter, status int, document any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document) // to a client that may have gone away
}
