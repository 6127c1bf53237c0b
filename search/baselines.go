package search

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// baselines are what a family has to beat: the best constant, where the score of one is known, and
// the linear kernel.
func (f *familySearch) baselines(best found) []FamilyScore {
	var out []FamilyScore
	rows := len(best.p.Rows.Rows)
	switch y := best.p.Rows.Y; {
	case y == nil:
	case best.tuned.Criterion == krr.LOO:
		units := mat.DenseCopyOf(y)
		prep.InUnits(best.p.Prep.Targets(), units)
		score, r2 := constantLOO(units, best.p.Rows.W)
		out = append(out, FamilyScore{Family: "mean of the targets", Score: score, R2: r2, Rows: rows})
	case best.tuned.Score == "accuracy" && best.p.Rows.W == nil:
		if share, ok := mostFrequent(best.p); ok {
			out = append(out, FamilyScore{Family: "most frequent label", Score: share, Rows: rows})
		}
	}
	for _, e := range f.entries {
		if e.kernel == "linear()" && e.levels == 0 && e.transform == "" && e.values != nil {
			out = append(out, *e)
		}
	}
	return out
}

// constantLOO returns the leave-one-out squared error of the weighted mean, averaged over the
// targets, and R². Without row i the mean is off by (yᵢ − ȳ)·W/(W − wᵢ), where W = Σwᵢ.
func constantLOO(y *mat.Dense, ws []float64) (score, r2 float64) {
	n, m := y.Dims()
	if ws == nil {
		ws = slices.Repeat([]float64{1}, n)
	}
	total := 0.0
	for _, w := range ws {
		total += w
	}
	for j := range m {
		mean, squares, spread := 0.0, 0.0, 0.0
		for i, w := range ws {
			mean += w / total * y.At(i, j)
		}
		for i, w := range ws {
			d := y.At(i, j) - mean
			spread += w * d * d
			d *= total / (total - w)
			squares += w * d * d
		}
		score += squares / total / float64(m)
		if spread > 0 {
			r2 += (1 - squares/spread) / float64(m)
		}
	}
	return score, r2
}

// mostFrequent returns the share of the most frequent label of a target.
func mostFrequent(p *task.Task) (share float64, ok bool) {
	target, labels, err := p.Classes()
	if err != nil {
		return 0, false
	}
	counts := make([]int, len(target.Labels))
	for _, label := range labels {
		counts[label]++
	}
	return float64(slices.Max(counts)) / float64(len(labels)), true
}
