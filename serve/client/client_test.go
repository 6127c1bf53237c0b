package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/serve"
	"example.org/mercer/serve/client"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// circle is a table of points on a grid, with a number and a label.
func circle(t testing.TB) *data.Table {
	t.Helper()
	var b strings.Builder
	b.WriteString("x,y,height,side\n")
	for i := range 49 {
		x, y := float64(i%7)/3-1, float64(i/7)/3-1
		side := "outside"
		if x*x+y*y < 0.7 {
			side = "inside"
		}
		fmt.Fprintf(&b, "%g,%g,%g,%s\n", x, y, x*x-y, side)
	}
	table, err := csv.Read(t.Context(), "circle.csv", strings.NewReader(b.String()), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// saved fits a model to a target and saves it in a folder.
func saved(t testing.TB, dir, target, other string, by learner.Learner) *mercer.Model {
	t.Helper()
	p, err := task.New(t.Context(), circle(t), prep.Spec{Targets: []string{target}, Drop: []string{other}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(t.Context(), p, by, 1)
	if err == nil {
		err = m.Save(t.Context(), filepath.Join(dir, target+".mercer"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// served is a client of a server of two models, and the models.
func served(t testing.TB) (c *client.Client, height, side *mercer.Model) {
	t.Helper()
	dir := t.TempDir()
	height = saved(t, dir, "height", "side", methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}})
	side = saved(t, dir, "side", "height", methods.KLR{Options: klr.Options{Lambda: 1e-3}})
	s, err := serve.New(t.Context(), serve.Options{Watch: -1, Models: []serve.Source{{Name: "height", Path: filepath.Join(dir, "height.mercer")}, {Name: "side", Path: filepath.Join(dir, "side.mercer")}}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	if c, err = client.New(server.URL+"/", client.Options{}); err != nil {
		t.Fatal(err)
	}
	return c, height, side
}

var rows = []client.Row{{"x": 0.1, "y": -0.4}, {"x": 0.9, "y": 0.8}}

// want are the predictions of a model itself for the rows.
func want(t testing.TB, m *mercer.Model) *outcome.Prediction {
	t.Helper()
	table, err := csv.Read(t.Context(), "rows.csv", strings.NewReader("x,y\n0.1,-0.4\n0.9,0.8\n"), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(t.Context(), table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Answers are those of the model itself to the bit: by rows, by tensors, bounds and probabilities.
func TestAnswersAreThoseOfTheModel(t *testing.T) {
	c, height, side := served(t)
	p := want(t, height)
	lo, hi, err := height.Intervals(t.Context(), p, 0.8, krr.JackknifePlus, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := c.Predict(t.Context(), "height", rows, client.Ask{Interval: 0.8})
	if err != nil {
		t.Fatal(err)
	}
	for column, of := range map[string]func(i int) float64{
		"height":       func(i int) float64 { return p.Values.At(i, 0) },
		"height lower": func(i int) float64 { return lo.At(i, 0) },
		"height upper": func(i int) float64 { return hi.At(i, 0) },
	} {
		got, err := table.Numbers(column)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if v != of(i) {
				t.Errorf("%s of row %d is %v, want %v", column, i+1, v, of(i))
			}
		}
	}
	tensors, err := c.Infer(t.Context(), "height", 2, []float64{0.1, -0.4, 0.9, 0.8}, client.Ask{})
	if err != nil || len(tensors) == 0 || tensors[0].Name != "value" || tensors[0].Numbers[1] != p.Values.At(1, 0) {
		t.Errorf("tensors %+v, %v", tensors, err)
	}
	q := want(t, side).Probabilities()
	classes, err := c.Probabilities(t.Context(), "side", rows)
	if err != nil {
		t.Fatal(err)
	}
	inside, err := classes.Numbers("p(inside)")
	if err != nil || inside[0] != q.At(0, 0) {
		t.Errorf("probabilities %v, %v; want %v first", inside, err, q.At(0, 0))
	}
	labels, err := c.Infer(t.Context(), "side", 2, []float64{0.1, -0.4, 0.9, 0.8}, client.Ask{})
	if err != nil || labels[0].Name != "label" || labels[0].Strings[0] != "inside" || labels[0].Strings[1] != "outside" {
		t.Errorf("labels %+v, %v", labels, err)
	}
	found, err := c.Explain(t.Context(), "height", rows, client.Explanation{By: "gradient"})
	if err != nil || !json.Valid(found) || !strings.Contains(string(found), "per_deviation") {
		t.Errorf("explanation %s, %v", found, err)
	}
}

func TestModelsAreTold(t *testing.T) {
	c, height, _ := served(t)
	if err := c.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	all, err := c.Models(t.Context())
	if err != nil || len(all) != 2 || !all[0].Ready {
		t.Fatalf("models %+v, %v", all, err)
	}
	m, err := c.Model(t.Context(), "height")
	if err != nil || m.Kernel != height.Kernel() || len(m.Inputs) != 2 || m.Inputs[0].Name != "x" || m.Loaded.IsZero() {
		t.Errorf("model %+v, %v", m, err)
	}
}

// What the server refuses is an error with its words, and is not asked again.
func TestRefusalsAreErrors(t *testing.T) {
	c, _, _ := served(t)
	_, err := c.Predict(t.Context(), "price", rows, client.Ask{})
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusNotFound || refused.Request == "" || !strings.Contains(err.Error(), "price") {
		t.Errorf("a model that is not there: %v", err)
	}
	_, err = c.Predict(t.Context(), "height", []client.Row{{"x": "tall", "y": 1}}, client.Ask{})
	if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || !strings.Contains(err.Error(), "tall") {
		t.Errorf("a cell of another kind: %v", err)
	}
	if _, err := c.Infer(t.Context(), "height", 2, make([]float64, 3), client.Ask{}); err == nil {
		t.Error("three numbers are rows of two")
	}
	if _, err := c.Predict(t.Context(), "height", []client.Row{{"x": math.NaN()}}, client.Ask{}); err == nil {
		t.Error("NaN in JSON")
	}
	for _, address := range []string{"", "localhost:8080", "ftp://a", "http://"} {
		if _, err := client.New(address, client.Options{}); err == nil {
			t.Errorf("the address %q is taken", address)
		}
	}
}

// A server without room is asked again after the time that it names, as often as the options say,
// and until the context ends.
func TestAServerWithoutRoomIsAskedAgain(t *testing.T) {
	asked, free := 0, 3
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, `{"error":"no token"}`, http.StatusUnauthorized)
			return
		}
		if asked++; asked < free {
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":"no room"}`, http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, `{"models":[]}`)
	}))
	defer server.Close()
	ask := func(o client.Options) error {
		c, err := client.New(server.URL, o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Models(t.Context())
		return err
	}
	if err := ask(client.Options{Token: "secret"}); err != nil || asked != 3 {
		t.Errorf("%v after %d requests, want 3", err, asked)
	}
	asked, free = 0, 100
	if err := ask(client.Options{Token: "secret", Retries: 5}); err == nil || asked != 6 || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%v after %d requests, want 6", err, asked)
	}
	asked = 0
	if err := ask(client.Options{Token: "secret", Retries: -1}); err == nil || asked != 1 {
		t.Errorf("%v after %d requests, want 1", err, asked)
	}
	if err := ask(client.Options{}); err == nil || !strings.Contains(err.Error(), "no token") {
		t.Errorf("without a token: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c, err := client.New(server.URL, client.Options{Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Models(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// Answers that are cut, or that claim other sizes than they have, are errors.
func TestBadAnswersAreErrors(t *testing.T) {
	for what, answer := range map[string]struct{ head, body string }{
		"no length":       {"", "{}"},
		"too long":        {"900", "{}"},
		"no JSON":         {"2", "xx"},
		"missing bytes":   {"100", fmt.Sprintf("%-100s", `{"outputs":[{"name":"value","shape":[2],"datatype":"FP64","parameters":{"binary_data_size":16}}]}`)},
		"another size":    {"98", `{"outputs":[{"name":"value","shape":[2],"datatype":"FP64","parameters":{"binary_data_size":8}}]} ` + " 12345678"},
		"a broken string": {"100", fmt.Sprintf("%-100s", `{"outputs":[{"name":"label","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":4}}]}`) + "\x09\x00\x00\x00"},
		"a vast shape":    {"108", fmt.Sprintf("%-108s", `{"outputs":[{"name":"value","shape":[4294967296,4294967296],"datatype":"FP64","parameters":{"binary_data_size":0}}]}`)},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if answer.head != "" {
				w.Header().Set("Inference-Header-Content-Length", answer.head)
			}
			fmt.Fprint(w, answer.body)
		}))
		c, err := client.New(server.URL, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Infer(t.Context(), "m", 1, []float64{1}, client.Ask{}); err == nil {
			t.Errorf("%s: %+v", what, got)
		}
		server.Close()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 200)) }))
	defer server.Close()
	c, err := client.New(server.URL, client.Options{MostAnswer: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Models(t.Context()); err == nil || !strings.Contains(err.Error(), "larger than 100 bytes") {
		t.Errorf("an answer without end: %v", err)
	}
}
