package pipeline_test

import (
	"testing"

	"mercer/gp"
	"mercer/gram"
	"mercer/nystrom"
	"mercer/pipeline"
	"mercer/prep"
)

// TestRoutes: the numbers of landmarks on offer are at most a quarter of the rows, each costs
// less than what it stands for, and nothing on offer is beaten in everything.
func TestRoutes(t *testing.T) {
	p, err := pipeline.NewProblem(background, houses(2400, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	exact, err := p.Plan(background, pipeline.KRR{})
	if err != nil {
		t.Fatal(err)
	}
	routes, err := p.Routes(background, pipeline.KRR{}, exact, nystrom.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	byHint := map[string]gram.Plan{}
	for i, r := range routes {
		byHint[r.Hint] = r
		if r.Memory >= exact.Memory && r.Seconds >= exact.Seconds || !(r.Error > 0 && r.Error < 1) {
			t.Errorf("%s: %d bytes, %v s, error %v", r.Hint, r.Memory, r.Seconds, r.Error)
		}
		for j, q := range routes {
			if i != j && q.Error < r.Error && q.Memory < r.Memory && q.Seconds < r.Seconds {
				t.Errorf("%s is no better than %s in anything", r.Hint, q.Hint)
			}
		}
	}
	few, many := byHint["--landmarks 250"], byHint["--landmarks 500"]
	if few.Hint == "" || many.Hint == "" || !(many.Error < few.Error) {
		t.Errorf("routes %+v, want 250 landmarks and 500, which are nearer", routes)
	}
	if r, ok := byHint["--landmarks 1000"]; ok {
		t.Errorf("%s of 2400 rows are on offer", r.Hint)
	}
	if routes, err = p.Routes(background, pipeline.Falkon{}, exact, nystrom.Options{}); err != nil || routes != nil {
		t.Errorf("falkon: routes %v, %v; it chooses landmarks itself", routes, err)
	}
	for _, m := range []pipeline.Method{pipeline.GP{Options: gp.Options{Solver: gp.CG}}, pipeline.GP{Updatable: true}, pipeline.GPC{Optimize: true}} {
		if routes, err = p.Routes(background, m, exact, nystrom.Options{}); err != nil || routes != nil {
			t.Errorf("%T: routes %v, %v; its answers need all rows", m, routes, err)
		}
	}
}

// TestChoose: the exact plan, then the fastest exact alternative that can be asked for, then the
// approximation with the least error.
func TestChoose(t *testing.T) {
	plan := func(hint string, seconds, off float64, memory int64) gram.Plan {
		return gram.Plan{Hint: hint, Seconds: seconds, Error: off, Memory: memory}
	}
	exact := plan("--solver cholesky", 100, 0, 1000)
	exact.Alternatives = []gram.Plan{plan("a subsample", 1, 0, 10), plan("--solver cg", 50, 0, 100), plan("--solver packed", 30, 0, 500),
		plan("--landmarks 250", 1, 0.1, 50), plan("--landmarks 500", 2, 0.01, 60), plan("fit falkon --landmarks 2000", 1, 1e-4, 20)}
	for want, l := range map[string]gram.Limits{
		"--solver cholesky": {},
		"--solver packed":   {Memory: 999},
		"--solver cg":       {Memory: 100},
		"--landmarks 500":   {Memory: 99},
		"--landmarks 250":   {Seconds: 1},
		"":                  {Memory: 99, Error: 1e-3},
	} {
		if got, ok := pipeline.Choose(exact, l); got.Hint != want || ok != (want != "") {
			t.Errorf("within %+v: %q, %v; want %q", l, got.Hint, ok, want)
		}
	}
}
