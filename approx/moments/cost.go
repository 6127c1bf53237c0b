package moments

import "example.org/mercer/gram"

// Cost predicts [Of] without the features themselves, and [Sums.Solve].
func Cost(rows, features, targets int, m gram.Machine) []gram.Cost {
	size, d := float64(features+targets+1), float64(features)
	kept := Bytes(features, targets)
	sums := gram.Cost{Stage: "sums", Flops: 3 * float64(rows) * size * size, Keeps: kept,
		Memory: kept + 8*int64(size*size) + 8*5*height*int64(size)}
	factor := gram.FactorCost(features, m)
	factor.Stage, factor.Memory = "solve", factor.Memory+2*8*int64(d*d)
	if m.GemmRate > 0 {
		sums.Seconds = sums.Flops / m.GemmRate
	}
	return []gram.Cost{sums, factor}
}
