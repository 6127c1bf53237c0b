package serve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"example.org/mercer"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/serve"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// A model of three points answers over HTTP.
func Example() {
	ctx := context.Background()
	table, err := csv.Read(ctx, "line.csv", strings.NewReader("x,y\n0,0\n1,2\n2,4\n"), csv.Options{})
	if err != nil {
		panic(err)
	}
	p, err := task.New(ctx, table, prep.Spec{Targets: []string{"y"}}, "linear")
	if err != nil {
		panic(err)
	}
	m, err := mercer.Fit(ctx, p, methods.KRR{Options: krr.Options{Lambda: 1e-12}}, 1)
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "serve")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "line.mercer")
	if err := m.Save(ctx, path); err != nil {
		panic(err)
	}
	s, err := serve.New(ctx, serve.Options{Models: []serve.Source{{Name: "line", Path: path}}})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	answer, err := http.Post(server.URL+"/v1/models/line:predict", "text/csv", strings.NewReader("x\n3\n"))
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	var y float64
	if _, err := fmt.Sscanf(string(text), "row,y\n1,%g", &y); err != nil {
		panic(err)
	}
	fmt.Printf("%.6f\n", y)
	// Output: 6.000000
}
