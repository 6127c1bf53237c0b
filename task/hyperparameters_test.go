package task_test

import (
	"context"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/dictionary"
)

// TestWidthsStartAtTheMedian: of the points 0, 1 and 3 the distances are 1, 2 and 3, whose median
// is
// 2. Other parameters start at 1, and those with a value are not free.
func TestWidthsStartAtTheMedian(t *testing.T) {
	node, err := expr.Parse("rbf(sigma=?) * poly(degree=2, offset=?)")
	if err != nil {
		t.Fatal(err)
	}
	xs := data.Slice[[]float64]{{0}, {1}, {3}}
	free, err := task.FreeHyperparameters(context.Background(), node, dictionary.Points(node, xs, vec.Schema{}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"sigma": 2}
	for _, p := range free {
		start, ok := want[p.Argument]
		if !ok {
			start = 1
		}
		if len(p.Starts) != 1 || p.Starts[0] != start {
			t.Errorf("%q starts at %v instead of %g", p.Argument, p.Starts, start)
		}
	}
	if len(free) != 2 {
		t.Errorf("%d free parameters instead of 2", len(free))
	}
}

// TestWidthsOfOneColumnAtATime: in anova a width starts at the median of the columns' own medians,
// and a radius at that of the distances. Both stay one number where others get one for each column.
func TestWidthsOfOneColumnAtATime(t *testing.T) {
	xs := data.Slice[[]float64]{{0, 0}, {3, 4}, {3, 4}}
	for text, want := range map[string]float64{
		"anova(of=rbf(sigma=?), degree=2)": 3.5, "anova(of=laplace1(sigma=?))[1]": 4, "wendland(k=0, radius=?)": 5, "rbf(sigma=?)": 5,
	} {
		node, err := expr.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if node, err = expr.Resolve(node, vec.Dictionary(vec.Schema{})); err != nil {
			t.Fatal(err)
		}
		free, err := task.FreeHyperparameters(context.Background(), node, dictionary.Points(node, xs, vec.Schema{}))
		if err != nil || len(free) != 1 || free[0].Starts[0] != want {
			t.Errorf("%s: %+v, %v instead of %g", text, free, err, want)
		}
	}
}

// TestBoundedParametersStayBelow: ρ is searched for below 1, from the middle of its values.
func TestBoundedParametersStayBelow(t *testing.T) {
	node, err := expr.Parse("category(rho=?)")
	if err != nil {
		t.Fatal(err)
	}
	free, err := task.FreeHyperparameters(context.Background(), node, dictionary.Points(node, data.Slice[[]float64]{{0, 1}, {1, 0}}, vec.Schema{}))
	if err != nil {
		t.Fatal(err)
	}
	space := task.SearchSpace(node, free, vec.Dictionary(vec.Schema{}))
	p := space.Parameters[0]
	if p.Start != 0.5 || p.Lower <= 0 || p.Upper >= 1 || p.Upper < 0.99 {
		t.Errorf("a search for ρ: %+v", p)
	}
	for _, v := range []float64{p.Lower, p.Upper} {
		if _, err := space.Build([]float64{v}); err != nil {
			t.Errorf("ρ = %v: %v", v, err)
		}
	}
}
