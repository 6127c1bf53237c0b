package falkon_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/klr"
)

// three turns a problem into one of three labels, some of them wrong.
func (p problem) three(t testing.TB) (problem, []int) {
	two := p.labels(t)
	n, _ := p.y.Dims()
	class, y := make([]int, n), mat.NewDense(n, 3, nil)
	for i := range n {
		for c := range 3 {
			y.Set(i, c, -1)
		}
		if two.y.At(i, 0) > 0 {
			class[i] = 1
			if two.y.At(i, 1) > 0 {
				class[i] = 2
			}
		}
		y.Set(i, class[i], 1)
	}
	p.y = y
	return p, class
}

// TestJointLossWithAllRowsIsMultinomialRegression compares with package klr. P is strongly
// convex: ‖f − f*‖² ≤ 2·gap/λ, and |f(x)| ≤ ‖f‖ where k(x, x) = 1; klr ends at a decrement of
// 1e-12 of its objective.
func TestJointLossWithAllRowsIsMultinomialRegression(t *testing.T) {
	p, class := newProblem(t, 120).three(t)
	for _, weights := range [][]float64{nil, p.w} {
		for _, noIntercept := range []bool{false, true} {
			const lambda = 1e-3
			o := falkon.Options{Lambda: lambda, Weights: weights, NoIntercept: noIntercept, Loss: loss.Logistic{}, Joint: true, Stop: falkon.Stop{Tolerance: 1e-10, Passes: 20000}}
			got, r := p.fit(t, p.uniform(t, 120), o)
			f, exact, err := klr.Fit(t.Context(), p.k, p.xs, class, klr.Options{Lambda: lambda, Weights: weights, NoIntercept: noIntercept})
			if err != nil {
				t.Fatal(err)
			}
			want, err := f.Predict(t.Context(), p.xs, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 2*math.Sqrt(2*r.Gap/lambda) + 2*math.Sqrt(2e-12*exact.Objective/lambda)
			if d := worst(got, want); !(d <= tolerance) || tolerance > 1e-3 || !r.Converged || r.Loss != "softmax" {
				t.Errorf("weighted %v, no intercept %v: values differ by %.3g, %.3g is allowed: %+v", weights != nil, noIntercept, d, tolerance, r)
			}
			if d := math.Abs(r.Objective - exact.Objective); d > r.Gap+1e-12*exact.Objective {
				t.Errorf("objective %v, that of klr %v, gap %g", r.Objective, exact.Objective, r.Gap)
			}
		}
	}
}

// TestJointLossIsTheMinimumOnItsLandmarks compares with Newton's method on the equations as
// they stand, with fewer landmarks than rows and those of k-means, in both precisions.
func TestJointLossIsTheMinimumOnItsLandmarks(t *testing.T) {
	p, class := newProblem(t, 300).three(t)
	const lambda = 1e-4
	for _, scheme := range []nystrom.Scheme{nystrom.Uniform, nystrom.KMeans} {
		l, _, err := nystrom.Landmarks(t.Context(), p.k, p.xs, nystrom.Options{Scheme: scheme, Rank: 15, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		want, objective := p.denseNewton(t, l.Points, class, p.w, lambda)
		for _, precision := range []compute.Precision{compute.Double, compute.Single} {
			got, r := p.fit(t, l, falkon.Options{Lambda: lambda, Weights: p.w, Loss: loss.Logistic{}, Joint: true,
				Stop: falkon.Stop{Tolerance: 1e-9, Passes: 5000}, Compute: compute.Options{Precision: precision}})
			// Jitter on K_mm moves the minimum by at most (λ/2)·jitter·‖β‖², ‖β‖² ≤ ‖f‖²/jitter.
			slack := r.Gap + 1e-12
			if precision == compute.Single {
				slack += lambda * r.Norm2[0] * 1e-2
			}
			if d := r.Objective - objective; !(math.Abs(d) <= slack) || !r.Converged {
				t.Errorf("%s, %v: objective %v, by Newton's method %v; %+v", scheme, precision, r.Objective, objective, r)
			}
			if d := worst(got, want); precision == compute.Double && d > 2*math.Sqrt(2*r.Gap/lambda)+1e-6 {
				t.Errorf("%s: values differ by %.3g, gap %.3g", scheme, d, r.Gap)
			}
			for i := range 300 {
				if precision == compute.Single {
					break // the pulls of the outputs are rounded one by one
				}
				if sum := mat.Sum(got.RowView(i)); math.Abs(sum) > 1e-6 {
					t.Fatalf("%s, %v: the outputs of row %d add up to %g", scheme, precision, i, sum)
				}
			}
		}
	}
}

// denseNewton minimises Σ wℓ/N + (λ/2)Σβ_cᵀK_mmβ_c over β and b by Newton's method with dense
// matrices, and returns the values at the rows.
func (p problem) denseNewton(t *testing.T, landmarks data.Set[[]float64], class []int, w []float64, lambda float64) (*mat.Dense, float64) {
	t.Helper()
	var knm, kmm mat.Dense
	if err := gram.Rect(t.Context(), &knm, kernel.BindPointwise(p.k, p.xs, landmarks), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := gram.Rect(t.Context(), &kmm, kernel.BindPointwise(p.k, landmarks, landmarks), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	n, m := knm.Dims()
	const classes = 3
	total := 0.0
	for _, v := range w {
		total += v
	}
	width := m + 1 // coefficients of a class, and its constant
	design := func(i, a int) float64 {
		if a == m {
			return 1
		}
		return knm.At(i, a)
	}
	at := mat.NewVecDense(classes*width, nil)
	values := mat.NewDense(n, classes, nil)
	objective := 0.0
	for range 60 {
		gradient, hessian := mat.NewVecDense(classes*width, nil), mat.NewDense(classes*width, classes*width, nil)
		objective = 0
		for i := range n {
			var eta, q [classes]float64
			sum := 0.0
			for c := range classes {
				for a := range width {
					eta[c] += design(i, a) * at.AtVec(c*width+a)
				}
				sum += math.Exp(eta[c])
			}
			values.SetRow(i, eta[:])
			objective += w[i] / total * (math.Log(sum) - eta[class[i]])
			for c := range classes {
				q[c] = math.Exp(eta[c]) / sum
			}
			for c := range classes {
				g := q[c]
				if c == class[i] {
					g--
				}
				for a := range width {
					gradient.SetVec(c*width+a, gradient.AtVec(c*width+a)+w[i]/total*g*design(i, a))
					for d := range classes {
						v := -q[c] * q[d]
						if c == d {
							v += q[c]
						}
						v *= w[i] / total * design(i, a)
						for b := range width {
							hessian.Set(c*width+a, d*width+b, hessian.At(c*width+a, d*width+b)+v*design(i, b))
						}
					}
				}
			}
		}
		for c := range classes {
			for a := range m {
				for b := range m {
					v := lambda * kmm.At(a, b)
					gradient.SetVec(c*width+a, gradient.AtVec(c*width+a)+v*at.AtVec(c*width+b))
					hessian.Set(c*width+a, c*width+b, hessian.At(c*width+a, c*width+b)+v)
					objective += v / 2 * at.AtVec(c*width+a) * at.AtVec(c*width+b)
				}
			}
			for d := range classes { // the sum of the constants is 0
				hessian.Set(c*width+m, d*width+m, hessian.At(c*width+m, d*width+m)+1)
			}
		}
		var step mat.VecDense
		if err := step.SolveVec(hessian, gradient); err != nil {
			if _, conditioned := err.(mat.Condition); !conditioned {
				t.Fatal(err)
			}
		}
		at.SubVec(at, &step)
		if mat.Norm(gradient, 2) < 1e-13 {
			break
		}
	}
	return values, objective
}

// TestJointLossHasTheSameBits for any number of workers, and a path is its fits.
func TestJointLossHasTheSameBits(t *testing.T) {
	p, _ := newProblem(t, 1200).three(t)
	l, o := p.uniform(t, 40), falkon.Options{Lambda: 1e-4, Loss: loss.Logistic{}, Joint: true, Compute: compute.Options{Precision: compute.Single}}
	var want *mat.Dense
	for _, workers := range []int{1, 2, 3, 8} {
		o.Compute.Workers = workers
		f, _, err := falkon.Fit(t.Context(), p.k, p.xs, l, p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = f.Coef
		}
		if !mat.Equal(f.Coef, want) {
			t.Errorf("other coefficients with %d workers", workers)
		}
	}
	_, reports, err := falkon.Path(t.Context(), p.k, p.xs, l, p.y, []float64{1e-2, 1e-3, 1e-4}, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		o.Lambda = r.Lambda
		_, alone := p.fit(t, l, o)
		if d := math.Abs(r.Objective - alone.Objective); !(d <= r.Gap+alone.Gap) {
			t.Errorf("λ = %g: objective %v on the path, %v alone; gaps %.3g and %.3g", r.Lambda, r.Objective, alone.Objective, r.Gap, alone.Gap)
		}
	}
}

func TestJointLossIsRefusedInWords(t *testing.T) {
	p, _ := newProblem(t, 50).three(t)
	several := p
	several.y = mat.DenseCopyOf(p.y)
	several.y.SetRow(7, []float64{1, 1, -1})
	for want, c := range map[string]struct {
		on problem
		of loss.Loss
	}{"row 7 of y has 2 labels": {several, loss.Logistic{}}, "joint loss of 3 columns with the loss squared": {p, nil}} {
		_, _, err := falkon.Fit(t.Context(), c.on.k, c.on.xs, c.on.uniform(t, 5), c.on.y, falkon.Options{Lambda: 1, Loss: c.of, Joint: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, it should say %q", err, want)
		}
	}
}
