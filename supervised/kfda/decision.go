package kfda

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
)

// Decision tells classes from the values p of the discriminant at a point: the class c
// with the largest
//
//	g_c = LogPriors[c] − ½‖p − Centroids[c]‖²,
//
// the first of equals. For Gaussian classes of covariance S_w + λI around the means of
// the classes in feature space, g_c is the logarithm of the posterior probability up to
// a constant of the point: what is orthogonal to the directions is the same for all
// classes, unless directions were left out.
type Decision struct {
	Centroids [][]float64 `json:"centroids"` // one per class, one number per direction
	LogPriors []float64   `json:"log_priors"`
}

// Check returns why d cannot be the rule for a number of classes and directions.
func (d *Decision) Check(classes, directions int) error {
	if d == nil {
		return errors.New("kfda: the rule of the discriminant is missing")
	}
	if len(d.Centroids) != classes || len(d.LogPriors) != classes || classes < 2 {
		return fmt.Errorf("kfda: %d centroids and %d priors for %d classes", len(d.Centroids), len(d.LogPriors), classes)
	}
	for c, centroid := range d.Centroids {
		if len(centroid) != directions || directions < 1 {
			return fmt.Errorf("kfda: the centroid of class %d has %d numbers, and there are %d directions", c, len(centroid), directions)
		}
		for _, v := range append([]float64{d.LogPriors[c]}, centroid...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kfda: a number of the rule for class %d is %v", c, v)
			}
		}
	}
	return nil
}

// Scores stores g_c in dst, one number per class, and returns it.
func (d *Decision) Scores(dst, p []float64) []float64 {
	for c, centroid := range d.Centroids {
		square := 0.0
		for j, m := range centroid {
			square += (p[j] - m) * (p[j] - m)
		}
		dst[c] = d.LogPriors[c] - square/2
	}
	return dst
}

// Class returns the class of a point with the values p.
func (d *Decision) Class(p []float64) int {
	g, best := d.Scores(make([]float64, len(d.Centroids)), p), 0
	for c, v := range g {
		if v > g[best] {
			best = c
		}
	}
	return best
}

// Classes returns the class of each row of values.
func (d *Decision) Classes(values *mat.Dense) []int {
	out := make([]int, values.RawMatrix().Rows)
	for i := range out {
		out[i] = d.Class(values.RawRowView(i))
	}
	return out
}

// Probabilities returns e^(g_c)/Σ e^(g), one row per row of values and one column per
// class; [Decision.Class] is the place of the largest by construction.
func (d *Decision) Probabilities(values *mat.Dense) *mat.Dense {
	n := values.RawMatrix().Rows
	out := mat.NewDense(n, len(d.Centroids), nil)
	for i := range n {
		loss.Softmax(d.Scores(out.RawRowView(i), values.RawRowView(i)))
	}
	return out
}
