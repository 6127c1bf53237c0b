package calibrate

import "math"

// Sigmoid is Platt's map p = 1/(1 + e^(Af+B)). It is ½ at −B/A, which is not where a
// decision changes its mind: a map for scores, not for a classifier. Compare [TwoSided].
type Sigmoid struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// At returns the probability of the positive class.
func (s Sigmoid) At(f float64) float64 { return sigma(-(s.A*f + s.B)) }

// FitSigmoid minimises −Σ wᵢ (tᵢ log pᵢ + (1−tᵢ) log(1−pᵢ)) over A and B. The targets are
// those of Platt, (N₊+1)/(N₊+2) for positive rows and 1/(N₋+2) for negative ones, N± the
// sums of their weights; nil weights are all 1.
//
// The problem is convex and has one solution unless all f are equal; then A = 0. Data
// that a threshold separates have a finite slope, thanks to the targets; with one class
// only A = 0 and p is its target. Newton's method with backtracking, O(n) an iteration
// (Lin, Lin and Weng 2007), on centred and scaled values, starts from A = 0. The loss
// falls in every step, so that it ends for all finite values.
func FitSigmoid(f []float64, y []bool, w []float64) (Sigmoid, error) {
	if err := checkRows(f, len(y), w); err != nil {
		return Sigmoid{}, err
	}
	t := binaryTargets(y, w)
	total, mean := 0.0, 0.0
	for i, v := range t {
		total += weight(w, i)
		mean += weight(w, i) * v
	}
	mean /= total
	b := math.Log(mean) - math.Log1p(-mean)
	u, centre, scale := standardized(f, w)
	if scale == 0 {
		return Sigmoid{B: -b}, nil
	}
	l := &logistic{u: u, t: t, w: w, total: total}
	a, b := l.minimize(0, b)
	return Sigmoid{A: -a / scale, B: a*(centre/scale) - b}, nil
}

// standardized returns (f − centre)/scale of weighted mean 0 and variance 1; a scale of
// 0 for equal values.
func standardized(f, w []float64) (u []float64, centre, scale float64) {
	largest, total, variance := 0.0, 0.0, 0.0
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range f {
		if weight(w, i) > 0 {
			low, high, largest = min(low, v), max(high, v), max(largest, math.Abs(v))
		}
		total += weight(w, i)
	}
	if low == high {
		return nil, low, 0
	}
	for i, v := range f {
		centre += weight(w, i) / total * (v / largest)
	}
	u = make([]float64, len(f))
	for i, v := range f {
		u[i] = v/largest - centre
		variance += weight(w, i) / total * u[i] * u[i]
	}
	scale = math.Sqrt(variance)
	for i := range u {
		u[i] /= scale
	}
	return u, centre * largest, scale * largest
}

// logistic is the loss of p = σ(au + b) against targets t.
type logistic struct {
	u, t, w []float64
	total   float64
}

// at returns the mean loss, its gradient and its Hessian at (a, b).
func (l *logistic) at(a, b float64) (loss float64, g [2]float64, h [3]float64) {
	for i, u := range l.u {
		w := weight(l.w, i) / l.total
		z := a*u + b
		p, q := sigma(z), sigma(-z)
		loss += w * (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - l.t[i]*z)
		d := w * (p - l.t[i])
		g[0], g[1] = g[0]+d*u, g[1]+d
		c := w * p * q
		h[0], h[1], h[2] = h[0]+c*u*u, h[1]+c*u, h[2]+c
	}
	return loss, g, h
}

const (
	newtonIterations = 200
	newtonTolerance  = 1e-14 // of the mean gradient
	newtonRidge      = 1e-12 // on the Hessian, as in Lin, Lin and Weng
)

// minimize goes from (a, b) to the minimum. Once rounding hides the decrease of the
// loss, a step counts while it halves the gradient.
func (l *logistic) minimize(a, b float64) (float64, float64) {
	loss, g, h := l.at(a, b)
	for range newtonIterations {
		size := max(math.Abs(g[0]), math.Abs(g[1]))
		if size <= newtonTolerance {
			break
		}
		h0, h2 := h[0]+newtonRidge, h[2]+newtonRidge
		det := h0*h2 - h[1]*h[1]
		da, db := -(h2*g[0]-h[1]*g[1])/det, -(h0*g[1]-h[1]*g[0])/det
		slope := g[0]*da + g[1]*db
		moved := false
		for step := 1.0; step >= 1e-10; step /= 2 {
			v, gv, hv := l.at(a+step*da, b+step*db)
			halved := step == 1 && max(math.Abs(gv[0]), math.Abs(gv[1])) <= size/2 && v <= loss+1e-12*math.Abs(loss)
			if v <= loss+1e-4*step*slope && v < loss || halved {
				a, b, loss, g, h, moved = a+step*da, b+step*db, v, gv, hv, true
				break
			}
		}
		if !moved {
			break
		}
	}
	return a, b
}
