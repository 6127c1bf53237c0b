package ckn

import "math"

// Run is a run of weights: those of From, From+1, ….
type Run struct {
	From    int
	Weights []float64
}

// Pooled returns how many rows are left of n that are pooled by s: ⌈n/s⌉.
func Pooled(n, s int) int { return (n + s - 1) / s }

// Pooling returns the weights of each row that is left of n rows; see [Layer].
func Pooling(n, s int) []Run {
	out := make([]Run, Pooled(n, s))
	for i := range out {
		if s == 1 {
			out[i] = Run{i, []float64{1}}
			continue
		}
		centre := float64(n-1)/2 + float64(s)*(float64(i)-float64(len(out)-1)/2)
		from := max(0, int(math.Ceil(centre-float64(s))))
		to := min(n-1, int(math.Floor(centre+float64(s))))
		run, sum := Run{From: from}, 0.0
		for q := from; q <= to; q++ {
			d := (float64(q) - centre) / float64(s)
			run.Weights = append(run.Weights, math.Exp(-d*d))
			sum += math.Exp(-d * d)
		}
		for j := range run.Weights {
			run.Weights[j] /= sum
		}
		out[i] = run
	}
	return out
}
