package dkl

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// Of a function of x₀ − x₁ alone the metric sees that direction, and so does the network after it:
// the third coordinate moves the images less than it moves those of the network that was drawn, and
// the error of the rows that judge is lower before any step.
func TestStartFromMetric(t *testing.T) {
	xs, y := wave(t, 200, 0.05)
	k, slope := parsed(t, "deep(of=rbf(sigma=1.5), widths=[8, 4])")
	from := func(start Start) (*search, float64) {
		s := newSearch(t.Context(), k, slope, xs, y, Options{Start: start, Lambda: 1e-3})
		if start == Metric {
			if err := s.startFromMetric(); err != nil {
				t.Fatal(err)
			}
		}
		e, err := s.evaluate(append(slices.Clone(s.start.Weights), math.Log(1e-3)))
		if err != nil {
			t.Fatal(err)
		}
		return s, e.judged
	}
	drawn, before := from(Drawn)
	started, after := from(Metric)
	if drawn.report.Metric != nil || started.report.Metric == nil || started.report.Metric.Best == 0 {
		t.Fatalf("reports of the metric: %+v and %+v", drawn.report.Metric, started.report.Metric)
	}
	if !(after < before/2) {
		t.Errorf("the error before any step is %v from the metric and %v without", after, before)
	}
	moves := func(s *search) (along, across float64) {
		for i := range 20 {
			x := xs.At(i)
			at := s.start.Image(x)
			gap := func(by ...float64) float64 {
				moved := s.start.Image([]float64{x[0] + by[0], x[1] + by[1], x[2] + by[2]})
				return vec.RBF{Sigma: 1}.Eval(at, moved)
			}
			along, across = along-math.Log(gap(0.07, -0.07, 0)), across-math.Log(gap(0, 0, 0.1))
		}
		return along, across
	}
	a0, b0 := moves(drawn)
	a1, b1 := moves(started)
	if !(b1/a1 < b0/a0/10) {
		t.Errorf("the coordinate that does not count moves images %v times as far as x₀ − x₁, drawn %v", b1/a1, b0/a0)
	}
}

// The rows that judge are not learned from by the metric either: other targets of theirs change the
// choice of the round, and no round.
func TestMetricDoesNotLearnFromJudgedRows(t *testing.T) {
	xs, y := wave(t, 60, 0.1)
	k, slope := parsed(t, "deep(of=rbf(sigma=1.5), widths=[4, 2])")
	relevance := func() []float64 {
		s := newSearch(t.Context(), k, slope, xs, y, Options{Start: Metric, Lambda: 1e-3})
		if err := s.startFromMetric(); err != nil {
			t.Fatal(err)
		}
		return s.report.Metric.Rounds[1].Relevance
	}
	want := relevance()
	for i := 9; i < 60; i += 10 {
		y.Set(i, 0, 5)
	}
	testkit.CloseSlice(t, "relevance", relevance(), want, 0)
}

func TestStartsGiveTheSameBits(t *testing.T) {
	xs, y := wave(t, 80, 0.1)
	k, slope := parsed(t, "deep(of=rbf(sigma=1.5), widths=[4, 2])")
	var first []float64
	for _, workers := range []int{1, 3} {
		o := Options{Start: Metric, Lambda: 1e-3, Steps: 3}
		o.Compute.Workers = workers
		learned, report, err := Learn(t.Context(), k, slope, xs, y, o)
		if err != nil || report.Metric == nil {
			t.Fatal(err)
		}
		if first == nil {
			first = learned.Network.Weights
		}
		if !slices.Equal(first, learned.Network.Weights) {
			t.Errorf("other weights with %d workers", workers)
		}
	}
}
