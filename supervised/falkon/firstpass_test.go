package falkon_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/supervised/falkon"
)

// TestFirstPassIsAStep: after one pass f is where P is least on the line through 0 and f,
//
//	Σ wᵢ(yᵢ − b − f(xᵢ))f(xᵢ) = R‖f‖²,
//
// and a pass for the right-hand side alone was not made.
func TestFirstPassIsAStep(t *testing.T) {
	p := newProblem(t, 600)
	points := p.uniform(t, 60)
	points.Rows = nil
	for name, l := range map[string]*nystrom.Selection[[]float64]{"rows": p.uniform(t, 60), "no rows": points} {
		for _, free := range []bool{true, false} {
			o := falkon.Options{Lambda: 1e-4, Weights: p.w, NoIntercept: !free, Stop: falkon.Stop{Passes: 1, Tolerance: 1e-9}}
			f, r, err := falkon.Fit(t.Context(), p.k, p.xs, l, p.y, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Passes != 1 || r.Gradients != 1 || r.DoublePasses != 1 || r.Start != 1 || !(r.Residual < 0.5) {
				t.Errorf("%s, intercept %v: %+v", name, free, r)
			}
			values, err := f.Predict(t.Context(), p.xs, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for c, b := range f.Bias {
				slope, size := -r.Ridge*r.Norm2[c], r.Ridge*r.Norm2[c]
				for i, w := range p.w {
					with := values.At(i, c) - b
					term := w * (p.y.At(i, c) - values.At(i, c)) * with
					slope, size = slope+term, size+math.Abs(term)
				}
				// 600·60 products of factors that K_mm⁻¹ has blown up by the root of its condition.
				if !(math.Abs(slope) <= 1e-9*size) {
					t.Errorf("%s, intercept %v, target %d: the slope along the line is %.3g, its terms %.3g", name, free, c, slope, size)
				}
			}
		}
	}
}

// With all rows as landmarks and no intercept the rows that stand for all are all rows.
func TestFirstPassIsExactForAllRows(t *testing.T) {
	p := newProblem(t, 150)
	l, o := p.uniform(t, 150), falkon.Options{Lambda: 1e-3, NoIntercept: true, Stop: falkon.Stop{Passes: 1}}
	got, r := p.fit(t, l, o)
	want := p.bruteForce(t, l, nil, o.Lambda, false)
	got.Sub(got, want)
	if off := mat.Norm(got, 2) / mat.Norm(want, 2); !r.Converged || !(off <= 1e-8) {
		t.Errorf("values are off by %.3g of their length: %+v", off, r)
	}
}

// What a row of weight 0 has for a target is not seen, though it may be a landmark or in the
// sample.
func TestFirstPassDoesNotSeeRowsWithoutWeight(t *testing.T) {
	p := newProblem(t, 200)
	for i := range 100 {
		p.w[2*i] = 0
	}
	o := falkon.Options{Lambda: 1e-4, Weights: p.w, Stop: falkon.Stop{Passes: 1}}
	want, _ := p.fit(t, p.uniform(t, 40), o)
	for i := range 100 {
		p.y.Set(2*i, 0, 1e6)
	}
	if got, _ := p.fit(t, p.uniform(t, 40), o); !mat.Equal(got, want) {
		t.Error("a target of weight 0 changes the fit")
	}
}

// A target that is constant is learned by f = 0, beside one that is not.
func TestFirstPassLeavesAConstantAlone(t *testing.T) {
	p := newProblem(t, 300)
	for i := range 300 {
		p.y.Set(i, 1, 7)
	}
	values, r := p.fit(t, p.uniform(t, 40), falkon.Options{Lambda: 1e-4})
	for i := range 300 {
		if off := math.Abs(values.At(i, 1) - 7); !(off <= 1e-12) {
			t.Fatalf("row %d: the constant 7 is %v", i, values.At(i, 1))
		}
	}
	if !r.Converged {
		t.Errorf("%+v", r)
	}
}
