package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// TestKernelIsTheSameText: what a problem calls its kernel is the same kernel again.
func TestKernelIsTheSameText(t *testing.T) {
	table := houses(30, 3)
	for _, text := range []string{
		"rbf(sigma=median)", "rbf(sigma=median)[size,age]", "0.5*rbf(sigma=1) + poly(degree=2, offset=1)",
		"rbf(sigma=median)[size] * linear[kind]", `formula("exp(-abs(x - y))")[age]`, "normalize(of=poly(degree=2, offset=1))",
		`conform(of=rbf(sigma=1)[age], by="1 + x[0]*x[0]")`,
	} {
		p, err := task.New(background, table, spec, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		again, err := task.New(background, table, spec, p.Kernel())
		if err != nil {
			t.Errorf("%s became %s, which is refused: %v", text, p.Kernel(), err)
			continue
		}
		a, b := kernel.NewTile(5, 5), kernel.NewTile(5, 5)
		p.Pairs().Tile(a, 3, 7)
		again.Pairs().Tile(b, 3, 7)
		for i := range a.Data {
			if a.Data[i] != b.Data[i] {
				t.Fatalf("%s and %s differ: %v, %v", text, p.Kernel(), a.Data[i], b.Data[i])
			}
		}
		if p.Kernel() != again.Kernel() {
			t.Errorf("%s prints itself as %s, and that as %s", text, p.Kernel(), again.Kernel())
		}
	}
}

// TestKernelErrors point at the place and say what to do.
func TestKernelErrors(t *testing.T) {
	table := houses(30, 3)
	for _, c := range []struct{ text, want string }{
		{"rbf(sigma=?)", "tune"},
		{"rbf(sigma=1)[colour]", "colour"},
		{"laplacian(sigma=1)", "laplace1"},
		{"rbf(sigma=1", "column"},
		{`gram(file="nowhere.npy")`, "nowhere.npy"},
		{"spectrum(k=3)", "spectrum"},
	} {
		_, err := task.New(background, table, spec, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, which does not say %q", c.text, err, c.want)
		}
	}
}

// TestPlan: every stage of a plan is finite, and packed needs about half of dense.
func TestPlan(t *testing.T) {
	p, err := task.New(background, houses(600, 3), spec, "rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	dense, err := learner.Plan(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.Cholesky}})
	if err != nil {
		t.Fatal(err)
	}
	if dense.Solver != string(krr.Cholesky) || len(dense.Stages) == 0 || !(dense.Seconds > 0) || dense.Memory < 8*600*600 {
		t.Errorf("the plan is %+v", dense)
	}
	packed, err := learner.Plan(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-3}})
	if err != nil || packed.Solver != string(krr.Packed) {
		t.Errorf("a kernel that comes in tiles is planned with %q (%v)", packed.Solver, err)
	}
	linear, err := task.New(background, houses(600, 3), spec, "linear")
	if err != nil {
		t.Fatal(err)
	}
	if primal, err := learner.Plan(background, linear, methods.KRR{Options: krr.Options{Lambda: 1e-3}}); err != nil || primal.Solver != string(krr.Primal) {
		t.Errorf("a linear kernel on 4 features is planned with %q (%v)", primal.Solver, err)
	}
}
