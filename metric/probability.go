package metric

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// LogLoss returns −Σ wᵢ log p(i, truthᵢ) / Σ wᵢ for probabilities p (rows × classes);
// +Inf where a row has probability 0 for what happened.
func LogLoss(truth []int, p *mat.Dense, w []float64) float64 {
	sum, total := 0.0, 0.0
	for i, c := range truth {
		if v := weight(w, i); v > 0 {
			sum -= v * math.Log(p.At(i, c))
			total += v
		}
	}
	return sum / total
}

// Brier returns Σ wᵢ Σ_c (p(i, c) − [c = truthᵢ])² / Σ wᵢ, from 0 to 2. For two classes
// it is twice the mean squared error of the probability of one of them.
func Brier(truth []int, p *mat.Dense, w []float64) float64 {
	sum, total := 0.0, 0.0
	for i, c := range truth {
		loss := 0.0
		for k, q := range p.RawRowView(i) {
			if k == c {
				q--
			}
			loss += q * q
		}
		sum += weight(w, i) * loss
		total += weight(w, i)
	}
	return sum / total
}

// Bin is one interval of predicted probabilities, and how often what was predicted
// came true in it.
type Bin struct {
	Lower     float64 `json:"lower"`
	Upper     float64 `json:"upper"`
	Weight    float64 `json:"weight"`    // Σ wᵢ of the rows in it
	Predicted float64 `json:"predicted"` // their mean predicted probability
	Observed  float64 `json:"observed"`  // their share of positive rows
}

// Reliability sorts the probabilities of an event into equal intervals of [0, 1] and
// compares, in each that has rows, the mean prediction with the share of rows where
// the event happened.
func Reliability(happened []bool, p, w []float64, bins int) []Bin {
	all := make([]Bin, bins)
	for i, q := range p {
		b := &all[min(max(int(q*float64(bins)), 0), bins-1)]
		v := weight(w, i)
		b.Weight += v
		b.Predicted += v * q
		if happened[i] {
			b.Observed += v
		}
	}
	var out []Bin
	for k, b := range all {
		if b.Weight > 0 {
			b.Lower, b.Upper = float64(k)/float64(bins), float64(k+1)/float64(bins)
			b.Predicted /= b.Weight
			b.Observed /= b.Weight
			out = append(out, b)
		}
	}
	return out
}

// CalibrationError returns the expected calibration error of the bins of
// [Reliability], Σ weight·|predicted − observed| / Σ weight.
func CalibrationError(bins []Bin) float64 {
	sum, total := 0.0, 0.0
	for _, b := range bins {
		sum += b.Weight * math.Abs(b.Predicted-b.Observed)
		total += b.Weight
	}
	return sum / total
}
