package nystrom_test

import (
	"testing"

	"example.org/mercer/approx/nystrom"
)

// A kernel of six dimensions is exhausted by six landmarks, and five leave something.
func TestEstimateOfDimensions(t *testing.T) {
	xs := cloud(t, 1, 300, 2)
	f, err := nystrom.NewEstimate(background, parse(t, "poly(degree=2, offset=1)"), xs, 50, nystrom.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if f.Trace(6) > 1e-12 || f.Trace(50) > 1e-12 || f.Trace(5) < 1e-9 {
		t.Errorf("five, six and fifty landmarks leave %g, %g and %g; want some, none, none", f.Trace(5), f.Trace(6), f.Trace(50))
	}
	if f.Block(6) > 1e-12 || f.Block(50) > 1e-12 || f.Block(5) < 1e-9 {
		t.Errorf("five, six and fifty landmarks are off by %g, %g and %g; want some, nothing, nothing", f.Block(5), f.Block(6), f.Block(50))
	}
	if m, ok := f.Landmarks(1e-10); m != 6 || !ok {
		t.Errorf("%d landmarks, %v, want 6", m, ok)
	}
}

// What landmarks chosen from all rows leave of all rows is at most what was the estimate, and
// not much less. Both are means over 1000 and 400 rows of a share with a deviation below
// its mean, so that the estimate is right within 4·(1/√400 + 1/√1000) < 0.33; the rest of
// the lower bound is what better candidates may gain.
func TestLandmarksLeaveWhatWasEstimated(t *testing.T) {
	xs, k := cloud(t, 2, 1000, 4), parse(t, "rbf(sigma=1)")
	f, err := nystrom.NewEstimate(background, k, xs, 200, nystrom.Options{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if f.Rows != 400 || f.Candidates != 400 {
		t.Errorf("%d rows judged and %d candidates, want 400 and 400", f.Rows, f.Candidates)
	}
	for j := 1; j < len(f.Traces); j++ {
		if f.Traces[j] > f.Traces[j-1] {
			t.Fatalf("%d landmarks leave more than %d", j+1, j)
		}
	}
	for _, m := range []int{10, 50, 200} {
		low := approximate(t, k, xs, m, workers(2))
		left, err := low.TraceError(background, xs, nil, workers(2))
		if err != nil {
			t.Fatal(err)
		}
		if ratio := left / f.Trace(m); ratio < 0.4 || ratio > 1.33 {
			t.Errorf("%d landmarks leave %g, %g was the estimate", m, left, f.Trace(m))
		}
		// So is the block, less well: its squares are mostly those of the few rows that are far
		// from all landmarks, whose number doubles and halves between samples, and more
		// candidates leave fewer of them.
		e, err := low.Errors(background, xs, 9, workers(2))
		if err != nil {
			t.Fatal(err)
		}
		if ratio := e.Block / f.Block(m); ratio < 0.2 || ratio > 2 {
			t.Errorf("%d landmarks are off by %g, %g was the estimate", m, e.Block, f.Block(m))
		}
	}
}

func TestEstimateBits(t *testing.T) {
	xs, k := cloud(t, 5, 200, 3), parse(t, "rbf(sigma=1)")
	var first *nystrom.Estimate
	for _, n := range []int{1, 2, 3, 8} {
		f, err := nystrom.NewEstimate(background, k, xs, 40, nystrom.Options{Compute: workers(n)})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = f
		}
		for j := range first.Traces {
			if f.Traces[j] != first.Traces[j] || f.Blocks[j] != first.Blocks[j] {
				t.Fatalf("%d workers: %d landmarks leave %v, off by %v, one worker says %v, %v", n, j+1, f.Traces[j], f.Blocks[j], first.Traces[j], first.Blocks[j])
			}
		}
	}
	if _, err := nystrom.NewEstimate(background, k, cloud(t, 5, 1, 3), 40, nystrom.Options{}); err == nil {
		t.Error("one point was judged by others")
	}
}
