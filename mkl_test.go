package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer/data/prep"
	"example.org/mercer/search"
	"example.org/mercer/supervised/mkl"
	"example.org/mercer/task"
)

// The weighted kernel of a problem is an expression that makes a problem of the same
// table; the term that sees the rings has the share.
func TestWeigh(t *testing.T) {
	table, terms := petals(120), "linear() + rbf(sigma=1)"
	p, err := task.New(background, table, petalSpec, terms)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range mkl.Methods {
		text, r, err := search.Weigh(background, p, mkl.Options{Method: method, Balance: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Shares[1] > 0.7) {
			t.Errorf("%s: shares %v", method, r.Shares)
		}
		again, err := task.New(background, table, petalSpec, text)
		if err != nil {
			t.Fatal(err)
		}
		if again.Kernel() != text {
			t.Errorf("%s reads as %s", text, again.Kernel())
		}
	}
	numbers, err := task.New(background, table, prep.Spec{Targets: []string{"weight"}, Drop: []string{"kind"}}, terms)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := search.Weigh(background, numbers, mkl.Options{Method: mkl.EasyMKL}); err == nil || !strings.Contains(err.Error(), "use an alignment for numbers") {
		t.Errorf("EasyMKL of numbers: %v", err)
	}
}
