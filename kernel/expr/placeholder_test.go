package expr_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.org/mercer/kernel/expr"
)

const free = "gauss(sigma=?)[age] + 2*(normalize(of=gauss(sigma=median)) + gauss(gamma=?))[bmi]"

func TestPlaceholders(t *testing.T) {
	n, err := expr.Parse(free)
	if err != nil {
		t.Fatal(err)
	}
	want := []expr.Placeholder{
		{Name: "sigma#1", Kernel: "gauss", Argument: "sigma", Word: "?", Columns: []string{"age"}, Pos: 6},
		{Name: "sigma#2", Kernel: "gauss", Argument: "sigma", Word: "median", Columns: []string{"bmi"}, Pos: 44},
		{Name: "gamma", Kernel: "gauss", Argument: "gamma", Word: "?", Columns: []string{"bmi"}, Pos: 67},
	}
	if diff := cmp.Diff(want, n.Placeholders()); diff != "" {
		t.Errorf("placeholders (-want +got):\n%s", diff)
	}
}

func TestFillLeavesTheReceiverAlone(t *testing.T) {
	n, err := expr.Parse(free)
	if err != nil {
		t.Fatal(err)
	}
	got := n.Fill(func(p expr.Placeholder) []float64 {
		return map[string][]float64{"sigma#1": {1}, "sigma#2": {2, 3}}[p.Name]
	})
	want := "gauss(sigma=1)[age] + 2*(normalize(of=gauss(sigma=[2, 3])) + gauss(gamma=?))[bmi]"
	if got.String() != want {
		t.Errorf("filled %q, want %q", got, want)
	}
	if n.String() != free {
		t.Errorf("Fill changed its receiver to %q", n)
	}
	left := got.Placeholders()
	if len(left) != 1 || left[0].Name != "gamma" {
		t.Errorf("left over: %v", left)
	}
	again := got.Fill(func(expr.Placeholder) []float64 { return []float64{0.5} })
	if diff := cmp.Diff(again.Fill(nil), again, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("nothing was left to fill:\n%s", diff)
	}
}
