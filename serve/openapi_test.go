package serve

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// document is what the test reads of the OpenAPI document.
type document struct {
	Paths map[string]map[string]struct {
		Summary     string `json:"summary"`
		OperationID string `json:"operationId"`
		RequestBody *struct {
			Content map[string]any `json:"content"`
		} `json:"requestBody"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]any `json:"schemas"`
	} `json:"components"`
}

// Every path of the document is answered by its own handler, and what it refers to is there.
func TestDocumentIsServed(t *testing.T) {
	s := serving(t, Options{})
	text := s.ask(t, "GET", "/openapi.json", nil).body
	var d document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Paths) < 20 {
		t.Errorf("%d paths", len(d.Paths))
	}
	ids := map[string]bool{}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			if operation.Summary == "" || ids[operation.OperationID] {
				t.Errorf("%s %s: summary %q, id %s", method, path, operation.Summary, operation.OperationID)
			}
			ids[operation.OperationID] = true
			at := strings.NewReplacer("{model}", "house", "{version}", "1").Replace(path)
			got := s.ask(t, strings.ToUpper(method), at, []byte("{}"))
			if got.status == http.StatusNotFound || got.status == http.StatusMethodNotAllowed || strings.Contains(got.body, "no address") {
				t.Errorf("%s %s: %d %s", method, path, got.status, got.body)
			}
		}
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, `"#/components/schemas/`)
		if !found {
			break
		}
		name, more, _ := strings.Cut(after, `"`)
		if rest = more; d.Components.Schemas[name] == nil {
			t.Errorf("schema %s is not there", name)
		}
	}
}

// Pages that the server sends run their own script alone.
func TestPage(t *testing.T) {
	s := serving(t, Options{})
	got := s.ask(t, "GET", "/", nil)
	if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "'sha256-") {
		t.Errorf("policy %q", policy)
	}
}
