package nystrom

import (
	"example.org/mercer/compute"
)

// thinFactor is how much slower than products of square matrices the columns are made: a few at a
// time, each of which goes over the diagonal and chooses the next. Measured was 3.4 for 500
// landmarks of 20640 rows and 4 for 300 of 8000 and of 19020.
const thinFactor = 3.5

// SelectCost predicts the choice of landmarks among n points. Schemes that factor columns of the
// Gram matrix hold 8nm bytes and take nm kernel values, if m says how long these take, and nm²
// flops; [Greedy] takes column after column, and reads 4nm² bytes instead. Others take next to
// nothing beside what follows.
func SelectCost(n int, o Options, m compute.Machine) compute.Cost {
	c := compute.Cost{Stage: "landmarks"}
	if o.Among > 0 {
		n = min(n, o.Among)
	}
	rank, err := o.affordable(n)
	if err != nil || !o.factors() {
		return c
	}
	c.Memory = columnBytes(n, rank)
	c.Flops = float64(n) * float64(rank) * float64(rank)
	if m.GemmRate > 0 {
		c.Seconds = thinFactor * c.Flops / m.GemmRate
	}
	if o.Scheme == Greedy && m.ReadRate > 0 {
		c.Seconds = max(c.Seconds, 4*c.Flops/m.ReadRate)
	}
	if m.PairRate > 0 {
		c.Seconds += float64(n) * float64(rank) / m.PairRate
	}
	return c
}
