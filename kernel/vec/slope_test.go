package vec_test

import (
	"errors"
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// Central differences with a step h are right to h²·|∂³k|/6 + 2u|k|/h: near 1e-9 for h = 1e-5
// and the kernels here, whose third derivatives are below 30.
func TestSlopesAreThoseOfCentralDifferences(t *testing.T) {
	const h = 1e-5
	rng := testkit.Rand(t, 61)
	xs := cloud(rng, 6, 3, -0.5)
	for _, text := range []string{
		"linear", "poly(degree=3,offset=1,scale=0.5)", "rbf(sigma=0.7)", "rbf(sigma=[0.5,1,2])", "laplace(sigma=0.7)", "matern(nu=1.5,sigma=0.7)",
		"matern(nu=2.5,sigma=[0.7,0.5,1])", "matern(nu=1.2,sigma=0.7)", "rq(alpha=0.8,sigma=0.7)", "laplace1(sigma=0.7)", "laplace1(sigma=[0.7,2,1])[1,0,2]", "laplacepq(sigma=0.7,p=1.5)[2]", "laplacepq(sigma=[0.7,1,2],p=1.7,q=0.8)", "laplacepq(sigma=2,p=2,q=1.3)", "anova(of=rbf(sigma=0.7))", "anova(of=matern(nu=2.5,sigma=0.7)+linear, degree=3, weights=[0.5,1,2])", "anova(of=laplace1(sigma=0.7))[2,0]", "anova(of=rbf(sigma=1), degree=5)", "wendland(k=0,radius=2)", "wendland(k=1,radius=[0.7,2,3])", "wendland(k=2,radius=1.5)[1,2]", "0.5*rbf(sigma=1) + poly(degree=2, offset=1) + 3",
		"centred(of=rbf(sigma=[0.7,2,1]))", "centred(of=laplace1(sigma=0.7),center=0.2,spread=0.5)", "anova(of=centred(of=rbf(sigma=0.7)),degree=2)",
		"rbf(sigma=1)*linear*laplace(sigma=2)", "(rbf(sigma=1)+linear)^3", "rbf(sigma=0.5)[2,0]", "(rbf(sigma=1)*linear)[1]",
		"mahalanobis(of=rbf(sigma=0.7), scales=[1, 0.5, 0])", "mahalanobis(of=rbf(sigma=0.7)+linear, matrix=[1,0.5,0,-0.3,1,2,0,0.1,0.5])",
		"mahalanobis(of=laplace(sigma=1), scales=[2, 0.5])[2,1]", "deep(of=rbf(sigma=0.7), widths=[5, 3])", "2*deep(of=linear+rbf(sigma=1), widths=[4, 3, 2], activation=tanh)[2,0]",
	} {
		k := parse(t, text)
		slope, err := vec.SlopeOf(k)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for i := range xs.Len() {
			for j := range xs.Len() {
				if i == j {
					continue
				}
				x, y := xs.At(i), xs.At(j)
				got := []float64{1, 1, 1} // what is there already stays
				slope(got, -2, x, y)
				for c := range x {
					up, down := append([]float64(nil), x...), append([]float64(nil), x...)
					up[c] += h
					down[c] -= h
					want := 1 - 2*(k.Eval(up, y)-k.Eval(down, y))/(2*h)
					if math.Abs(got[c]-want) > 1e-7 {
						t.Errorf("%s: ∂/∂x%d at (%v, %v) is %v, by differences %v", text, c, x, y, got[c], want)
					}
				}
			}
		}
		// By symmetry that of the second point is the one with the points exchanged, and
		// radial kernels have none where the points are the same.
		same := make([]float64, 3)
		slope(same, 1, xs.At(0), xs.At(0))
		for _, v := range same {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: the slope at x = y is %v", text, same)
			}
		}
	}
}

func TestSlopeNamesThePartThatHasNone(t *testing.T) {
	for _, text := range []string{"min", "rbf(sigma=1) + 2*min", "(linear*min)[0]", "min^2", "anova(of=min)", "mahalanobis(of=periodic(period=1,sigma=1), scales=[1,2])"} {
		if _, err := vec.SlopeOf(parse(t, text)); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
