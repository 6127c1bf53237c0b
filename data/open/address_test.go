package open_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
)

const addressed = "a,b\n1,x\n2,y\n"

// site serves a table, places that send on, and ones that fail.
func site(t *testing.T) string {
	t.Helper()
	feather, err := os.ReadFile(filepath.Join("..", "arrow", "testdata", "zstd.feather"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/t.csv", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, addressed) })
	mux.HandleFunc("/t.feather", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(feather) })
	mux.Handle("/sent", http.RedirectHandler("/t.csv", http.StatusFound))
	mux.Handle("/round", http.RedirectHandler("/round", http.StatusFound))
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, addressed)
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		for range 1 << 20 {
			if _, err := fmt.Fprint(w, "1234567,1234567\n"); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/still", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestAddresses(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	base := site(t)
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(addressed)))
	for _, path := range []string{"/t.csv", "/sent", "/t.csv?token=secret,a=b", "/t.csv#sha256=" + digest} {
		table, err := open.Read(t.Context(), base+path, open.Options{Budget: 1 << 24})
		if err != nil || table.Rows() != 2 || strings.Contains(table.Source, "secret") {
			t.Errorf("%s: %+v, %v", path, table, err)
		}
	}
	if table, err := open.Read(t.Context(), base+"/t.feather", open.Options{Budget: 1 << 24}); err != nil || table.Rows() != 4 {
		t.Errorf("feather: %v", err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestAddressErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	base := site(t)
	for path, want := range map[string]string{
		"/none?token=secret":                  "cannot be fetched: the server says 404",
		"/round":                              "it was sent on more than 5 times",
		"/short":                              "came in part",
		"/long":                               "are allowed",
		"/t.csv#sha256=12":                    "something other than a digest",
		"/t.csv#part":                         "something other than a digest",
		"/t.csv#sha256=" + zeros:              "was asked for",
		"/t.csv?token=secret#sha256=" + zeros: "has the digest sha256=",
	} {
		var e *data.Error
		_, err := open.Read(t.Context(), base+path, open.Options{Budget: 1 << 20})
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &e) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	var e *data.Error
	if _, err := open.Read(t.Context(), "http://", open.Options{}); !errors.As(err, &e) {
		t.Errorf("no host: %v", err)
	}
	if _, _, err := open.Compile(t.Context(), base+"/t.csv", t.TempDir(), open.Options{}); !errors.Is(err, open.ErrNotStreamable) {
		t.Errorf("in passes: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := open.Read(ctx, base+"/still", open.Options{}); !errors.Is(err, enough) {
		t.Errorf("cancelled: %v", err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

var zeros = strings.Repeat("0", 64)
