package calibrate

import (
	"errors"
	"fmt"
	"math"
)

// weight returns the weight of row i; nil weights are all 1.
func weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// smoothed returns for every class the target of its own rows and that of each other
// class for them: with N the weight of the class among m classes, (N+1)/(N+m) and
// 1/(N+m). It is the posterior mean of a share under a uniform prior (Platt 1999), and
// keeps every fit finite on data that a rule tells apart without error.
func smoothed(class []int, w []float64, m int) (own, other []float64) {
	own, other = make([]float64, m), make([]float64, m)
	for i, c := range class {
		own[c] += weight(w, i)
	}
	for c, n := range own {
		own[c], other[c] = (n+1)/(n+float64(m)), 1/(n+float64(m))
	}
	return own, other
}

// binaryTargets returns the smoothed probability of the positive class for every row.
func binaryTargets(y []bool, w []float64) []float64 {
	class := make([]int, len(y))
	for i, positive := range y {
		if positive {
			class[i] = 1
		}
	}
	own, other := smoothed(class, w, 2)
	t := make([]float64, len(y))
	for i, c := range class {
		t[i] = other[0]
		if c == 1 {
			t[i] = own[1]
		}
	}
	return t
}

// checkRows reports what is wrong with n values, the things said of them, and weights.
func checkRows(f []float64, said int, w []float64) error {
	var problems []error
	if len(f) != said {
		problems = append(problems, fmt.Errorf("calibrate: there are %d decision values and %d targets: each row needs both", len(f), said))
	}
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			problems = append(problems, fmt.Errorf("calibrate: decision value %d is %v: a map is fitted to finite values", i, v))
			break
		}
	}
	return errors.Join(append(problems, checkWeights(len(f), w))...)
}

func checkWeights(n int, w []float64) error {
	if w != nil && len(w) != n {
		return fmt.Errorf("calibrate: there are %d rows and %d weights", n, len(w))
	}
	total := 0.0
	for i := range n {
		v := weight(w, i)
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("calibrate: weight %d is %v: weights are finite and at least 0", i, v)
		}
		total += v
	}
	if !(total > 0) {
		return errors.New("calibrate: no row has a weight above 0: there is nothing to fit to")
	}
	return nil
}

// sigma is the logistic function 1/(1 + e^(−z)). It is ≥ ½ exactly where z ≥ 0 is, or z
// is so close to 0 that it is ½.
func sigma(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}
