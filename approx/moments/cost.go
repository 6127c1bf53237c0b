package moments

import (
	"example.org/mercer/compute"
)

// Cost predicts [Of] without the features themselves, and [Statistics.Solve].
func Cost(rows, features, targets int, m compute.Machine) []compute.Cost {
	size, d := float64(features+targets+1), float64(features)
	kept := Bytes(features, targets)
	sums := compute.Cost{Stage: "sums", Flops: 3 * float64(rows) * size * size, Keeps: kept,
		Memory: kept + 8*int64(size*size) + 8*5*height*int64(size)}
	factor := compute.FactorCost(features, m)
	factor.Stage, factor.Memory = "solve", factor.Memory+2*8*int64(d*d)
	if m.GemmRate > 0 {
		sums.Seconds = sums.Flops / m.GemmRate
	}
	return []compute.Cost{sums, factor}
}
