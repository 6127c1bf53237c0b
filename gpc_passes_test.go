package mercer_test

import (
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
)

// A classifier in the features of its own kernel, of rows that are read in passes, is that of the
// Gram matrix: the same evidence and probabilities.
func TestClassifierInItsFeaturesInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	few := make([]int, 700)
	for i := range few {
		few[i] = i
	}
	whole = whole.Gather(few)
	spec := prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}, Missing: prep.Mean}
	const kernel = "poly(degree=2, offset=1)"
	all, err := task.New(t.Context(), blocks, spec, kernel)
	if err != nil {
		t.Fatal(err)
	}
	out := all.Part(few)
	in := out.EvenSample(len(few)) // the same rows in memory
	for _, scale := range []float64{0, 4} {
		var evidence []float64
		var found []*outcome.Prediction
		for _, p := range []*task.Task{in, out} {
			m, err := mercer.Fit(t.Context(), p, methods.GPC{Scale: scale}, 1)
			if err != nil {
				t.Fatal(err)
			}
			evidence = append(evidence, m.Report.(*gp.ClassReport).LogEvidence)
			prediction, err := m.Predict(t.Context(), whole, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, prediction)
		}
		testkit.Close(t, "evidence", evidence[1], evidence[0], 1e-9)
		testkit.CloseSlice(t, "probabilities", found[1].Averages.RawMatrix().Data, found[0].Averages.RawMatrix().Data, 1e-8)
	}
}
