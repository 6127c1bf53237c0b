package serve

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"example.org/mercer/compute"
)

// Rows, columns and bodies are bounded before they take memory, in every form.
func TestBounds(t *testing.T) {
	s := serving(t, Options{MaxRows: 3})
	for media, body := range map[string]string{
		"application/json":     `{"rows":[` + strings.Repeat(`[80,3,"town"],`, 3) + `[80,3,"town"]]}`,
		"application/x-ndjson": strings.Repeat(`[80,3,"town"]`+"\n", 4),
		"text/csv":             "size,rooms,place\n" + strings.Repeat("80,3,town\n", 4),
	} {
		s.ask(t, "POST", "/v1/models/house:predict", []byte(body), "Content-Type", media).want(t, http.StatusRequestEntityTooLarge, "in parts")
	}
	s.ask(t, "POST", "/v1/models/house:predict", []byte(`{"columns":{"size":[1,2,3,4]}}`)).want(t, http.StatusRequestEntityTooLarge, "in parts")
	s.ask(t, "POST", "/v1/models/house:predict", []byte(`{"rows":7}`)).want(t, http.StatusBadRequest, "to be a list")
	wide := `{"rows":[{` + strings.Repeat(`"a":1,`, 1_000_001) + `"b":1}]}`
	s.ask(t, "POST", "/v1/models/house:predict", []byte(wide)).want(t, http.StatusRequestEntityTooLarge, "more than 1000000 values")
}

// The bodies of all requests together are bounded, and what they held is given back.
func TestBodiesTogether(t *testing.T) {
	s := serving(t, Options{MaxBody: 1 << 20})
	long := []byte(oneKind + strings.Repeat(" ", 1<<19))
	s.held.Add(bodies << 20)
	s.ask(t, "POST", "/v2/models/kinds/infer", long).want(t, http.StatusTooManyRequests, "too many")
	s.held.Add(-bodies << 20)
	s.ask(t, "POST", "/v2/models/kinds/infer", long).want(t, http.StatusOK, "label")
	if held := s.held.Load(); held != 0 {
		t.Errorf("%d bytes are held by nobody", held)
	}
}

// A panic in a computation fails its request, and the server goes on.
func TestPanicFailsAlone(t *testing.T) {
	s := serving(t, Options{})
	e, v, err := s.answering("kinds", "")
	if err != nil {
		t.Fatal(err)
	}
	err = s.alone(t.Context(), e, v, func(context.Context, compute.Options) error { panic("broken") })
	if err == nil || statusOf(err) != http.StatusInternalServerError || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
	s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind)).want(t, http.StatusOK, "label")
}
