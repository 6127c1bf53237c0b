package pca

import (
	"example.org/mercer/compute"
	"example.org/mercer/pass"
)

// Plan predicts memory and time of [Fit] for n rows of d numbers, which are in memory or not.
func Plan(n, d int, inMemory bool, o Options, m compute.Machine) compute.Plan {
	solver, why := o.choose(n, d)
	stages := planStreamed(n, d, solver, o, m)
	if inMemory && n < d {
		stages = planDense(n, d, solver, o, m)
	}
	plan := compute.NewPlan(string(solver), m, stages...)
	plan.Passes = o.passes(n, d, solver)
	plan.Sent = compute.Sent{Piece: d * d, Row: d} // moments, and rows of which scores are made
	if solver == Krylov {
		plan.Notes = append(plan.Notes, why)
	}
	return plan
}

// passes are those over rows that are streamed: for the mean, for moments or for each block of
// products, in the basis found, and for the residuals.
func (o Options) passes(n, d int, solver Solver) int {
	if solver == Krylov {
		_, count := o.block(n, d)
		return 3 + count
	}
	return 4
}

// meanFlops of a product of matrices take as long as a number that is added to a mean, measured.
const meanFlops = 120

// planStreamed predicts passes over the rows: of the mean, of moments or of products with blocks of
// vectors, of moments in the basis found, and of the residuals.
func planStreamed(n, d int, solver Solver, o Options, m compute.Machine) []compute.Cost {
	rows, columns := float64(n), float64(d)
	mean := compute.Cost{Stage: "mean", Shared: true, Memory: 8 * sumsHeld(n, d, m) * int64(d), Keeps: 8 * int64(d), Seconds: meanFlops * rows * columns / m.GemmRate}
	order, basis, numbers := d, 0, d*d
	flops := rows * columns * columns
	if solver == Krylov {
		width, count := o.block(n, d)
		order = width * count
		basis, numbers = 3*order, max(order*order, d*width)
		flops = 4 * rows * columns * float64(order)
	}
	flops += 2 * (2*rows*columns + rows*float64(order)) * float64(order)
	residual := 4 * rows * columns * float64(order)
	if o.Components > 0 {
		residual = 4 * rows * columns * float64(min(order, o.Components))
	}
	eigen := compute.EigenCost(order, m)
	decompose := compute.Cost{Stage: "decompose", Shared: true, Flops: flops + eigen.Flops + residual, Seconds: (flops+residual)/narrowRate(m.GemmRate, order) + eigen.Seconds}
	decompose.Seconds += 3 * 8 * rows * columns / m.ReadRate // products, moments in the basis, residuals
	// The sums of the lanes, blocks of the workers, the basis, and four squares more for
	// eigenvectors.
	decompose.Memory = 8 * (sumsHeld(n, numbers, m)*int64(numbers) + int64(m.Workers)*pass.BlockRows*int64(d+order) + int64(d)*int64(basis) + 5*int64(order)*int64(order))
	return []compute.Cost{mean, decompose}
}

// sumsHeld is how many sums of so many numbers a pass holds: those of the slabs that workers are
// at, one that waits for its turn, and the total.
func sumsHeld(n, numbers int, m compute.Machine) int64 {
	return int64(min(pass.SlabsFor(n, numbers), m.Workers+1) + 1)
}

// narrowRate is the rate of products of blocks of rows with so many columns: half of that of square
// matrices is reached at halfWidth.
func narrowRate(rate float64, columns int) float64 {
	const halfWidth = 64
	return rate / (1 + halfWidth/float64(max(1, columns)))
}

// planDense predicts the decomposition of rows in memory that are shorter in number than in length.
func planDense(n, d int, solver Solver, o Options, m compute.Machine) []compute.Cost {
	rows, columns := float64(n), float64(d)
	centred := compute.Cost{Stage: "centre", Memory: 8 * int64(n) * int64(d), Keeps: 8 * int64(n) * int64(d), Seconds: m.FreshSeconds(16 * rows * columns)}
	products := 2 * rows * columns * rows
	decompose := compute.Cost{Stage: "decompose"}
	// A transpose, the square matrix, its eigenvectors and the rotated rows.
	decompose.Memory = 8 * (2*int64(n)*int64(d) + 7*int64(n)*int64(n))
	order := n
	if solver == Krylov {
		width, count := o.block(n, d)
		order = width * count
		products = 2 * rows * columns * float64(2*order) // into the basis and back
		decompose.Memory = 8 * (int64(order)*int64(2*n+3*d) + 7*int64(order)*int64(order))
	}
	eigen := compute.EigenCost(order, m)
	decompose.Flops = 2*products + eigen.Flops
	decompose.Seconds = 2*products/m.GemmRate + eigen.Seconds
	return []compute.Cost{centred, decompose}
}
