package falkon

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/pass"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows      int // n
	Columns   int // numbers in a point; 0 where points are not vectors
	Landmarks int // m
	Targets   int // p
	Quadratic bool
	Passes    int // the most that are allowed; 0: as in [Stop]
	Precision compute.Precision
	// Candidates is the number of rows from which landmarks are chosen by a factor of their
	// columns; 0: landmarks are given, or cost next to nothing.
	Candidates int
	// Optimize says how landmarks are moved; no steps: they are not.
	Optimize LandmarkOptions
}

const (
	// assumedPasses of conjugate gradients stand in a plan, because their number depends on
	// λ and the spectrum of the kernel: kin40k takes 33 with λ = 1e-6. assumedSteps are those of
	// Newton's method.
	assumedPasses, assumedSteps = 32, 8
)

// plannedPasses is how many passes a plan counts; limit 0: there is none.
func plannedPasses(quadratic bool, limit int) int {
	passes := assumedPasses
	if !quadratic {
		passes *= 3
	}
	if limit > 0 {
		passes = min(passes, limit)
	}
	return passes
}

// toldParts is in how many parts progress is told.
const toldParts = 10000

// share is the part of the work that is done after so many passes: as the plan has it, and beyond
// that as if an eighth of the passes were still to come.
func share(done int64, planned int) int64 {
	return int64(toldParts * float64(done) / max(float64(planned), 1.125*float64(done)+1))
}

// Plan predicts stages, memory and time of [Fit] on a machine whose rates are those of the
// kernel of the rows and the landmarks. limit is the memory that may be used, in bytes, 0
// for none.
func Plan(w Work, m compute.Machine, limit int64) compute.Plan {
	steps, passes := 1, plannedPasses(w.Quadratic, w.Passes)
	if !w.Quadratic {
		steps = assumedSteps
	}
	packed := gram.PackedBytes(w.Landmarks, compute.Double)
	stages := []compute.Cost{
		chooseCost(w, m),
		gram.PackedGramCost(w.Landmarks, compute.Double, m),
		compute.PackedFactorCost(w.Landmarks, compute.Double, m),
	}
	pre := compute.PackedFactorCost(w.Landmarks, compute.Double, m)
	pre.Stage, pre.Memory, pre.Keeps = "preconditioner", pre.Memory+packed, pre.Keeps+packed
	if w.Optimize.Steps > 0 {
		stages = append(stages, descentCost(w, m))
	}
	size := float64(w.Landmarks)
	sample := 2 * size * size * size // as many rows as landmarks: whitened and multiplied
	pre.Seconds = float64(steps) * (2*pre.Seconds + sample/max(m.GemmRate, 1))
	pre.Flops = float64(steps) * (2*pre.Flops + sample)
	stages = append(stages, pre)
	held := holds(w.Rows, w.Landmarks, w.Targets, w.Precision, limit, m.Workers)
	products := gram.FoldCost(w.Rows, w.Landmarks, w.Targets, passes, w.Precision, held, m)
	gradients := gram.FoldCost(w.Rows, w.Landmarks, 2*w.Targets+1, steps, compute.Double, held && w.Precision == compute.Double, m)
	gradients.Stage = "gradients"
	if held && w.Precision == compute.Double { // the values are those of the passes
		gradients.Memory, gradients.Keeps = gradients.Memory-gradients.Keeps, 0
	}
	if !w.Quadratic { // values of two points of a line search, and of the last one
		products.Memory += 3 * 8 * int64(w.Rows) * int64(w.Targets)
	}
	stages = append(stages, products, gradients)
	p := compute.NewPlan("falkon", m, stages...)
	p.Hint = fmt.Sprintf("falkon with %d landmarks", w.Landmarks)
	if p.Passes = passes + steps + 1; held {
		p.Passes = 2
	}
	p.Sent = w.sent()
	p.Notes = append(p.Notes, fmt.Sprintf("conjugate gradients are assumed to take %d passes over the rows; a small λ takes more", passes))
	if held {
		p.Notes = append(p.Notes, fmt.Sprintf("the kernel values of rows and landmarks are kept in memory, %s in %s precision", compute.FormatBytes(gram.TallBytes(w.Rows, w.Landmarks, w.Precision)), w.Precision))
	}
	return p
}

// mostRuns is the number of runs of not very many rows whose sums a pass returns, at most.
const mostRuns = 64

// sent is what passes send: sums of every run of rows, and of a row a number for each target, in
// the passes of a gradient, or, with other losses than the squared one, values, slopes and
// curvatures.
func (w Work) sent() compute.Sent {
	pieces := max(1, len(pass.Pieces(w.Rows, pass.BlockRows, pass.PieceBlocks)))
	runs := (max(mostRuns, pass.Many(w.Rows)) + pieces - 1) / pieces
	s := compute.Sent{Piece: runs * w.Landmarks * w.Targets, Row: w.Targets}
	if !w.Quadratic {
		s.Row = 2*w.Targets + 1
	}
	return s
}

// slopeRate is how many coordinates of gradients of a kernel a core is assumed to compute in a
// second.
const slopeRate = 2e8

// descentCost predicts the moving of landmarks, with an evaluation and a tenth for each step:
// kernel values, normal equations, and two gradients of the kernel for each.
func descentCost(w Work, m compute.Machine) compute.Cost {
	rows, size := float64(w.Optimize.rows(w.Rows)), float64(w.Landmarks)
	evaluations := 1.1 * float64(w.Optimize.Steps)
	c := compute.Cost{Stage: "descent", Memory: 8*int64(rows)*int64(w.Landmarks) + 3*8*int64(w.Landmarks)*int64(w.Landmarks), Flops: evaluations * rows * size * (size + 8*float64(w.Columns))}
	if m.PairRate > 0 && m.GemmRate > 0 {
		c.Seconds = evaluations * (rows*size/m.PairRate + rows*size*size/m.GemmRate + 2*rows*size*float64(w.Columns)/(slopeRate*float64(max(1, m.Workers))))
	}
	return c
}

// chooseCost predicts the choice of landmarks by a partial Cholesky factorization.
func chooseCost(w Work, m compute.Machine) compute.Cost {
	elements := float64(w.Candidates) * float64(w.Landmarks)
	c := compute.Cost{Stage: "choose", Memory: 8 * int64(elements), Flops: elements * float64(w.Landmarks)}
	if m.PairRate > 0 && m.GemmRate > 0 {
		c.Seconds = elements/m.PairRate + c.Flops/m.GemmRate
	}
	return c
}
