package mercer_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
)

// Along the columns of a sum over columns all rows have the same curve: what a table says that
// differs in one cell. Categories have a point for each level; the columns that change most come
// first.
func TestDependence(t *testing.T) {
	t.Parallel()
	table, spec := flats(40), prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}
	ridge := methods.KRR{Options: krr.Options{Lambda: 1e-3}}
	m := reload(t, fitted(t, table, spec, "rbf(sigma=1)[size] + linear()", ridge))
	said := predict(t, m, table)
	got, err := m.Dependence(background, said, mercer.ExplainOptions{Top: 2}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Column != "size" || got[1].Column != "colour" || got[0].Category || !got[1].Category {
		t.Fatalf("curves %+v", got)
	}
	if n := len(got[0].Points); n != 21 || len(got[0].Own) != 40 || got[0].Own[1] != table.Columns[0].Numbers[1] {
		t.Errorf("%d points, own %v", n, got[0].Own)
	}
	for _, c := range got {
		moved := flats(40)
		var first float64
		for i, p := range c.Points {
			for row := range 40 {
				if c.Category {
					moved.Columns[1].Strings[row] = p.Cell
				} else {
					moved.Columns[0].Numbers[row] = *p.Number
				}
			}
			values, mean := predict(t, m, moved).Values, 0.0
			for row := range 40 {
				mean += values.At(row, 0) / 40
			}
			testkit.Close(t, "mean", p.Mean, mean, 1e-9*math.Abs(mean))
			testkit.Close(t, "low", p.Low, p.Mean, 1e-9*math.Abs(mean))
			testkit.Close(t, "high", p.High, p.Mean, 1e-9*math.Abs(mean))
			// A row by itself has the same curve, but for a constant.
			if one := values.At(7, 0) - p.Mean; i == 0 {
				first = one
			} else {
				testkit.Close(t, "curve of row 8", one, first, 1e-9*math.Abs(mean))
			}
		}
	}
	for i, name := range []string{"blue", "green", "red"} {
		found := false
		for _, p := range got[1].Points {
			found = found || p.Cell == name && p.Number == nil
		}
		if !found {
			t.Errorf("level %d, %s, is no point of %+v", i, name, got[1].Points)
		}
	}
	// Columns together have curves that lie apart.
	m = fitted(t, table, spec, "rbf(sigma=1)", ridge)
	got, err = m.Dependence(background, predict(t, m, table), mercer.ExplainOptions{Columns: []string{"colour"}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := got[0].Points[0]; len(got) != 1 || p.High-p.Low < 1e-3*math.Abs(p.Mean) {
		t.Errorf("curves %+v", got)
	}
}

func TestDependenceRefuses(t *testing.T) {
	t.Parallel()
	table := flats(40)
	m := fitted(t, table, prep.Spec{Targets: []string{"kind"}, Drop: []string{"price"}, Labels: true}, "rbf(sigma=1)", methods.SVC{Options: svm.Options{C: 1}})
	said := predict(t, m, table)
	all, err := m.Dependence(background, said, mercer.ExplainOptions{}, compute.Options{})
	if err != nil || len(all) != 3*len(said.Outputs) {
		t.Errorf("%d curves of %d outputs: %v", len(all), len(said.Outputs), err)
	}
	for _, c := range []struct {
		e    mercer.ExplainOptions
		want string
	}{
		{mercer.ExplainOptions{Columns: []string{"colour", "price"}}, `no column "price" to follow; it has ["size" "colour" "constant"]`},
		{mercer.ExplainOptions{Output: "cost"}, `no output "cost"`},
		{mercer.ExplainOptions{Rows: []int{41}}, "row 41"},
	} {
		if _, err := m.Dependence(background, said, c.e, compute.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	words := reads(24)
	texts := fitted(t, words, prep.Spec{Targets: []string{"kind"}, Drop: []string{"y"}, Labels: true}, "spectrum(k=2)[dna]", methods.SVC{Options: svm.Options{C: 1}})
	if _, err := texts.Dependence(background, predict(t, texts, words), mercer.ExplainOptions{}, compute.Options{}); err == nil || !strings.Contains(err.Error(), "no columns of numbers") {
		t.Errorf("curves of sequences: %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := m.Dependence(ctx, said, mercer.ExplainOptions{Top: 1}, compute.Options{}); err == nil {
		t.Error("a context that has ended was not heard")
	}
}
