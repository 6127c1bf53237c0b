package mercer_test

import (
	"slices"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
)

// TestRoutes: the routes on offer are those of the rows, whatever the machine is doing: at most a
// quarter of the rows as landmarks, and no more random features than rows. More of either are
// nearer to the kernel.
func TestRoutes(t *testing.T) {
	p, err := task.New(background, houses(2400, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	routes, err := learner.Routes(background, p, learner.KRR{}, nystrom.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--landmarks 250", "--landmarks 500", "--random-features 500", "--random-features 1000", "--random-features 2000"}
	var got []string
	for _, r := range routes {
		got = append(got, r.Hint)
		if !(r.Error > 0 && r.Error < 1 && r.Seconds > 0 && r.Memory > 0) {
			t.Errorf("%s: %d bytes, %v s, error %v", r.Hint, r.Memory, r.Seconds, r.Error)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("routes %q, want %q", got, want)
	}
	if !(routes[1].Error < routes[0].Error && routes[4].Error < routes[2].Error) {
		t.Errorf("routes %+v: more landmarks and more features should be nearer", routes)
	}
	if routes, err = learner.Routes(background, p, learner.Falkon{}, nystrom.Options{}); err != nil || routes != nil {
		t.Errorf("falkon: routes %v, %v; it chooses landmarks itself", routes, err)
	}
	for _, m := range []learner.Learner{learner.GP{Options: gp.Options{Solver: gp.CG}}, learner.GP{Updatable: true}, learner.GPC{Optimize: true}} {
		if routes, err = learner.Routes(background, p, m, nystrom.Options{}); err != nil || routes != nil {
			t.Errorf("%T: routes %v, %v; its answers need all rows", m, routes, err)
		}
	}
}

// TestChoose: the exact plan, then the fastest exact alternative that can be asked for, then the
// approximation with the least error.
func TestChoose(t *testing.T) {
	plan := func(hint string, seconds, off float64, memory int64) compute.Plan {
		return compute.Plan{Hint: hint, Seconds: seconds, Error: off, Memory: memory}
	}
	exact := plan("--solver cholesky", 100, 0, 1000)
	exact.Alternatives = []compute.Plan{plan("a subsample", 1, 0, 10), plan("--solver cg", 50, 0, 100), plan("--solver packed", 30, 0, 500),
		plan("--landmarks 250", 1, 0.1, 50), plan("--landmarks 500", 2, 0.01, 60), plan("fit falkon --landmarks 2000", 1, 1e-4, 20)}
	for want, l := range map[string]compute.Limits{
		"--solver cholesky": {},
		"--solver packed":   {Memory: 999},
		"--solver cg":       {Memory: 100},
		"--landmarks 500":   {Memory: 99},
		"--landmarks 250":   {Seconds: 1},
		"":                  {Memory: 99, Error: 1e-3},
	} {
		if got, ok := learner.Choose(exact, l); got.Hint != want || ok != (want != "") {
			t.Errorf("within %+v: %q, %v; want %q", l, got.Hint, ok, want)
		}
	}
}
