package mercer_test

import (
	"slices"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
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
	routes, err := learner.Routes(background, p, methods.KRR{}, nystrom.Options{Seed: 1})
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
	if routes, err = learner.Routes(background, p, methods.Falkon{}, nystrom.Options{}); err != nil || routes != nil {
		t.Errorf("falkon: routes %v, %v; it chooses landmarks itself", routes, err)
	}
	for _, m := range []learner.Learner{methods.GP{Options: gp.Options{Solver: gp.CG}}, methods.GP{Updatable: true}, methods.GPC{Optimize: true}} {
		if routes, err = learner.Routes(background, p, m, nystrom.Options{}); err != nil || routes != nil {
			t.Errorf("%T: routes %v, %v; its answers need all rows", m, routes, err)
		}
	}
}
