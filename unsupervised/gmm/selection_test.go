package gmm_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/gmm"
)

// threeGroups draws from three round, distant components of different widths.
func threeGroups(t *testing.T, n int) data.Vectors {
	t.Helper()
	means, err := data.NewVectors(3, 2, []float64{0, 0, 9, 0, 0, 9})
	if err != nil {
		t.Fatal(err)
	}
	variances, err := data.NewVectors(3, 1, []float64{0.3, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	m := &gmm.Mixture{Shape: gmm.Spherical, Weights: []float64{0.3, 0.3, 0.4}, Means: means, Variances: variances}
	x, _, err := m.Sample(n, 5)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Each criterion finds the mixture that has the smallest among all, fitted one by one; BIC
// the one that the rows were drawn from.
func TestChoose(t *testing.T) {
	testkit.SkipUnderRace(t)
	ctx, x := context.Background(), threeGroups(t, 400)
	for _, by := range gmm.Criteria {
		m, r, err := gmm.Choose(ctx, x, gmm.Choices{Least: 1, Most: 5, Shapes: gmm.Shapes, By: by}, gmm.Options{Restarts: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Candidates) != 20 || m.Means.Len() != r.K || m.Shape != r.Shape {
			t.Fatalf("%s: %d candidates, %d %s components reported as %d %s", by, len(r.Candidates), m.Means.Len(), m.Shape, r.K, r.Shape)
		}
		value := func(c gmm.Candidate) float64 {
			return map[gmm.Criterion]float64{gmm.BIC: c.BIC, gmm.AIC: c.AIC, gmm.ICL: c.ICL}[by]
		}
		least := math.Inf(1)
		for _, c := range r.Candidates {
			_, one, err := gmm.Fit(ctx, x, c.K, c.Shape, gmm.Options{Restarts: 3})
			if err != nil {
				t.Fatal(err)
			}
			if one.BIC != c.BIC || one.Parameters != c.Parameters {
				t.Errorf("%s: candidate %+v, fitted alone %v", by, c, one.BIC)
			}
			if !c.Collapsed {
				least = min(least, value(c))
			}
		}
		if got := map[gmm.Criterion]float64{gmm.BIC: r.BIC, gmm.AIC: r.AIC, gmm.ICL: r.ICL}[by]; got != least {
			t.Errorf("%s: chose %v, the smallest is %v", by, got, least)
		}
		if by == gmm.BIC && (r.K != 3 || r.Shape != gmm.Spherical) {
			t.Errorf("BIC chose %d %s components of 3 spherical ones", r.K, r.Shape)
		}
	}
}

// A component on rows that coincide has the likelihood that the floor allows; it is not
// chosen for it.
func TestCollapsedMixturesArePassedOver(t *testing.T) {
	x := threeGroups(t, 120)
	for i := range 12 {
		copy(x.At(i), []float64{3, 3})
	}
	_, r, err := gmm.Choose(context.Background(), x, gmm.Choices{Least: 3, Most: 5, Shapes: []gmm.Shape{gmm.Full}}, gmm.Options{Restarts: 5})
	if err != nil {
		t.Fatal(err)
	}
	collapsed, least := 0, math.Inf(1)
	for _, c := range r.Candidates {
		least = min(least, c.BIC)
		if c.Collapsed {
			collapsed++
		}
	}
	if collapsed == 0 || r.BIC <= least || r.Floored > 0 {
		t.Errorf("%d of %+v have collapsed; chosen: BIC %v, %d at the floor", collapsed, r.Candidates, r.BIC, r.Floored)
	}
}

func TestChoiceErrors(t *testing.T) {
	x := threeGroups(t, 20)
	_, _, err := gmm.Choose(context.Background(), x, gmm.Choices{Least: 4, Most: 2, Shapes: []gmm.Shape{"round"}, By: "best"}, gmm.Options{})
	for _, want := range []string{"4 to 2", "round", "best"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	if _, _, err := gmm.Choose(context.Background(), x, gmm.Choices{Least: 1, Most: 2}, gmm.Options{Start: &gmm.Mixture{}}); err == nil || !strings.Contains(err.Error(), "start") {
		t.Errorf("error %v", err)
	}
	if _, _, err := gmm.Choose(context.Background(), x, gmm.Choices{Least: 20, Most: 21}, gmm.Options{Restarts: 1}); err == nil || !strings.Contains(err.Error(), "21 components for 20 rows") {
		t.Errorf("error %v", err)
	}
}

// The exponentials of the joint logarithms add up to the density and have the soft
// assignments for shares; components of weight 0 can be left out.
func TestJoint(t *testing.T) {
	ctx, x := context.Background(), threeGroups(t, 60)
	for _, shape := range gmm.Shapes {
		m, _, err := gmm.Fit(ctx, x, 3, shape, gmm.Options{Restarts: 1})
		if err != nil {
			t.Fatal(err)
		}
		joint, err := m.Joint(ctx, x, 2)
		if err != nil {
			t.Fatal(err)
		}
		q, logs, err := m.Posterior(ctx, x, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, log := range logs {
			row := mat.Row(nil, i, joint)
			testkit.Close(t, "log density", floats.LogSumExp(row), log, 1e-12)
			for j, v := range row {
				testkit.Close(t, "assignment", math.Exp(v-log), q.At(i, j), 1e-12)
			}
		}
		padded := *m
		padded.Weights = append([]float64{0}, m.Weights...)
		padded.Means = m.Means.Gather([]int{0, 0, 1, 2})
		if shape == gmm.Full {
			padded.Covariances = append(m.Covariances[:1:1], m.Covariances...)
		}
		if m.Variances.Len() > 0 {
			padded.Variances = m.Variances.Gather([]int{0, 0, 1, 2})
		}
		again, err := padded.Positive().Joint(ctx, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(again, joint) || m.Positive() != m {
			t.Errorf("%s: other densities without a component of weight 0", shape)
		}
	}
}
