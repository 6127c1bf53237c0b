package krr

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Scores say how well predictions meet targets: one number per target, weighted by
// the wᵢ, N = Σ wᵢ.
type Scores struct {
	RMSE []float64 `json:"rmse"` // √((1/N) Σ wᵢ (yᵢ − ŷᵢ)²)
	MAE  []float64 `json:"mae"`  // (1/N) Σ wᵢ |yᵢ − ŷᵢ|; nil from [SolveMoments]
	R2   []float64 `json:"r2"`   // 1 − Σ wᵢ(yᵢ − ŷᵢ)² / Σ wᵢ(yᵢ − ȳ)²; 0 where y is constant
	// Accuracy is the weighted share of rows with sign(ŷᵢ) = yᵢ; nil unless every
	// target is +1 or −1.
	Accuracy []float64 `json:"accuracy,omitempty"`
	// Decided is the weighted share of rows whose largest ŷᵢⱼ is that of the one label they have;
	// nil unless every row has one +1 among several −1, the code of one target with labels.
	Decided *float64 `json:"decided,omitempty"`
}

// MSE returns the mean over the targets of their mean squared errors, the number
// that searches minimise.
func (s *Scores) MSE() float64 {
	sum := 0.0
	for _, r := range s.RMSE {
		sum += r * r
	}
	return sum / float64(len(s.RMSE))
}

// Measure compares predictions with targets, both n×m. Weights may be nil. The
// result is meaningless (NaN) where the weights add up to zero.
func Measure(y, predicted *mat.Dense, weights []float64) *Scores {
	residuals := mat.NewDense(y.RawMatrix().Rows, y.RawMatrix().Cols, nil)
	residuals.Sub(y, predicted)
	return measure(y, residuals, weights)
}

func measure(y, residuals *mat.Dense, weights []float64) *Scores {
	n, m := y.Dims()
	s := &Scores{RMSE: make([]float64, m), MAE: make([]float64, m), R2: make([]float64, m)}
	signs := onlySigns(y)
	if signs {
		s.Accuracy = make([]float64, m)
	}
	for j := range m {
		var total, mean, square, absolute, spread, right float64
		for i := range n {
			w := weightAt(weights, i)
			total += w
			mean += w * y.At(i, j)
		}
		mean /= total
		for i := range n {
			w, v, r := weightAt(weights, i), y.At(i, j), residuals.At(i, j)
			square += w * r * r
			absolute += w * math.Abs(r)
			spread += w * (v - mean) * (v - mean)
			if v*(v-r) > 0 {
				right += w
			}
		}
		s.RMSE[j], s.MAE[j] = math.Sqrt(square/total), absolute/total
		if spread > 0 {
			s.R2[j] = 1 - square/spread
		}
		if signs {
			s.Accuracy[j] = right / total
		}
	}
	if signs && m > 1 && onePositive(y) {
		share := decided(y, residuals, weights)
		s.Decided = &share
	}
	return s
}

// onePositive reports whether every row of signs has one +1.
func onePositive(y *mat.Dense) bool {
	n, m := y.Dims()
	for i := range n {
		if floats.Sum(y.RawRowView(i)) != float64(2-m) {
			return false
		}
	}
	return true
}

// decided is the weighted share of rows whose largest prediction y − r is at their +1; the first
// of equals is the largest.
func decided(y, residuals *mat.Dense, weights []float64) float64 {
	var right, total float64
	predicted := make([]float64, y.RawMatrix().Cols)
	for i := range y.RawMatrix().Rows {
		w := weightAt(weights, i)
		total += w
		floats.SubTo(predicted, y.RawRowView(i), residuals.RawRowView(i))
		if y.At(i, floats.MaxIdx(predicted)) == 1 {
			right += w
		}
	}
	return right / total
}

func weightAt(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// onlySigns reports whether every target is +1 or −1.
func onlySigns(y *mat.Dense) bool {
	n, _ := y.Dims()
	for i := range n {
		for _, v := range y.RawRowView(i) {
			if v != 1 && v != -1 {
				return false
			}
		}
	}
	return true
}
