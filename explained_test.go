package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

// What a method finds on landmarks is an expansion on these, whichever method it is: shares of
// the landmarks, and of the terms and columns of the kernel, add up to each output. On random
// features the refusal says why.
func TestEveryMethodOnLandmarksIsExplained(t *testing.T) {
	const kernel = "rbf(sigma=1)[x] + 0.5*rbf(sigma=2)[y]"
	table := petals(90)
	labels, numbers := prep.Spec{Targets: []string{"kind"}, Weights: "weight"}, prep.Spec{Targets: []string{"weight"}, Drop: []string{"kind"}}
	for _, c := range []struct {
		method learner.Learner
		spec   prep.Spec
	}{
		{methods.KRR{Options: krr.Options{Lambda: 1e-3}}, numbers},
		{methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: loss.Huber{Scale: 1}}, numbers},
		{methods.SVR{Options: svm.Options{C: 1, Epsilon: 0.1}}, numbers},
		{methods.GP{Options: gp.Options{Noise: 0.1}}, numbers},
		{methods.Quantiles{Taus: []float64{0.2, 0.8}, Options: erm.Options{Lambda: 1e-2}}, numbers},
		{methods.KLR{Options: klr.Options{Lambda: 1e-2}}, labels},
		{methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, labels},
		{methods.Barycentre{}, labels},
		{methods.SVC{Options: svm.Options{C: 1}}, labels},
		{methods.GPC{}, labels},
		{methods.Falkon{Options: falkon.Options{Lambda: 1e-3}, Landmarks: nystrom.Options{Rank: 8}}, labels},
		{methods.KPCA{Options: kpca.Options{Components: 2}}, prep.Spec{NoTarget: true, Drop: []string{"kind", "weight"}}},
	} {
		p, err := task.New(background, table, c.spec, kernel)
		if err != nil {
			t.Fatal(err)
		}
		low := p
		if c.method.Name() != "falkon" {
			if low, err = p.LowRank(background, nystrom.Options{Rank: 8, Seed: 1}); err != nil {
				t.Fatal(err)
			}
		}
		m, err := mercer.Fit(background, low, c.method, 1)
		if err != nil {
			t.Fatalf("%s: %v", c.method.Name(), err)
		}
		said := predict(t, reload(t, m), table)
		some := mercer.ExplainOptions{Rows: []int{1, 40}}
		rows, err := m.Explain(background, said, some, compute.Options{})
		if err != nil {
			t.Errorf("%s by rows: %v", c.method.Name(), err)
			continue
		}
		columns, err := m.BreakDown(background, said, some)
		if err != nil || len(columns) != len(rows) {
			t.Errorf("%s by features: %d explanations, %v", c.method.Name(), len(columns), err)
			continue
		}
		_, outputs := said.Values.Dims()
		for i, x := range rows {
			value := said.Values.At([]int{0, 39}[i/outputs], i%outputs)
			sum := x.Bias
			for _, part := range x.Parts {
				sum += part.Contribution
			}
			testkit.Close(t, c.method.Name()+" by rows", sum, value, 1e-9)
			sum = columns[i].Bias
			for _, term := range columns[i].Terms {
				sum += term.Contribution
			}
			testkit.Close(t, c.method.Name()+" by terms", sum, value, 1e-9)
			if len(x.Parts) != len(m.Trained) || len(columns[i].Terms) != 2 {
				t.Errorf("%s: %d landmarks and %d terms", c.method.Name(), len(x.Parts), len(columns[i].Terms))
			}
		}
	}
	p, err := task.New(background, table, labels, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	_, mapped := mapped(t, p, methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, randomfeatures.Options{Dim: 20})
	said := predict(t, mapped, table)
	_, byRows := mapped.Explain(background, said, mercer.ExplainOptions{}, compute.Options{})
	_, byColumns := mapped.BreakDown(background, said, mercer.ExplainOptions{})
	_, weights := mapped.Features(background, mercer.ExplainOptions{})
	for _, err := range []error{byRows, byColumns, weights} {
		if err == nil || !strings.Contains(err.Error(), "each of which looks at all columns") {
			t.Errorf("on random features: %v", err)
		}
	}
}
