package propagation

import (
	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// Plan predicts memory and time of [Solve] for n points, open of which have no label, and so many
// classes.
func Plan(n, open, classes int, o Options, m compute.Machine) compute.Plan {
	held, name := gram.DenseGramCost(n, m), "spreading"
	if o.Alpha > 0 {
		open = n
	} else {
		name = "harmonic"
	}
	held.Stage = "affinities"
	factor, solve := compute.FactorCost(open, m), compute.SolveCost(open, classes, m)
	labels := compute.Cost{Stage: "labels", Memory: 8*int64(open)*int64(open) + factor.Memory + solve.Memory, Keeps: 8 * int64(n) * int64(classes),
		Flops: factor.Flops + solve.Flops, Seconds: factor.Seconds + solve.Seconds + m.FreshSeconds(8*float64(open)*float64(open))}
	return compute.NewPlan(name, m, held, labels)
}
