package mercer_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/rkhs/shapley"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// flats are rooms with a size, a colour, a number that says nothing, and two targets.
func flats(n int) *data.Table {
	size, constant, colour, price, kind := make([]float64, n), make([]float64, n), make([]string, n), make([]float64, n), make([]string, n)
	for i := range n {
		size[i] = float64(10 + (7*i)%31)
		constant[i] = 4
		colour[i] = []string{"red", "green", "blue"}[i%5%3]
		price[i] = 3*size[i] + map[string]float64{"red": 20, "green": 0, "blue": -20}[colour[i]]
		kind[i] = []string{"low", "middle", "high"}[min(2, int(max(0, price[i])/50))]
	}
	return &data.Table{Source: "flats", Headed: true, Columns: []data.Column{
		{Name: "size", Numbers: size}, {Name: "colour", Kind: data.Categorical, Strings: colour}, {Name: "constant", Numbers: constant},
		{Name: "price", Numbers: price}, {Name: "kind", Kind: data.Categorical, Strings: kind},
	}}
}

func fitted(t *testing.T, table *data.Table, spec prep.Spec, kernel string, method learner.Learner) *mercer.Model {
	t.Helper()
	p, err := task.New(background, table, spec, kernel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, method, 1)
	if err != nil {
		t.Fatalf("%s: %v", method.Name(), err)
	}
	return m
}

// Whatever method made a function, base and shares of the columns are what it predicts, for every
// output; a constant column has no share, and the codes of a category are one column.
func TestShapleyValuesAddUp(t *testing.T) {
	t.Parallel()
	table := flats(40)
	numbers, labels := prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}, prep.Spec{Targets: []string{"kind"}, Drop: []string{"price"}, Labels: true}
	for _, kernel := range []string{"rbf(sigma=2)", "0.5*rbf(sigma=1)[size] + laplace1(sigma=3)*rbf(sigma=[1,2,3,4,5]) + 0.1*linear()"} {
		for _, c := range []struct {
			method learner.Learner
			spec   prep.Spec
		}{
			{methods.KRR{Options: krr.Options{Lambda: 1e-3}}, numbers}, {methods.SVC{Options: svm.Options{C: 1}}, labels},
			{methods.KLR{Options: klr.Options{Lambda: 1e-2}}, labels}, {methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, labels},
		} {
			m := fitted(t, table, c.spec, kernel, c.method)
			said := predict(t, reload(t, m), table)
			s, err := m.Shapley(background, said, mercer.ExplainOptions{Rows: []int{2, 31}}, compute.Options{})
			if err != nil {
				t.Fatalf("%s: %v", c.method.Name(), err)
			}
			_, outputs := said.Values.Dims()
			if len(s.Rows) != 2*outputs || len(s.Outputs) != outputs {
				t.Fatalf("%s: %d rows of %d outputs", c.method.Name(), len(s.Rows), outputs)
			}
			for i, x := range s.Rows {
				want := said.Values.At([]int{1, 30}[i/outputs], i%outputs)
				testkit.Close(t, c.method.Name(), x.Prediction, want, 1e-10*(1+math.Abs(want)))
				if len(x.Columns) != 3 {
					t.Fatalf("%s: columns %v", c.method.Name(), x.Columns)
				}
				for _, col := range x.Columns {
					if col.Name == "constant" && col.Value != 0 {
						t.Errorf("%s: the constant column has the share %v", c.method.Name(), col.Value)
					}
				}
			}
		}
	}
}

// Rows are shared as the table has their cells, and shortened with what is left.
func TestShapleyOfOneRow(t *testing.T) {
	t.Parallel()
	table := flats(40)
	m := fitted(t, table, prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}, "rbf(sigma=2)", methods.KRR{Options: krr.Options{Lambda: 1e-3}})
	said := predict(t, m, table)
	all, err := m.Shapley(background, said, mercer.ExplainOptions{}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range all.Rows {
		at := slices.IndexFunc(x.Columns, func(c mercer.ShapleyColumn) bool { return c.Name == "size" })
		if x.Columns[at].Number != table.Columns[0].Numbers[i] {
			t.Errorf("row %s: size %q, and the table has %v", x.Row, x.Columns[at].Cell, table.Columns[0].Numbers[i])
		}
		at = slices.IndexFunc(x.Columns, func(c mercer.ShapleyColumn) bool { return c.Name == "colour" })
		if x.Columns[at].Cell != table.Columns[1].Strings[i] {
			t.Errorf("row %s: colour %q, and the table has %q", x.Row, x.Columns[at].Cell, table.Columns[1].Strings[i])
		}
	}
	if o := all.Outputs[0]; o.Rows != 40 || o.Columns[0].Name != "size" || o.Columns[2].Mean != 0 {
		t.Errorf("means %v", o)
	}
	// The intercept of ridge regression makes Σα = 0: the base is the intercept.
	testkit.Close(t, "base", all.Rows[0].Base, m.Bias()[0], 1e-6)
	// With means, the base is the mean prediction of rows whose columns are drawn by themselves,
	// and the values of a column have no constant.
	means, err := m.Shapley(background, said, mercer.ExplainOptions{Means: true}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range means.Rows {
		testkit.Close(t, "prediction", x.Prediction, said.Values.At(i, 0), 1e-9*math.Abs(x.Prediction))
	}
	if o := means.Outputs[0]; o.Columns[0].Name != "size" || o.Columns[0].Deviation < o.Columns[0].Mean {
		t.Errorf("means %v", o)
	}
	one, err := m.Shapley(background, said, mercer.ExplainOptions{Rows: []int{3}, Top: 1}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := one.Rows[0]
	if len(x.Columns) != 1 || x.Others != 2 || one.Outputs[0].Others != 2 {
		t.Errorf("shortened to 1: %+v", x)
	}
	testkit.Close(t, "sum", x.Base+x.Columns[0].Value+x.Rest, x.Prediction, 1e-12*math.Abs(x.Prediction))
}

func TestShapleyRefuses(t *testing.T) {
	t.Parallel()
	table := flats(40)
	spec := prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}
	ridge := methods.KRR{Options: krr.Options{Lambda: 1e-2}}
	asks := func(m *mercer.Model, on *data.Table, e mercer.ExplainOptions, want string) {
		t.Helper()
		if _, err := m.Shapley(background, predict(t, m, on), e, compute.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	asks(fitted(t, table, spec, "matern(sigma=1)", ridge), table, mercer.ExplainOptions{Means: true}, "without means the values of other kernels are sampled")
	m := fitted(t, table, spec, "rbf(sigma=1)", ridge)
	asks(m, table, mercer.ExplainOptions{Output: "cost"}, `no output "cost"`)
	asks(m, table, mercer.ExplainOptions{Rows: []int{41}}, "row 41")
	p, err := task.New(background, table, spec, "linear()")
	if err != nil {
		t.Fatal(err)
	}
	_, drawn := mapped(t, p, methods.KRR{Options: krr.Options{Lambda: 1e-2}}, randomfeatures.Options{Dim: 5})
	asks(drawn, table, mercer.ExplainOptions{}, "none of which is a row")
	words := reads(24)
	texts := fitted(t, words, prep.Spec{Targets: []string{"kind"}, Drop: []string{"y"}, Labels: true}, "spectrum(k=2)[dna]", methods.SVC{Options: svm.Options{C: 1}})
	asks(texts, words, mercer.ExplainOptions{}, "no columns of numbers")
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := m.Shapley(ctx, predict(t, m, table), mercer.ExplainOptions{}, compute.Options{}); err == nil {
		t.Error("a context that has ended was not heard")
	}
}

// A kernel that looks at columns together has values that are drawn: base and shares are what it
// predicts for every output, codes of a category are one column, a constant column has no share,
// and every value is within four errors of one from a hundred times as many orders.
func TestSampledShapley(t *testing.T) {
	t.Parallel()
	table := flats(130)
	numbers, labels := prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}, prep.Spec{Targets: []string{"kind"}, Drop: []string{"price"}, Labels: true}
	for _, c := range []struct {
		method learner.Learner
		spec   prep.Spec
	}{{methods.KRR{Options: krr.Options{Lambda: 1e-3}}, numbers}, {methods.SVC{Options: svm.Options{C: 1}}, labels}} {
		m := fitted(t, table, c.spec, "matern(sigma=1)", c.method)
		said := predict(t, reload(t, m), table)
		e := mercer.ExplainOptions{Rows: []int{2, 31}, Seed: 3, Interactions: true}
		s, err := m.Shapley(background, said, e, compute.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.method.Name(), err)
		}
		if kept := m.Function.Size(); s.Game != shapley.Interventional || s.Background != min(100, kept) || s.Samples < 400 {
			t.Errorf("%s: %d samples of the game %q with %d of %d rows", c.method.Name(), s.Samples, s.Game, s.Background, kept)
		}
		e.Samples = 40_000
		more, err := m.Shapley(background, said, e, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, outputs := said.Values.Dims()
		for i, x := range s.Rows {
			want := said.Values.At([]int{1, 30}[i/outputs], i%outputs)
			testkit.Close(t, c.method.Name(), x.Prediction, want, 1e-10*(1+math.Abs(want)))
			if len(x.Columns) != 3 || len(x.Pairs) == 0 {
				t.Fatalf("%s: columns %v, pairs %v", c.method.Name(), x.Columns, x.Pairs)
			}
			for _, col := range x.Columns {
				if col.Name == "constant" && (col.Value != 0 || col.Error != 0) {
					t.Errorf("%s: the constant column has the share %v ± %v", c.method.Name(), col.Value, col.Error)
				}
				at := slices.IndexFunc(more.Rows[i].Columns, func(c mercer.ShapleyColumn) bool { return c.Name == col.Name })
				if close := more.Rows[i].Columns[at]; !(math.Abs(close.Value-col.Value) <= 4*(col.Error+close.Error)) {
					t.Errorf("%s: %+v, and of more orders %+v", c.method.Name(), col, close)
				}
			}
		}
	}
}

// Interactions are listed the strongest first; a sum over columns has none, and is drawn where
// somebody asks for that.
func TestShapleyInteractions(t *testing.T) {
	t.Parallel()
	table, spec := flats(40), prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}
	ridge := methods.KRR{Options: krr.Options{Lambda: 1e-3}}
	e := mercer.ExplainOptions{Rows: []int{7}, Interactions: true, Top: 2}
	m := fitted(t, table, spec, "rbf(sigma=2)", ridge)
	s, err := m.Shapley(background, predict(t, m, table), e, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pairs := s.Rows[0].Pairs
	if len(pairs) != 2 || s.Rows[0].MorePairs != 1 || pairs[0].Value == 0 || math.Abs(pairs[1].Value) > math.Abs(pairs[0].Value) || s.Game != shapley.Ones {
		t.Errorf("game %q, pairs %+v", s.Game, s.Rows[0])
	}
	m = fitted(t, table, spec, "rbf(sigma=2)[size] + linear()", ridge)
	for _, samples := range []int{0, 1} {
		e.Samples = samples
		s, err := m.Shapley(background, predict(t, m, table), e, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Rows[0].Pairs {
			testkit.Close(t, "interaction in a sum", p.Value, 0, 1e-9)
		}
	}
	e.Means = true
	if _, err := m.Shapley(background, predict(t, m, table), e, compute.Options{}); err == nil || !strings.Contains(err.Error(), "not sampled") {
		t.Errorf("means that are sampled: %v", err)
	}
}
