package mercer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/supervised/svm"
)

// repeated returns the rows of a table as often as their column of weights says.
func repeated(t *data.Table) *data.Table {
	var rows []int
	for i, w := range t.Columns[2].Numbers {
		for range int(w) {
			rows = append(rows, i)
		}
	}
	return t.Gather(rows)
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

// For every method a weight of 2 is the row written twice, and a weight of 0 no row: the
// values at all rows are the same. (What comes from rows left out, as in Calibrated, is not
// compared: leaving out one of two equal rows leaves the other. The maps and scores made of
// such values have their own tests.)
func TestAWeightOfTwoIsARowTwiceForEveryMethod(t *testing.T) {
	t.Parallel()
	table := weightedMeadows(60)
	spec := func(target string, form prep.Form, weights string) prep.Spec {
		s := meadowSpec(target, form, weights)
		for _, other := range []string{"number", "two", "three"} {
			if other != target {
				s.Drop = append(s.Drop, other)
			}
		}
		return s
	}
	tight := func(o svm.Options) svm.Options { o.Tolerance = 1e-10; return o }
	type method struct {
		m      learner.Learner
		target string
		form   prep.Form
		eps    float64
	}
	// A direct solver answers to the rounding of its condition. Iterations stop at a gap:
	// of 1e-10 for machines, whose objective is strongly convex in f, so that values agree
	// to its root; and of 1e-8 for losses, as in the tests of package erm.
	const direct, iterated, gap = 1e-9, 1e-5, 2e-4
	all := []method{
		{learner.KRR{Options: krr.Options{Lambda: 1e-2}}, "number", "", direct},
		{learner.KRR{Options: krr.Options{Lambda: 1e-2}}, "three", "", direct},
		{learner.KLR{Options: klr.Options{Lambda: 1e-2}}, "two", "", iterated},
		{learner.KLR{Options: klr.Options{Lambda: 1e-2}}, "three", "", iterated},
		{learner.GP{Options: gp.Options{Noise: 0.1}}, "number", "", direct},
		{learner.GPC{}, "two", "", iterated},
		{learner.SVC{Options: tight(svm.Options{C: 2})}, "two", "", iterated},
		{learner.SVC{Options: tight(svm.Options{C: 2}), Balanced: true}, "three", "", iterated},
		{learner.SVC{Options: tight(svm.Options{C: 2, Scheme: svm.OneVsRest})}, "three", "", iterated},
		{learner.SVC{Options: tight(svm.Options{C: math.Inf(1)})}, "two", "", iterated},
		{learner.SVC{Options: tight(svm.Options{Type: svm.NuSVC, Nu: 0.3})}, "two", "", iterated},
		{learner.SVR{Options: tight(svm.Options{C: 2})}, "number", "", iterated},
		{learner.SVR{Options: tight(svm.Options{Type: svm.NuSVR, C: 2})}, "number", "", iterated},
		{learner.OneClass{Options: tight(svm.Options{Nu: 0.3})}, "number", "", iterated},
		{learner.KFDA{Options: kfda.Options{Lambda: 1e-2}}, "two", "", 1e-8},
		{learner.KFDA{Options: kfda.Options{Lambda: 1e-2}}, "three", "", 1e-8},
		{learner.Barycentre{}, "three", "", direct},
		{learner.Quantiles{Options: erm.Options{Lambda: 1e-2}, Taus: []float64{0.2, 0.5, 0.8}}, "number", "", gap},
	}
	for _, text := range []string{"squared", "absolute", "huber", "tukey", "quantile(tau=0.7)", "insensitive(epsilon=0.1)", "logistic", "hinge", "squared-hinge"} {
		l, err := loss.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		target := "number"
		if slices.Contains([]string{"logistic", "hinge", "squared-hinge"}, text) {
			target = "two"
		}
		all = append(all, method{learner.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: l}, target, "", gap})
	}
	for _, c := range meadowCases {
		all = append(all, method{learner.Structured{Options: structured.Options{Lambda: 1e-2}, Output: c.answers}, c.target, c.form, direct})
	}
	for _, c := range all {
		t.Run(strings.TrimSpace(fmt.Sprintf("%s %s", c.m.Name(), c.target)), func(t *testing.T) {
			_, weighted := learnPetals(t, table, spec(c.target, c.form, "weight"), "rbf(sigma=0.8)", c.m)
			_, twice := learnPetals(t, repeated(table), spec(c.target, c.form, ""), "rbf(sigma=0.8)", c.m)
			a, b := predict(t, weighted, table), predict(t, twice, table)
			if rows, outputs := a.Values.Dims(); rows != 60 || outputs == 0 {
				t.Fatalf("%d×%d values", rows, outputs)
			}
			testkit.CloseSlice(t, "values", a.Values.RawMatrix().Data, b.Values.RawMatrix().Data, c.eps)
		})
	}
}
