package mercer_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// RemoveFingerprints returns the table without one row.
func RemoveFingerprints(t *data.Table, row int) *data.Table {
	var rest []int
	for i := range t.Rows() {
		if i != row {
			rest = append(rest, i)
		}
	}
	return t.Gather(rest)
}

// TestExplainIsTheWholePrediction: the listed parts, the rest and the intercept add up
// to the prediction.
func TestExplainIsTheWholePrediction(t *testing.T) {
	table := houses(40, 5)
	m := fit(t, table, spec, "rbf(sigma=median)", krr.Options{Lambda: 1e-2, LOO: true})
	p := predict(t, m, houses(6, 6))
	all, err := m.Explain(background, p, mercer.ExplainOptions{Top: 4}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 6 {
		t.Fatalf("%d explanations of 6 rows", len(all))
	}
	for i, x := range all {
		if len(x.Parts) != 4 || x.Others != 36 {
			t.Fatalf("row %s: %d parts and %d others", x.Row, len(x.Parts), x.Others)
		}
		sum := x.Bias + x.Rest
		for _, part := range x.Parts {
			sum += part.Contribution
		}
		testkit.Close(t, "sum of parts", sum, p.Values.At(i, 0), 1e-10)
	}
}

// TestExplainChangeIsARefit: the change is what refitting without the row gives, with
// the same preparation and the same ridge.
func TestExplainChangeIsARefit(t *testing.T) {
	table := houses(30, 5)
	raw := spec
	raw.Raw, raw.Weights = []string{"*"}, ""
	raw.Drop = []string{"weight"}
	const kernel = "rbf(sigma=20)"
	m := fit(t, table, raw, kernel, krr.Options{Ridge: 0.5, LOO: true})
	p := predict(t, m, houses(2, 6))
	all, err := m.Explain(background, p, mercer.ExplainOptions{Rows: []int{2}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || all[0].Row != "h1" || len(all[0].Parts) != 30 {
		t.Fatalf("asked for row 2, got %+v", all)
	}
	for _, part := range all[0].Parts[:5] {
		row := 0
		for m.Trained[row] != part.Name {
			row++
		}
		refit := fit(t, RemoveFingerprints(table, row), raw, kernel, krr.Options{Ridge: 0.5})
		want := predict(t, refit, houses(2, 6)).Values.At(1, 0) - p.Values.At(1, 0)
		testkit.Close(t, "change without "+part.Name, part.Removal.Difference, want, 1e-8)
	}
}

// TestIntervals: intervals hold the prediction, grow with the level, and cover new
// rows about as often as they say: of 300 rows at 0.9, 300·0.9 ± 4 standard deviations.
func TestIntervals(t *testing.T) {
	m := fit(t, houses(150, 7), spec, "rbf(sigma=median)", krr.Options{Lambda: 1e-3, LOO: true})
	fresh := houses(300, 8)
	p := predict(t, m, fresh)
	price, _ := fresh.Column("price")
	for _, method := range []krr.IntervalMethod{krr.JackknifePlus, krr.Jackknife} {
		lo, hi, err := m.Intervals(background, p, 0.9, method, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wider, _, err := m.Intervals(background, p, 0.95, method, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		covered := 0
		for i, y := range price.Numbers {
			if lo.At(i, 0) <= y && y <= hi.At(i, 0) {
				covered++
			}
			if !(wider.At(i, 0) <= lo.At(i, 0) && lo.At(i, 0) < hi.At(i, 0)) {
				t.Fatalf("%s, row %d: [%v, %v] at 0.9 and from %v at 0.95", method, i, lo.At(i, 0), hi.At(i, 0), wider.At(i, 0))
			}
		}
		// The calibration rows are random too: their share of the variance is 300/150
		// of that of the new rows.
		slack := 4 * math.Sqrt(300*0.9*0.1*(1+300.0/150))
		if d := math.Abs(float64(covered) - 270); d > slack {
			t.Errorf("%s covers %d of 300 rows at 0.9: more than %.0f from 270", method, covered, slack)
		}
	}
}

// TestRemovalNeedsItsParts: what cannot be computed says which fit could.
func TestRemovalNeedsItsParts(t *testing.T) {
	table := houses(30, 5)
	for _, c := range []struct {
		kernel string
		o      krr.Options
		want   string
	}{
		{"rbf(sigma=1)", krr.Options{Lambda: 1e-2}, "--loo"},
		{"linear", krr.Options{Lambda: 1e-2}, "cholesky"},
	} {
		m := fit(t, table, spec, c.kernel, c.o)
		p := predict(t, m, table)
		_, err := m.Explain(background, p, mercer.ExplainOptions{}, compute.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: explaining gives %v, which does not name %s", c.kernel, err, c.want)
		}
		if _, _, err := m.Intervals(background, p, 0.9, krr.JackknifePlus, compute.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: intervals give %v, which does not name %s", c.kernel, err, c.want)
		}
	}
	m := fit(t, table, spec, "rbf(sigma=1)", krr.Options{Lambda: 1e-2, LOO: true})
	if _, err := m.Explain(background, predict(t, m, table), mercer.ExplainOptions{Rows: []int{31}}, compute.Options{}); err == nil {
		t.Error("row 31 of 30 was explained")
	}
}
