package page_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/lab"
	"example.org/mercer/lab/page"
)

// ask sends a request to the lab, and returns the status and the body of the answer.
func ask(t *testing.T, method, target, host, kind, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = host
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	page.Handler(compute.Options{}).ServeHTTP(w, r)
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(text)
}

func TestHandler(t *testing.T) {
	const words = `{"a":"ACG","b":"ACG","k":2}`
	for name, c := range map[string]struct {
		method, target, host, kind, body string
		status                           int
		want                             string
	}{
		"page":           {"GET", "/", "localhost:8090", "", "", http.StatusOK, "<h1>mercer lab</h1>"},
		"screens":        {"GET", "/lab/screens", "127.0.0.1:1", "", "", http.StatusOK, `"curve"`},
		"answer":         {"POST", "/lab/api/words", "[::1]:1", "application/json", words, http.StatusOK, `"value":2`},
		"another host":   {"GET", "/", "example.com", "", "", http.StatusMisdirectedRequest, "this machine alone"},
		"a form":         {"POST", "/lab/api/words", "localhost", "text/plain", words, http.StatusUnsupportedMediaType, "JSON"},
		"no screen":      {"POST", "/lab/api/none", "localhost", "application/json", "{}", http.StatusBadRequest, "no screen"},
		"a bad request":  {"POST", "/lab/api/words", "localhost", "application/json", `{"k":`, http.StatusBadRequest, "cannot be read"},
		"a large one":    {"POST", "/lab/api/words", "localhost", "application/json", `{"a":"` + strings.Repeat("A", 1<<20) + `"}`, http.StatusRequestEntityTooLarge, "too large"},
		"a file by name": {"POST", "/lab/api/workshop", "localhost", "application/json", `{"kernel":"gram(file=\"/etc/hostname\")","from":0,"to":1,"grid":5}`, http.StatusBadRequest, "gram"},
		"no method":      {"GET", "/lab/api/words", "localhost", "", "", http.StatusNotFound, ""},
	} {
		if status, text := ask(t, c.method, c.target, c.host, c.kind, c.body); status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: status %d, %.200s", name, status, text)
		}
	}
}

var imported = regexp.MustCompile(`(?m)^import .* from '([^']+)'`)

// The page brings all its parts, and every screen of package lab has one.
func TestFiles(t *testing.T) {
	files := page.Files()
	var all []string
	if err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".js") {
			all = append(all, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "https://") {
			t.Errorf("%s names another host", name)
		}
		for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
			if _, err := fs.Stat(files, path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s imports %s: %v", name, m[1], err)
			}
		}
	}
	for _, s := range lab.Screens() {
		text, err := fs.ReadFile(files, "screens/"+s.Name+".js")
		if err != nil || !strings.Contains(string(text), fmt.Sprintf("name: '%s', title: '%s'", s.Name, s.Title)) {
			t.Errorf("screen %s is not in the page by its name and title (%v)", s.Name, err)
		}
	}
}

// Run listens on this machine alone, and ends with its context.
func TestRun(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "example.com:80", "nonsense"} {
		if err := page.Run(t.Context(), address, compute.Options{}, nil); err == nil {
			t.Errorf("it listens at %s", address)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := page.Run(ctx, "127.0.0.1:0", compute.Options{}, func(url string) error {
		answer, err := http.Get(url + "lab/screens")
		if err == nil {
			err = answer.Body.Close()
		}
		cancel()
		return err
	})
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	if _, err := page.Export(t.Context(), t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "--source") {
		t.Errorf("export without the sources: %v", err)
	}
}
