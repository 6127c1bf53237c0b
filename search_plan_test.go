package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// TestPlanTuneCountsFits: a plan names the kernels and fits of the search, costs grow with
// them, and a search in features holds no matrix.
func TestPlanTuneCountsFits(t *testing.T) {
	table, spec := houses(400, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id"}}
	plan := func(m learner.Learner, o search.Search, fit func(learner.Learner) learner.Learner) compute.Plan {
		t.Helper()
		_, plan, err := search.PlanTune(background, table, spec, "rbf(sigma=?)", m, o, fit)
		if err != nil {
			t.Fatal(err)
		}
		if !(plan.Seconds > 0) || plan.Memory <= 0 {
			t.Fatalf("%v s and %d bytes", plan.Seconds, plan.Memory)
		}
		return plan
	}
	has := func(p compute.Plan, stage string) bool {
		for _, s := range p.Stages {
			if strings.HasPrefix(s.Stage, stage) {
				return true
			}
		}
		return false
	}
	robust := methods.ERM{Options: erm.Options{Lambda: 1}}
	few := plan(robust, search.Search{Splits: search.Splits{Folds: 2}, Options: tune.Options{Trials: 1}, Ranges: search.Ranges{Grid: map[string][]float64{"lambda": {1}}}}, nil)
	many := plan(robust, search.Search{}, func(m learner.Learner) learner.Learner { return m })
	if !has(few, "Gram matrices (1)") || !has(few, "fits to parts of the rows (2)") || has(few, "fit") && few.Stages[len(few.Stages)-1].Stage == "fit" {
		t.Errorf("stages %+v", few.Stages)
	}
	if !has(many, "Gram matrices (7)") || !has(many, "fits to parts of the rows (245)") || many.Stages[len(many.Stages)-1].Stage != "fit" || !(many.Flops > 50*few.Flops) {
		t.Errorf("stages %+v, beside %v flops", many.Stages, few.Flops)
	}
	reduced := plan(robust, search.Search{Approximation: task.Approximation{Landmarks: &nystrom.Options{Rank: 50}}}, nil)
	drawn := plan(robust, search.Search{Approximation: task.Approximation{Features: &randomfeatures.Options{Dim: 60}}}, nil)
	own := plan(methods.Falkon{Options: falkon.Options{Lambda: 1e-3}, Landmarks: nystrom.Options{Rank: 50}}, search.Search{}, nil)
	for _, p := range []compute.Plan{reduced, drawn, own} {
		if has(p, "Gram") || has(p, "statistics") || !(p.Flops < many.Flops) {
			t.Errorf("stages %+v", p.Stages)
		}
	}
	metric := plan(robust, search.Search{Metric: search.Metric{Shape: mahalanobis.Full, Rounds: 2}}, nil)
	if !(metric.Flops > many.Flops) { // 3 searches on four fifths of the rows
		t.Errorf("%v flops for three metrics, %v for one", metric.Flops, many.Flops)
	}
}

// TestPlanTune: a grid has a decomposition for each kernel, and for each split where there are any.
func TestPlanTune(t *testing.T) {
	table, spec := houses(500, 4), prep.Spec{Targets: []string{"price"}, Drop: []string{"id"}}
	plan := func(s search.Search, fit func(learner.Learner) learner.Learner) compute.Plan {
		t.Helper()
		_, plan, err := search.PlanTune(background, table, spec, "rbf(sigma=?)", methods.KRR{}, s, fit)
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	loo := plan(search.Search{}, func(m learner.Learner) learner.Learner { return m })
	cv := plan(search.Search{Splits: search.Splits{Folds: 5}, Criterion: tune.CV}, nil)
	descent := plan(search.Search{Ranges: search.Ranges{PerColumn: true}, Criterion: krr.Evidence}, nil)
	// A decomposition takes 5n³ flops: 13 of all rows beside 65 of four fifths.
	if ratio := cv.Flops / loo.Flops; ratio < 1.5 || ratio > 5 {
		t.Errorf("five folds take %v times the flops of none", ratio)
	}
	if last := loo.Stages[len(loo.Stages)-1]; last.Stage != "fit" {
		t.Errorf("the last stage is %+v", last)
	}
	if last := descent.Stages[len(descent.Stages)-1]; !strings.HasPrefix(last.Stage, "evidence and gradients") || !(last.Flops > 0) {
		t.Errorf("the last stage is %+v", last)
	}
	if _, _, err := search.PlanTune(background, table, prep.Spec{Drop: []string{"id"}}, "rbf(sigma=?)", methods.KRR{}, search.Search{}, nil); err == nil {
		t.Error("a search without a target has a plan")
	}
}
