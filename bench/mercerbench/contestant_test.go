package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/model"
)

// inputs writes the inputs of every contestant for n points in d dimensions.
func inputs(t *testing.T, dir string, n, d int, p params) {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "params.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	wave := func(rows, cols int, phase float64) *mat.Dense {
		m := mat.NewDense(rows, cols, nil)
		m.Apply(func(i, j int, _ float64) float64 { return math.Sin(phase + float64(3*i+7*j+i*j)) }, m)
		return m
	}
	x := wave(n, d, 0)
	square := wave(n, n, 0)
	square.Add(square, square.T())
	for name, m := range map[string]*mat.Dense{
		"x": x, "z": wave(n+2, d, 1), "v": wave(n+2, 1, 2), "y": wave(n, 1, 3), "new": wave(3, d, 4), "landmarks": wave(5, d, 6),
		"chosen": mat.NewDense(5, 1, []float64{0, 7, 9, 11, 20}),
		"start":  wave(max(p.K, 1), d, 5), "labels": remainders(n, p.K),
		"nodes": mat.NewDense(3, 2, []float64{0, 6, 0, 8, 1, 6}), "edges": mat.NewDense(1, 2, []float64{0, 1}),
		"a": square, "probes": mat.NewDense(2, 2, []float64{0, 1, 2, 2}),
	} {
		if err := writeMatrix(dir, name, m); err != nil {
			t.Fatal(err)
		}
	}
	var table strings.Builder
	table.WriteString("x0,x1,y\n")
	for i := range n {
		fmt.Fprintf(&table, "%v,%v,%v\n", x.At(i, 0), x.At(i, 1), x.At(i, 0)*x.At(i, 1))
	}
	for _, name := range []string{"train.csv", "test.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// remainders are the labels i mod k.
func remainders(n, k int) *mat.Dense {
	m := mat.NewDense(n, 1, nil)
	for i := range n {
		m.Set(i, 0, float64(i%max(k, 1)))
	}
	return m
}

// TestContestants runs everyone twice on tiny inputs and looks at what is saved.
func TestContestants(t *testing.T) {
	p := params{Kernel: "rbf(gamma=0.5)", Ridge: 0.1, Ridges: []float64{0.1, 1}, Repeats: 5, Components: 3, C: 1, K: 3, Iterations: 5, Graphs: "wl(h=2)"}
	saved := map[string]string{"mercer": "sample", "mercer f32": "sample", "mercer symmetric": "sample", "mercer in place": "sample", "mercer gemm": "sample", "mercer spectrum": "sample", "gonum gemm": "sample"}
	for name, start := range contestants {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			inputs(t, dir, 30, 4, p)
			w, err := start(dir, p)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				seconds, err := timed(w)
				if err != nil {
					t.Fatal(err)
				}
				if !(seconds > 0) {
					t.Errorf("it took %v s", seconds)
				}
			}
			if err := w.save(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			file := saved[name]
			if file == "" {
				file = "result"
			}
			m, err := readMatrix(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			if norm := mat.Norm(m, 2); !(norm > 0) || math.IsInf(norm, 1) {
				t.Errorf("the result has norm %v", norm)
			}
		})
	}
}

// TestSolversAgree compares the solvers: the judge sees residuals, this test
// that all of them solve the same system.
func TestSolversAgree(t *testing.T) {
	p := params{Kernel: "rbf(gamma=0.5)", Ridge: 0.1}
	dir := t.TempDir()
	inputs(t, dir, 50, 4, p)
	var first *model.Expansion[[]float64]
	for _, solver := range []string{"mercer cholesky", "mercer packed", "mercer single", "mercer cg", "mercer cg single"} {
		w, err := contestants[solver](dir, p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := w.(*fit).model
		if first == nil {
			first = got
			continue
		}
		var diff mat.Dense
		diff.Sub(got.Coef, first.Coef)
		// CG stops at 1e-10 of ‖y‖; the smallest eigenvalue is the ridge, 0.1.
		if d := mat.Norm(&diff, 2) / mat.Norm(first.Coef, 2); d > 1e-8 {
			t.Errorf("%s differs by %g", solver, d)
		}
	}
}

func TestServeRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {"mercer"}, {"nobody", t.TempDir()}, {"mercer", t.TempDir()}} {
		if err := serve(args); err == nil {
			t.Errorf("serve(%q) has no error", args)
		}
	}
}
