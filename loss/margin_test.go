package loss_test

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
)

func TestLogistic(t *testing.T) {
	l := loss.Logistic{}
	testkit.Close(t, "at 0", l.Value(1, 0), math.Ln2, 1e-15)
	testkit.Close(t, "far on the wrong side", l.Value(-1, 1000), 1000, 1e-15)
	testkit.Close(t, "far on the right side", l.Value(1, 30)*math.Exp(30), 1, 1e-12)
	testkit.Close(t, "σ in the lower tail", loss.Sigmoid(-40)*math.Exp(40), 1, 1e-12)
	testkit.Close(t, "σ(2)", loss.Sigmoid(2), 1/(1+math.Exp(-2)), 1e-15)
	differentiate(t, l, []float64{-1, 1}, []float64{-3, -0.2, 0, 1, 4})
}

// differentiate compares the derivatives with central differences. With steps of 1e-5
// these are right to about 1e-10 of the scale of the third derivative.
func differentiate(t *testing.T, l loss.Loss, ys, fs []float64) {
	t.Helper()
	const h = 1e-5
	for _, y := range ys {
		for _, f := range fs {
			testkit.Close(t, l.String()+" gradient", l.Gradient(y, f), (l.Value(y, f+h)-l.Value(y, f-h))/(2*h), 1e-8)
			testkit.Close(t, l.String()+" curvature", l.Curvature(y, f), (l.Gradient(y, f+h)-l.Gradient(y, f-h))/(2*h), 1e-8)
		}
	}
}

// With two classes the share of the second is σ(η₂ − η₁), and adding a number to all moves the
// logarithm alone, also where e^η overflows.
func TestSoftmaxOfTwoIsSigmoid(t *testing.T) {
	for _, eta := range [][2]float64{{0, 0}, {1.5, -2}, {-30, 3}, {700, 720}} {
		for _, shift := range []float64{0, 1e3, -1e3} {
			p := []float64{eta[0] + shift, eta[1] + shift}
			logSum := loss.Softmax(p)
			testkit.Close(t, "share", p[1], loss.Sigmoid(eta[1]-eta[0]), 1e-12)
			testkit.Close(t, "sum", p[0]+p[1], 1, 1e-15)
			testkit.Close(t, "ln Σ e^η", logSum, shift+eta[1]+loss.Logistic{}.Value(1, eta[1]-eta[0]), 1e-15)
		}
	}
}
