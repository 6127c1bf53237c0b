package mercer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/task"
)

// sines is y = sin(3x) with every seventh target thrown far off.
func sines(rows int) *data.Table {
	r := testkit.Rand(silent{}, 5)
	t := &data.Table{Source: "sines", Headed: true, Columns: []data.Column{{Name: "x"}, {Name: "y"}}}
	for i := range rows {
		x := 4 * r.Float64()
		y := math.Sin(3*x) + 0.1*r.NormFloat64()
		if i%7 == 3 {
			y += 12
		}
		t.Columns[0].Numbers, t.Columns[1].Numbers = append(t.Columns[0].Numbers, x), append(t.Columns[1].Numbers, y)
	}
	return t
}

// silent logs nothing: tables are made outside of tests too.
type silent struct{ testing.TB }

func (silent) Helper()             {}
func (silent) Logf(string, ...any) {}

var sineSpec = prep.Spec{Targets: []string{"y"}, Raw: []string{"*"}}

// TestRobustLoss: least squares follows what is far off, a robust loss does not, and
// a model says what the method says, before and after a file.
func TestRobustLoss(t *testing.T) {
	t.Parallel()
	table := sines(140)
	worst := map[string]float64{}
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}, loss.Tukey{C: 4.685}} {
		p, m := learnPetals(t, table, sineSpec, petalKernel, methods.ERM{Options: erm.Options{Lambda: 1e-3}, Loss: l})
		f, _, err := erm.Fit(background, vec.RBF{Sigma: 1}, p.Rows.X, mat.Col(nil, 0, p.Rows.Y), l, erm.Options{Lambda: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Predict(background, p.Rows.X, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*mercer.Model{m, reload(t, m)} {
			got := predict(t, m, table)
			testkit.CloseSlice(t, l.String(), mat.Col(nil, 0, got.Values), mat.Col(nil, 0, want), 1e-12)
			for i, x := range table.Columns[0].Numbers {
				worst[l.String()] = max(worst[l.String()], math.Abs(got.Values.At(i, 0)-math.Sin(3*x)))
			}
		}
	}
	if s, a, k := worst["squared"], worst[loss.Absolute{}.String()], worst[loss.Tukey{C: 4.685}.String()]; !(s > 1 && a < 0.5 && k < 0.5) {
		t.Errorf("largest errors of the curve: squared %v, absolute %v, Tukey %v (all: %v)", s, a, k, worst)
	}
}

// TestQuantilesAreOrdered: predicted quantiles never cross, also far from the data, and
// about the right share of rows is below each.
func TestQuantilesAreOrdered(t *testing.T) {
	t.Parallel()
	table := sines(210)
	taus := []float64{0.2, 0.4, 0.5, 0.6, 0.8}
	_, m := learnPetals(t, table, sineSpec, petalKernel, methods.Quantiles{Options: erm.Options{Lambda: 1e-4}, Taus: taus})
	wide := sines(210)
	for i := range wide.Columns[0].Numbers {
		wide.Columns[0].Numbers[i] = 3*wide.Columns[0].Numbers[i] - 4
	}
	m = reload(t, m)
	for _, table := range []*data.Table{table, wide} {
		p := predict(t, m, table)
		for i := range 210 {
			if row := p.Values.RawRowView(i); !slices.IsSorted(row) {
				t.Fatalf("quantiles cross in row %d: %v", i, row)
			}
		}
	}
	p, err := m.Test(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.Scores()
	if err != nil {
		t.Fatal(err)
	}
	q := all[0].QuantileScores
	if q == nil || all[0].NumberScores != nil || strings.Join(p.Outputs, " ") != "y@0.2 y@0.4 y@0.5 y@0.6 y@0.8" {
		t.Fatalf("scores %+v of %q", all[0], p.Outputs)
	}
	// The minimum of the pinball loss with a free constant has at most τn rows below and
	// at most (1−τ)n above; those on the curve, a few of 210, fall on either side by
	// rounding.
	for j, tau := range taus {
		if math.Abs(q.Below[j]-tau) > 0.1 {
			t.Errorf("%v of the rows are below the quantile %v", q.Below[j], tau)
		}
	}
}

// TestMarginLoss: a margin loss takes two labels for −1 and +1; three are refused.
func TestMarginLoss(t *testing.T) {
	table := petals(90)
	method := methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: loss.SquaredHinge{}}
	p, err := task.New(background, table, petalSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, p, method, 1); err == nil || !strings.Contains(err.Error(), "3 labels") {
		t.Errorf("three labels: %v", err)
	}
	if _, err := mercer.Fit(background, p, methods.ERM{}, 1); err == nil || !strings.Contains(err.Error(), "name the loss") {
		t.Errorf("no loss: %v", err)
	}
	kinds := table.Columns[3].Strings
	for i := range kinds {
		if kinds[i] == "outer" {
			kinds[i] = "middle"
		}
	}
	_, m := learnPetals(t, table, petalSpec, petalKernel, method)
	test, err := m.Test(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := test.Scores()
	if err != nil || all[0].Accuracy < 0.8 {
		t.Errorf("accuracy %+v, %v", all[0].LabelScores, err)
	}
}

// TestRowsWithoutCoefficients: a model keeps the rows whose coefficients are not zero, with
// their names, and is read from its file again.
func TestRowsWithoutCoefficients(t *testing.T) {
	t.Parallel()
	o := erm.Options{Lambda: 1e-2}
	meadow := weightedMeadows(60) // every third row has weight 0
	for _, c := range []struct {
		target string
		method learner.Learner
		some   bool // not all rows of weights above 0 have coefficients
	}{
		{"two", methods.ERM{Options: o, Loss: loss.Hinge{}}, true},
		{"number", methods.ERM{Options: o, Loss: loss.Insensitive{Epsilon: 0.3}}, true},
		{"number", methods.ERM{Options: o, Loss: loss.Huber{K: 1}}, false},
		{"number", methods.Quantiles{Options: o, Taus: []float64{0.2, 0.7}}, false},
	} {
		drop := slices.DeleteFunc([]string{"kinds", "order", "line", "number", "two", "three"}, func(name string) bool { return name == c.target })
		columns := prep.Spec{Targets: []string{c.target}, Weights: "weight", Drop: drop, Raw: []string{"*"}}
		_, m := learnPetals(t, meadow, columns, petalKernel, c.method)
		if n := len(m.Trained); n > 40 || c.some == (n == 40) {
			t.Errorf("%s: %d rows have coefficients", c.method.Name(), n)
		}
		again := reload(t, m)
		if !slices.Equal(again.Trained, m.Trained) {
			t.Errorf("%s: the rows are %v, and were %v", c.method.Name(), again.Trained, m.Trained)
		}
		if _, err := again.Verify(background, compute.Options{}); err != nil {
			t.Errorf("%s: %v", c.method.Name(), err)
		}
	}
}

// weightedMeadows are meadows with weights 0, 1 and 2, and a number, two classes and three.
func weightedMeadows(rows int) *data.Table {
	t := meadows(rows)
	number, two, three := data.Column{Name: "number"}, data.Column{Name: "two", Kind: data.Categorical}, data.Column{Name: "three", Kind: data.Categorical}
	for i := range rows {
		x, y := t.Columns[0].Numbers[i], t.Columns[1].Numbers[i]
		t.Columns[2].Numbers[i] = float64(i % 3)
		number.Numbers = append(number.Numbers, math.Sin(2*x)+y+0.3*float64(i%5))
		two.Strings = append(two.Strings, map[bool]string{true: "in", false: "out"}[x*x+y*y < 1.2+0.1*float64(i%7)])
		three.Strings = append(three.Strings, []string{"low", "mid", "top"}[min(2, int(1.4*math.Abs(x+0.2*float64(i%4))))])
	}
	t.Columns = append(t.Columns, number, two, three)
	return t
}
