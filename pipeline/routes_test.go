package pipeline_test

import (
	"testing"

	"mercer/gram"
	"mercer/nystrom"
	"mercer/pipeline"
	"mercer/prep"
)

// TestRoutes: the numbers of landmarks on offer are at most a quarter of the rows, more of
// them leave less, and each costs less than what it stands for.
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
	if len(routes) == 0 || routes[0].Hint != "--landmarks 250" {
		t.Fatalf("routes %+v, want --landmarks 250 first", routes)
	}
	for i, r := range routes {
		if r.Memory >= exact.Memory && r.Seconds >= exact.Seconds || !(r.Left > 0 && r.Left < 1) || i > 0 && r.Left > routes[i-1].Left {
			t.Errorf("%s: %d bytes, %v s, leaves %v", r.Hint, r.Memory, r.Seconds, r.Left)
		}
	}
	if last := routes[len(routes)-1].Hint; last != "--landmarks 500" {
		t.Errorf("the last of 2400 rows is %s, want --landmarks 500", last)
	}
	for _, m := range []pipeline.Method{pipeline.GP{}, pipeline.GPC{}} {
		if routes, err = p.Routes(background, m, exact, nystrom.Options{}); err != nil || routes != nil {
			t.Errorf("%T: routes %v, %v; its answers need all rows", m, routes, err)
		}
	}
}

// TestChoose: the exact plan, then the fastest exact alternative that can be asked for, then the
// approximation that leaves least.
func TestChoose(t *testing.T) {
	plan := func(hint string, seconds, left float64, memory int64) gram.Plan {
		return gram.Plan{Hint: hint, Seconds: seconds, Left: left, Memory: memory}
	}
	exact := plan("--solver cholesky", 100, 0, 1000)
	exact.Alternatives = []gram.Plan{plan("a subsample", 1, 0, 10), plan("--solver cg", 50, 0, 100), plan("--solver packed", 30, 0, 500),
		plan("--landmarks 250", 1, 0.1, 50), plan("--landmarks 500", 2, 0.01, 60)}
	for want, l := range map[string]gram.Limits{
		"--solver cholesky": {},
		"--solver packed":   {Memory: 999},
		"--solver cg":       {Memory: 100},
		"--landmarks 500":   {Memory: 99},
		"--landmarks 250":   {Seconds: 1},
		"":                  {Memory: 99, Left: 1e-3},
	} {
		if got, ok := pipeline.Choose(exact, l); got.Hint != want || ok != (want != "") {
			t.Errorf("within %+v: %q, %v; want %q", l, got.Hint, ok, want)
		}
	}
}
