package falkon

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
)

// movable is a problem with weights, two outputs, and a map that is no identity.
func movable(t *testing.T, o Options, d LandmarkOptions) (p *projection, theta []float64, xs data.Vectors, y *mat.Dense) {
	t.Helper()
	rng := testkit.Rand(t, 81)
	xs, y = data.MakeVectors(60, 3), mat.NewDense(60, 2, nil)
	for i := range 60 {
		x := xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y.SetRow(i, []float64{math.Sin(x[0] + x[1]), x[2]*x[2] + 0.1*rng.NormFloat64()})
		o.Weights = append(o.Weights, float64(1+i%3))
	}
	k := vec.RBF{Sigma: 1.5}
	slope, err := vec.SlopeOf(k)
	if err != nil {
		t.Fatal(err)
	}
	landmarks := xs.Gather([]int{0, 11, 22, 33, 44, 55})
	d.Start = []float64{1, 0.2, 0, -0.1, 0.8, 0.3, 0, 0.1, 1.1}
	if p, err = newProjection(k, gradients.Pairwise(slope), xs, 6, y, o, d); err != nil {
		t.Fatal(err)
	}
	return p, p.start(landmarks), xs, y
}

// Central differences with a step of 1e-5 are right to 1e-10 times a third derivative of the
// objective, and to the rounding of the coefficients over the step.
func TestGradientOfTheProjectionIsThatOfDifferences(t *testing.T) {
	const h = 1e-5
	for _, of := range Movings {
		for _, free := range []bool{true, false} {
			p, theta, _, _ := movable(t, Options{Lambda: 1e-3, NoIntercept: !free}, LandmarkOptions{Of: of})
			q, err := p.at(t.Context(), theta)
			if err != nil {
				t.Fatal(err)
			}
			size := 0.0
			for _, g := range q.grad {
				size = math.Max(size, math.Abs(g))
			}
			for i := range theta {
				moved := slices.Clone(theta)
				value := func(at float64) float64 {
					moved[i] = at
					q, err := p.at(t.Context(), moved)
					if err != nil {
						t.Fatal(err)
					}
					return q.value
				}
				want := (value(theta[i]+h) - value(theta[i]-h)) / (2 * h)
				testkit.Close(t, string(of), q.grad[i], want, 1e-6*size)
			}
		}
	}
}

// What the descent makes smaller is twice what a fit on these landmarks reports, whose loss is
// halved.
func TestProjectionIsTheObjectiveOfAFit(t *testing.T) {
	o := Options{Lambda: 1e-2, Stop: Stop{Tolerance: 1e-10}}
	p, theta, _, _ := movable(t, o, LandmarkOptions{})
	q, err := p.at(t.Context(), theta)
	if err != nil {
		t.Fatal(err)
	}
	l, c := p.parts(theta)
	k, err := vec.NewMahalanobis(p.k, nil, p.by.(linear).matrix(l))
	if err != nil {
		t.Fatal(err)
	}
	o.Weights = p.weights
	_, r, err := Fit(t.Context(), k, p.xs, &nystrom.Selection[[]float64]{Points: c}, p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "objective", q.value, 2*r.Objective, 2*r.Gap+1e-9*q.value)
}
