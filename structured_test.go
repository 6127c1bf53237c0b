package mercer_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/task"
)

// meadows has rows with a place and three targets: which of four kinds grow there, an
// order of them, and a line of three states.
func meadows(rows int) *data.Table {
	r := testkit.Rand(silent{}, 7)
	t := &data.Table{Source: "meadows", Headed: true, Columns: []data.Column{{Name: "x"}, {Name: "y"}, {Name: "weight"},
		{Name: "kinds", Kind: data.Categorical}, {Name: "order", Kind: data.Categorical}, {Name: "line", Kind: data.Categorical}}}
	names := []string{"ash", "beech", "cedar", "fir"}
	for i := range rows {
		x, y := r.NormFloat64(), r.NormFloat64()
		value := []float64{x, y, -x, x * y}
		set, order, line := []string(nil), slices.Clone(names), []string(nil)
		for j, name := range names {
			if value[j]+0.2*r.NormFloat64() > 0.3 {
				set = append(set, name)
			}
		}
		slices.SortFunc(order, func(a, b string) int {
			return cmp.Compare(value[slices.Index(names, b)], value[slices.Index(names, a)])
		})
		for place := range 3 {
			line = append(line, []string{"dry", "wet"}[int(math.Abs(math.Floor(x+float64(place)*y)))%2])
		}
		for j, v := range []float64{x, y, float64(1 + i%2)} {
			t.Columns[j].Numbers = append(t.Columns[j].Numbers, v)
		}
		for j, v := range []string{strings.Join(set, "|"), strings.Join(order, ">"), strings.Join(line, " ")} {
			if v == "" {
				v = "{}"
			}
			t.Columns[3+j].Strings = append(t.Columns[3+j].Strings, v)
		}
	}
	return t
}

func meadowSpec(target string, form prep.Form, weights string) prep.Spec {
	s := prep.Spec{Targets: []string{target}, Form: form, Raw: []string{"*"}, Weights: weights}
	for _, other := range []string{"kinds", "order", "line", "weight"} {
		if other != target && other != weights {
			s.Drop = append(s.Drop, other)
		}
	}
	return s
}

var meadowCases = []struct {
	target  string
	form    prep.Form
	answers outcome.StructuredOutput
}{
	{"kinds", prep.Set, outcome.StructuredOutput{}},
	{"kinds", prep.Set, outcome.StructuredOutput{Loss: "f1"}},
	{"order", prep.Ranking, outcome.StructuredOutput{}},
	{"order", prep.Ranking, outcome.StructuredOutput{Loss: "footrule"}},
	{"order", prep.Ranking, outcome.StructuredOutput{Loss: "kendall"}},
	{"line", prep.Sequence, outcome.StructuredOutput{}},
	{"line", prep.Sequence, outcome.StructuredOutput{Chain: 0.5}},
}

// The answers of a model, before and after its file, are those of package structured; a
// fresh table needs no target.
func TestStructuredEqualsItsPackage(t *testing.T) {
	table, o := meadows(80), structured.Options{Lambda: 1e-2, LOO: true}
	for _, c := range meadowCases {
		p, m := learnPetals(t, table, meadowSpec(c.target, c.form, "weight"), petalKernel, methods.Structured{Options: o, Output: c.answers})
		fresh := meadows(120).Gather([]int{90, 100, 110})
		want, loss := packaged(t, p, c.form, c.answers, o, fresh)
		report := m.Report.(*structured.Report)
		testkit.Close(t, c.target+" leave-one-out loss", *report.LOOLoss, loss, 1e-12)
		for _, m := range []*mercer.Model{m, reload(t, m)} {
			if v, err := m.Verify(background, compute.Options{}); err != nil || v.Rows != 5 {
				t.Errorf("%s %+v: verified %v, %v", c.target, c.answers, v, err)
			}
			got := predict(t, m, fresh)
			for i := range want {
				if got.Label(i, 0) != want[i] {
					t.Errorf("%s %+v, row %d: %s, want %s", c.target, c.answers, i, got.Label(i, 0), want[i])
				}
			}
		}
	}
}

// packaged returns the answers for the rows of a table, and the leave-one-out loss.
func packaged(t *testing.T, p *task.Task, form prep.Form, a outcome.StructuredOutput, o structured.Options, fresh *data.Table) ([]string, float64) {
	t.Helper()
	o.Weights = p.Rows.W
	n, target := p.Rows.X.Len(), p.Prep.Targets()[0]
	q := len(target.Items)
	rows, err := p.Prep.ApplyInputs(fresh)
	if err != nil {
		t.Fatal(err)
	}
	var codes [][]float64
	var r *structured.Report
	if form == prep.Set {
		ys := make([][]bool, n)
		for i := range ys {
			for _, v := range p.Rows.Y.RawRowView(i) {
				ys[i] = append(ys[i], v == 1)
			}
		}
		var out structured.Output[[]bool] = structured.LabelSet{Labels: q}
		if a.Loss == "f1" {
			out = structured.LabelSetF1{Labels: q}
		}
		var h model.Predictor[[]float64]
		if h, r, err = structured.Fit(background, vec.RBF{Sigma: 1}, p.Rows.X, ys, out, o); err != nil {
			t.Fatal(err)
		}
		sets, err := structured.Predict(background, h, out, rows.X, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range sets {
			code := make([]float64, q)
			for l, in := range set {
				if in {
					code[l] = 1
				}
			}
			codes = append(codes, code)
		}
	} else {
		ys := make([][]int, n)
		for i := range ys {
			for _, v := range p.Rows.Y.RawRowView(i) {
				ys[i] = append(ys[i], int(v))
			}
		}
		out := map[string]structured.Output[[]int]{
			"ranking": structured.Ranking{Items: q}, "rankingfootrule": structured.Ranking{Items: q, Distance: structured.Footrule},
			"rankingkendall": structured.Kendall{Items: q}, "sequence": structured.Sequence{Length: 3, Labels: q, Chain: a.Chain}}[string(form)+a.Loss]
		var h model.Predictor[[]float64]
		if h, r, err = structured.Fit(background, vec.RBF{Sigma: 1}, p.Rows.X, ys, out, o); err != nil {
			t.Fatal(err)
		}
		lines, err := structured.Predict(background, h, out, rows.X, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			code := make([]float64, len(line))
			for i, v := range line {
				code[i] = float64(v)
			}
			codes = append(codes, code)
		}
	}
	var cells []string
	for _, code := range codes {
		cells = append(cells, target.FormatCell(code))
	}
	return cells, *r.LOOLoss
}

// Scores of answers by hand, weighted.
func TestAnswerScores(t *testing.T) {
	table := meadows(60)
	for _, c := range meadowCases {
		_, m := learnPetals(t, table, meadowSpec(c.target, c.form, "weight"), petalKernel, methods.Structured{Options: structured.Options{Lambda: 0.1}, Output: c.answers})
		p, err := m.Test(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := p.Scores()
		if err != nil {
			t.Fatal(err)
		}
		s := all[0]
		same, f1, wrong, tau, rho, total := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
		for i := range 60 {
			w, y, z := p.Rows.W[i], p.Label(i, 0), table.Columns[slices.IndexFunc(table.Columns, func(k data.Column) bool { return k.Name == c.target })].Strings[i]
			total += w
			if y == z {
				same += w
			}
			switch c.form {
			case prep.Set:
				a, b := cellSet(y), cellSet(z)
				both := 0
				for name := range a {
					if b[name] {
						both++
					}
				}
				wrong += w * float64(len(a)+len(b)-2*both) / 4
				if len(a)+len(b) > 0 {
					f1 += w * 2 * float64(both) / float64(len(a)+len(b))
				} else {
					f1 += w
				}
			case prep.Sequence:
				a, b := strings.Fields(y), strings.Fields(z)
				for k := range a {
					if a[k] != b[k] {
						wrong += w / 3
					}
				}
			case prep.Ranking:
				a, b := strings.Split(y, ">"), strings.Split(z, ">")
				for i, one := range a {
					d := float64(i - slices.Index(b, one))
					rho -= w * d * d * 6 / (4 * 15)
					for _, other := range a[i+1:] {
						if slices.Index(b, one) > slices.Index(b, other) {
							tau -= w * 2 / 6
						}
					}
				}
			}
		}
		name := fmt.Sprint(c.target, c.answers)
		testkit.Close(t, name+" same", s.Same, same/total, 1e-12)
		switch c.form {
		case prep.Set:
			testkit.Close(t, name+" F1", *s.StructuredScores.F1, f1/total, 1e-12)
			testkit.Close(t, name+" Hamming", *s.Hamming, wrong/total, 1e-12)
		case prep.Sequence:
			testkit.Close(t, name+" Hamming", *s.Hamming, wrong/total, 1e-12)
		case prep.Ranking:
			testkit.Close(t, name+" τ", *s.Kendall, 1+tau/total, 1e-12)
			testkit.Close(t, name+" ρ", *s.Spearman, 1+rho/total, 1e-12)
		}
		testkit.Close(t, name+" loss", s.StructuredScores.Loss, m.Report.(*structured.Report).Loss, 1e-12)
	}
}

func cellSet(cell string) map[string]bool {
	set := map[string]bool{}
	if cell != "{}" {
		for name := range strings.SplitSeq(cell, "|") {
			set[name] = true
		}
	}
	return set
}

// Every answer that is asked for where there is none is refused.
func TestStructuredRefuses(t *testing.T) {
	table := meadows(20)
	for want, c := range map[string]struct {
		spec prep.Spec
		m    learner.Learner
	}{
		`has no loss "f1"`:      {meadowSpec("order", prep.Ranking, ""), methods.Structured{Output: outcome.StructuredOutput{Loss: "f1"}}},
		"no sequence but a set": {meadowSpec("kinds", prep.Set, ""), methods.Structured{Output: outcome.StructuredOutput{Chain: 1}}},
		"finite number ≥ 0":     {meadowSpec("line", prep.Sequence, ""), methods.Structured{Output: outcome.StructuredOutput{Chain: -1}}},
		"one label or number":   {meadowSpec("kinds", prep.One, ""), methods.Structured{}},
		"lambda is 0":           {meadowSpec("kinds", prep.Set, ""), methods.Structured{}},
		"use structured":        {meadowSpec("kinds", prep.Set, ""), methods.SVR{}},
	} {
		p, err := task.New(background, table, c.spec, petalKernel)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mercer.Fit(background, p, c.m, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	// An answer that only a decoder reads is not explained.
	_, m := learnPetals(t, table, meadowSpec("order", prep.Ranking, ""), petalKernel, methods.Structured{Options: structured.Options{Lambda: 1}, Output: outcome.StructuredOutput{Loss: "kendall"}})
	if _, err := m.Explain(background, predict(t, m, table), mercer.ExplainOptions{}, compute.Options{}); err == nil || !strings.Contains(err.Error(), "decoder reads") {
		t.Errorf("explained: %v", err)
	}
}
