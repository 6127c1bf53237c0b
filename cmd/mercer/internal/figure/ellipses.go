package figure

import (
	"fmt"
	"math"
)

// Ellipse is a Gaussian in a plane, drawn as the two ellipses about its mean that hold
// half and 95 % of it. Its class says in which colour.
type Ellipse struct {
	Mean       [2]float64
	Covariance [2][2]float64
	Class      int
}

// held are the shares of a Gaussian inside of its ellipses.
var held = []float64{0.5, 0.95}

func (e Ellipse) add(p *panel) error {
	a, b, c := e.Covariance[0][0], e.Covariance[0][1], e.Covariance[1][1]
	if !(a > 0) || !(a*c-b*b >= 0) {
		return fmt.Errorf("the covariance %v of an ellipse is not positive semidefinite", e.Covariance)
	}
	// With LLᵀ the covariance the ellipse is mean + r·L·(cos t, sin t), and in two dimensions
	// a share of 1 − exp(−r²/2) lies inside.
	l11 := math.Sqrt(a)
	l21 := b / l11
	l22 := math.Sqrt(max(0, c-l21*l21))
	for i, share := range held {
		const steps = 120
		r := math.Sqrt(-2 * math.Log(1-share))
		var x, y []float64
		for t := range steps + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(t) / steps)
			x, y = append(x, e.Mean[0]+r*l11*cos), append(y, e.Mean[1]+r*(l21*cos+l22*sin))
		}
		if err := (Line{X: x, Y: y, Ink: Ink(e.Class), Dashed: i > 0}).add(p); err != nil {
			return err
		}
	}
	return nil
}
