package mercer_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/data/prep/transform"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/search"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// skewed is the table of the houses with prices that are exponentials of what they were.
func skewed(rows int, seed uint64) *data.Table {
	t := houses(rows, seed)
	prices := t.Columns[len(t.Columns)-1].Numbers
	for i, v := range prices {
		prices[i] = math.Exp(v / 20)
	}
	return t
}

// withPrice returns a copy of the table with a function of the price in place of it.
func withPrice(t *data.Table, g func(float64) float64) *data.Table {
	out := *t
	out.Columns = slices.Clone(t.Columns)
	price := &out.Columns[len(out.Columns)-1]
	price.Numbers = slices.Clone(price.Numbers)
	for i, v := range price.Numbers {
		price.Numbers[i] = g(v)
	}
	return &out
}

// TestTransformIsThatOfTheColumn: a target that is learned by a function is, prediction by
// prediction and bound by bound, what a column of this function's values gives, taken back.
func TestTransformIsThatOfTheColumn(t *testing.T) {
	train, test := skewed(80, 1), skewed(30, 2)
	price := train.Columns[len(train.Columns)-1].Numbers
	for _, name := range transform.Names() {
		weights := train.Columns[4].Numbers
		g, err := transform.Fit(name, price, weights)
		if err != nil {
			t.Fatal(err)
		}
		for method, m := range map[string]learner.Learner{
			"krr":       methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}},
			"gp":        methods.GP{Options: gp.Options{Noise: 0.01}},
			"conformal": learner.Calibrated{Learner: methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}, Conformal: true},
		} {
			t.Run(name+" "+method, func(t *testing.T) {
				fitted := func(table *data.Table, s prep.Spec) *mercer.Model {
					p, err := task.New(background, table, s, "rbf(sigma=2)")
					if err != nil {
						t.Fatal(err)
					}
					model, err := mercer.Fit(background, p, m, 1)
					if err != nil {
						t.Fatal(err)
					}
					var file bytes.Buffer
					if err := model.Write(&file); err != nil {
						t.Fatal(err)
					}
					again, err := mercer.Decode("model", file.Bytes(), task.Files{})
					if err != nil {
						t.Fatal(err)
					}
					if _, err := again.Verify(background, compute.Options{}); err != nil {
						t.Fatal(err)
					}
					return again
				}
				s := spec
				s.Transform = name
				inside, outside := fitted(train, s), fitted(withPrice(train, g.Forward), spec)
				got, err := inside.Test(background, test, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				want, err := outside.Predict(background, test, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				same(t, "predictions", g, mat.Col(nil, 0, got.Values), mat.Col(nil, 0, want.Values))
				lo, hi := bounds(t, inside, got, method)
				low, high := bounds(t, outside, want, method)
				same(t, "lower bounds", g, lo, low)
				same(t, "upper bounds", g, hi, high)
				inUnits(t, got, test)
			})
		}
	}
}

// same compares values with others that are taken back.
func same(t *testing.T, what string, g *transform.Map, got, learned []float64) {
	t.Helper()
	for i, z := range learned {
		if want := g.Inverse(z); math.Abs(got[i]-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("%s: row %d is %v, want %v", what, i, got[i], want)
		}
	}
}

// bounds are those of intervals with a coverage of 0.8.
func bounds(t *testing.T, m *mercer.Model, p *outcome.Prediction, method string) (lo, hi []float64) {
	t.Helper()
	if method == "conformal" {
		lo, hi, err := m.Bounds(p, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		return lo, hi
	}
	low, high, err := m.Intervals(background, p, 0.8, krr.JackknifePlus, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return mat.Col(nil, 0, low), mat.Col(nil, 0, high)
}

// inUnits compares the scores of predictions with those of the column as the table has it.
func inUnits(t *testing.T, p *outcome.Prediction, table *data.Table) {
	t.Helper()
	scores, err := p.Scores()
	if err != nil {
		t.Fatal(err)
	}
	squares, total := 0.0, 0.0
	for i, y := range table.Columns[len(table.Columns)-1].Numbers {
		w := table.Columns[4].Numbers[i]
		d := y - p.Values.At(i, 0)
		squares, total = squares+w*d*d, total+w
	}
	if want := math.Sqrt(squares / total); math.Abs(scores[0].RMSE-want) > 1e-9*want {
		t.Errorf("the error is %v, want %v of the column as it is written", scores[0].RMSE, want)
	}
}

// TestSearchTakesTheFunctionThatErrsLeast: of a skewed target the kernel auto takes a function of
// it where its leave-one-out error in the units of the table is the least, and says this error.
func TestSearchTakesTheFunctionThatErrsLeast(t *testing.T) {
	table, s := skewed(60, 3), prep.Spec{Targets: []string{"price"}, ID: "id", Drop: []string{"weight"}}
	p, m, tuned, err := search.Tune(background, table, s, search.Auto, methods.KRR{}, search.Search{})
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]float64{}
	for _, e := range tuned.Families {
		for _, name := range transform.Names() {
			if strings.HasSuffix(e.Family, name+" of the target") {
				tried[name] = e.Score
			}
		}
		if e.Failed == "" && e.Score < tuned.Best.Score {
			t.Errorf("%s has the error %v, and %s with %v was taken", e.Family, e.Score, tuned.Families[0].Family, tuned.Best.Score)
		}
	}
	if len(tried) != 2 || tried["log"] == 0 || tried["yeo-johnson"] == 0 {
		t.Fatalf("tried are %v", tried)
	}
	if !prep.IsTransformed(p.Prep.Targets()) {
		t.Fatalf("the target of exponentials was learned as it is: %+v", tuned.Families[:3])
	}
	// The error without each row, by as many fits.
	squares := 0.0
	n := table.Rows()
	for i := range n {
		rest := p.Part(slices.Concat(data.Range(0, i), data.Range(i+1, n)))
		without, err := learner.Fit(background, rest, lessOne(m, n))
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := search.HeldOut(background, p, without, table.Gather([]int{i}), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := predicted.Rows.Y.At(0, 0) - predicted.Values.At(0, 0)
		squares += d * d / float64(n)
	}
	if math.Abs(squares-tuned.Best.Score) > 1e-6*squares {
		t.Errorf("the leave-one-out error is said to be %v, and %d fits have %v", tuned.Best.Score, n, squares)
	}
	s.Transform = transform.None
	if p, _, _, err := search.Tune(background, table, s, search.Auto, methods.KRR{}, search.Search{}); err != nil || prep.IsTransformed(p.Prep.Targets()) {
		t.Errorf("with none the target is a function: %v", err)
	}
}

// lessOne is the method with λ for one row fewer of n: Nλ stays.
func lessOne(m learner.Learner, n int) learner.Learner {
	ridge := m.(methods.KRR)
	ridge.Lambda *= float64(n) / float64(n-1)
	return ridge
}
