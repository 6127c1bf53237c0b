package tune

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/supervised/krr"
)

// Score is a way to compare predictions with targets, averaged over the targets.
type Score string

const (
	RMSE     Score = "rmse"     // root mean squared error
	MAE      Score = "mae"      // mean absolute error
	R2       Score = "r2"       // coefficient of determination; larger is better
	Accuracy Score = "accuracy" // share of right signs, for ±1 targets; larger is better
)

// Scores are all of them.
var Scores = []Score{RMSE, MAE, R2, Accuracy}

// LargerIsBetter reports whether the score is to be maximised.
func (s Score) LargerIsBetter() bool { return s == R2 || s == Accuracy }

// Of takes the score from a comparison.
func (s Score) Of(m *krr.Scores) (float64, error) {
	var v []float64
	switch s {
	case RMSE:
		v = m.RMSE
	case MAE:
		v = m.MAE
	case R2:
		v = m.R2
	case Accuracy:
		if v = m.Accuracy; v == nil {
			return 0, fmt.Errorf("tune: accuracy needs targets of +1 and −1 only")
		}
	}
	if !slices.Contains(Scores, s) {
		return 0, fmt.Errorf("tune: score %q is not known; one of %q is", s, Scores)
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v)), nil
}

// Judge returns the judge of the score for targets and weights of the rows.
func (s Score) Judge(y *mat.Dense, weights []float64) Judge {
	return Judge{Name: string(s), Larger: s.LargerIsBetter(), Of: func(test []int, outputs *mat.Dense, _ any) (float64, error) {
		return s.Of(krr.Measure(rowsOf(y, test), outputs, pick(weights, test)))
	}}
}

// MeanAndError returns the mean of the scores of the splits and its standard error.
func MeanAndError(scores []float64) (mean, err float64) {
	n := float64(len(scores))
	for _, s := range scores {
		mean += s / n
	}
	if n < 2 {
		return mean, 0
	}
	variance := 0.0
	for _, s := range scores {
		variance += (s - mean) * (s - mean)
	}
	return mean, math.Sqrt(variance / (n - 1) / n)
}
