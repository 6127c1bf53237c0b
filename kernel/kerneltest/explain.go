package kerneltest

import (
	"context"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/explanation"
)

// explanation checks that g(x) = Σᵢ cᵢ k(x, xᵢ) taken apart adds up to itself: term by term, by
// the features of x where there are any, and with one weight for all occurrences of a feature.
// An occlusion need not add up. The last third of the points is not among the xᵢ.
func (s *suite[T]) explanation() {
	s.t.Helper()
	n := max(1, 2*len(s.xs)/3)
	points, coef := data.Slice[T](s.xs[:n]), make([]float64, n)
	for i := range coef {
		coef[i] = math.Sin(float64(3*i + 1))
	}
	ctx := context.Background()
	g, err := kernel.Explain(ctx, s.k, data.Set[T](points), coef)
	if err != nil {
		s.errorf("explanation", "%v", err)
		return
	}
	weights := map[string]map[string]float64{}
	lists, err := g.Weights(ctx)
	if err != nil {
		s.errorf("explanation", "weights: %v", err)
		return
	}
	for _, w := range lists {
		weights[w.Term] = map[string]float64{}
		for _, f := range w.Features {
			if _, twice := weights[w.Term][f.Feature]; twice && f.Feature != "" {
				s.errorf("explanation", "the feature %q of %s is listed twice", f.Feature, w.Term)
				return
			}
			weights[w.Term][f.Feature] = f.Value
		}
	}
	for i, x := range s.xs {
		splits, err := g.Split(ctx, x)
		if err != nil {
			s.errorf("explanation", "point %d: %v", i, err)
			return
		}
		want, size, got := 0.0, 0.0, 0.0
		for j, p := range points {
			v := coef[j] * s.k.Eval(x, p)
			want, size = want+v, size+math.Abs(v)
		}
		for _, split := range splits {
			got += split.Value
			size += s.added(i, split, weights[split.Term])
		}
		if math.Abs(got-want) > s.o.Bound*size {
			s.errorf("explanation", "point %d: the terms add up to %v, and g is %v", i, got, want)
			return
		}
	}
}

// added checks the parts of one split, and returns the sum of their magnitudes.
func (s *suite[T]) added(point int, split explanation.Split, weights map[string]float64) (size float64) {
	s.t.Helper()
	sum, largest := 0.0, explanation.Part{}
	for _, p := range split.Parts {
		sum, size = sum+p.Value, size+math.Abs(p.Value)
		if math.Abs(weights[p.Feature]) > math.Abs(weights[largest.Feature]) {
			largest = p
		}
		for _, at := range p.Places {
			if at < 0 || at >= len(split.Places) {
				s.errorf("explanation", "point %d: the feature %q has place %d of %d", point, p.Feature, at, len(split.Places))
				return size
			}
		}
	}
	if split.Rule != explanation.ByFeatures {
		return math.Abs(split.Value)
	}
	if math.Abs(sum-split.Value) > s.o.Bound*size {
		s.errorf("explanation", "point %d: the parts of %s add up to %v, and their split is %v", point, split.Term, sum, split.Value)
	}
	if w := weights[largest.Feature]; w != 0 && largest.Feature != "" {
		by := largest.Value / w // the norm of x
		for _, p := range split.Parts {
			// Features that no xᵢ has may add something to kernels of features that resemble each
			// other.
			if w, known := weights[p.Feature]; known && math.Abs(p.Value-by*w) > s.o.Bound*size {
				s.errorf("explanation", "point %d: one %q adds %v, and its weight is %v·%v", point, p.Feature, p.Value, by, w)
				break
			}
		}
	}
	return size
}
