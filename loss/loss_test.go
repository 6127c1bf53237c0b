package loss_test

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
)

func TestSmoothLossesHaveTheirDerivatives(t *testing.T) {
	fs := []float64{-9, -2.1, -0.4, 0.3, 1.2, 2.6, 30}
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{}, loss.Huber{K: 2, Scale: 0.5}, loss.Tukey{}, loss.Tukey{C: 3.1, Scale: 0.7}} {
		differentiate(t, l, []float64{0.05, 1.7}, fs)
	}
	differentiate(t, loss.SquaredHinge{}, []float64{-1, 1}, fs)
}

// A parabola with the curvature of Majorize touches the loss and is nowhere below it.
func TestMajorantsAreAbove(t *testing.T) {
	for _, l := range []loss.Majorant{loss.Huber{}, loss.Tukey{C: 3}, loss.Logistic{}, loss.SquaredHinge{}} {
		for _, y := range []float64{-1, 1} {
			for f := -8.0; f <= 8; f += 0.37 {
				c := l.Majorize(y, f)
				if c < 0 {
					t.Fatalf("%s: weight %g", l, c)
				}
				for d := -15.0; d <= 15; d += 0.21 {
					above := l.Value(y, f) + l.Gradient(y, f)*d + c*d*d/2
					if v := l.Value(y, f+d); v > above+1e-12*(1+v) {
						t.Fatalf("%s at y = %g, f = %g, step %g: %g is above the parabola, %g", l, y, f, d, v, above)
					}
				}
			}
		}
	}
}

func TestPiecewiseValuesByHand(t *testing.T) {
	for _, c := range []struct {
		l           loss.Piecewise
		y, f        float64
		value, grad float64
	}{
		{loss.Absolute{}, 3, 1, 2, -1},
		{loss.Absolute{}, 3, 7, 4, 1},
		{loss.Quantile{Tau: 0.9}, 3, 1, 1.8, -0.9},
		{loss.Quantile{Tau: 0.9}, 3, 5, 0.2, 0.1},
		{loss.Insensitive{Epsilon: 0.5}, 3, 1, 1.5, -1},
		{loss.Insensitive{Epsilon: 0.5}, 3, 3.4, 0, 0},
		{loss.Hinge{}, 1, -1, 2, -1},
		{loss.Hinge{}, 1, 1.5, 0, 0},
		{loss.Hinge{}, -1, 0.5, 1.5, 1},
		{loss.Hinge{}, -1, -3, 0, 0},
	} {
		testkit.Close(t, c.l.String(), c.l.Value(c.y, c.f), c.value, 1e-15)
		testkit.Close(t, c.l.String()+" gradient", c.l.Gradient(c.y, c.f), c.grad, 1e-15)
	}
}

// The losses of outliers stay below those of least squares, and agree near zero.
func TestRobustLosses(t *testing.T) {
	for _, r := range []float64{1e-9, 1e-4, 0.3} {
		testkit.Close(t, "huber", loss.Huber{}.Value(r, 0)/(r*r), 0.5, 1e-15)
		testkit.Close(t, "tukey", loss.Tukey{C: 1e5}.Value(r, 0)/(r*r), 0.5, 1e-9)
	}
	c := 4.685 * 2
	testkit.Close(t, "tukey far away", loss.Tukey{Scale: 2}.Value(1e9, 0), c*c/6, 1e-15)
	testkit.Close(t, "huber far away", loss.Huber{Scale: 2}.Value(100, 0), 2.69*(100-1.345), 1e-14)
	if (loss.Tukey{}).Gradient(50, 0) != 0 || math.Abs((loss.Huber{}).Gradient(50, 0)) != 1.345 {
		t.Error("the pull of an outlier")
	}
	if s := (loss.Huber{}).WithScale(3).String(); s != "huber(k=1.345, scale=3)" {
		t.Error(s)
	}
}
