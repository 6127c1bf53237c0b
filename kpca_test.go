package mercer_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

// untargetedSpec prepares petals without their kinds; weights are those of the table.
var untargetedSpec = prep.Spec{NoTarget: true, Drop: []string{"kind"}, Weights: "weight", Raw: []string{"*"}}

// The model has the scores of package kpca, before and after a file, also of new rows.
func TestKernelComponents(t *testing.T) {
	table := petals(80)
	for _, o := range []kpca.Options{{}, {Components: 3, Solver: kpca.Lanczos}} {
		p, m := learnPetals(t, table, untargetedSpec, petalKernel, methods.KPCA{Options: o})
		k, err := vec.Parse(petalKernel)
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = p.Rows.W
		want, report, err := kpca.Fit(background, k, p.Rows.X, o)
		if err != nil {
			t.Fatal(err)
		}
		fresh := petals(20)
		for i := range fresh.Columns[0].Numbers {
			fresh.Columns[0].Numbers[i] += 0.1
		}
		for _, rows := range []*data.Table{table, fresh} {
			got := predict(t, reload(t, m), rows)
			scores, err := want.Predict(background, got.Rows.X, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "scores", got.Values.RawMatrix().Data, scores.RawMatrix().Data, 1e-12)
			if len(got.Outputs) != report.Components || got.Outputs[1] != "PC2" || got.Class(0, 0) != -1 {
				t.Errorf("outputs %v, class %d", got.Outputs, got.Class(0, 0))
			}
		}
		if v, err := reload(t, m).Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
			t.Errorf("verification: %v", err)
		}
		parts, err := m.Explain(background, predict(t, m, table), mercer.ExplainOptions{Top: 2, Rows: []int{3}}, compute.Options{})
		if err != nil || len(parts) != report.Components || len(parts[0].Parts) != 2 {
			t.Errorf("%d explanations: %v", len(parts), err)
		}
	}
}

// An indefinite matrix is treated as for every method in index space.
func TestKernelComponentsOfTreatedMatrix(t *testing.T) {
	p, err := task.New(background, petals(40), untargetedSpec, "tanh(scale=2, offset=-1)")
	if err != nil {
		t.Fatal(err)
	}
	p.Indefinite = gram.Clip
	m, err := mercer.Fit(background, p, methods.KPCA{Options: kpca.Options{Components: 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := m.Report.(*kpca.Report)
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "clip") }) {
		t.Errorf("warnings %q", r.Warnings)
	}
	// The scores of training rows have the variances of the report.
	scores, sum, total := predict(t, m, petals(40)).Values, 0.0, 0.0
	for i, w := range p.Rows.W {
		sum += w * scores.At(i, 0) * scores.At(i, 0)
		total += w
	}
	testkit.Close(t, "variance", sum/total, r.Variances[0], 1e-10)
}

func TestTargetsAreRefusedWithoutUse(t *testing.T) {
	p, err := task.New(background, petals(20), petalSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, p, methods.KPCA{}, 1); err == nil || !strings.Contains(err.Error(), "without a target") {
		t.Errorf("error %v", err)
	}
}

// What does not speak of a target is not scored by it.
func TestMembersAreNotScoredByTargets(t *testing.T) {
	table := petals(40)
	_, m := learnPetals(t, table, petalSpec, petalKernel, methods.OneClass{})
	p, err := m.Test(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Scores(); err == nil || !strings.Contains(err.Error(), "member") {
		t.Errorf("error %v", err)
	}
}

// One matrix in single precision where that is asked for, none under a tight limit, and
// the whole decomposition for all components.
func TestPlansOfComponents(t *testing.T) {
	const n = 2500
	p, err := task.New(background, petals(n), untargetedSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o      kpca.Options
		solver kpca.Solver
		matrix int64 // bytes
	}{
		{kpca.Options{}, kpca.Exact, 40 * n * n},
		{kpca.Options{Components: 2}, kpca.Lanczos, 4 * n * n},
		{kpca.Options{Components: 400, Compute: compute.Options{Precision: compute.Single}}, kpca.Lanczos, 2 * n * n},
		{kpca.Options{Components: 2, Compute: compute.Options{Precision: compute.Single}}, kpca.Lanczos, 2 * n * n},
		{kpca.Options{Components: 2, Compute: compute.Options{MaxMemory: 8 << 20}}, kpca.Lanczos, 0},
	} {
		plan, err := learner.Plan(background, p, methods.KPCA{Options: c.o})
		if err != nil {
			t.Fatal(err)
		}
		beside := plan.Memory - plan.Machine.Resident - c.matrix
		basis := int64(8 * n * (4*c.o.Components + 20*48))
		if plan.Solver != string(c.solver) || beside < 0 || beside > basis+c.matrix/5+(32<<20) || !(plan.Seconds > 0) {
			t.Errorf("%+v: %s with %d bytes beside the matrix", c.o, plan.Solver, beside)
		}
	}
}
