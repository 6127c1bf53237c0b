package space

import (
	"cmp"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Solver names a space and the way in which its weighted systems are solved.
type Solver string

const (
	// Auto is Features where a kernel has a finite feature map of fewer dimensions than there are
	// rows, and else Packed or Cholesky: see [Direct]. It does not look at the memory and never
	// chooses an iterative or approximate solver.
	Auto Solver = "auto"
	// Cholesky factors the dense matrix: n³/3 multiplications, 8n² bytes. Each kernel
	// value is computed once.
	Cholesky Solver = "cholesky"
	// Packed factors the lower triangle alone: the same work in 4n² bytes. Kernel values
	// are computed again for every factor and every product.
	Packed Solver = "packed"
	// CG is the conjugate gradient method on the operator: its precision is
	// [Options.Tolerance], not that of the machine.
	CG Solver = "cg"
	// Features solves for w in f(x) = ⟨w, φ(x)⟩ + b with an explicit feature map φ of
	// D dimensions: nD² multiplications, 8D² bytes.
	Features Solver = "primal"
)

// Options say how the systems of a space are solved. The zero value is ready.
type Options struct {
	// Solver is the way; "" is [Auto].
	Solver Solver
	// Tolerance ends [CG] at the relative residual ‖b − Mx‖/‖b‖; 0 means 1e-10.
	Tolerance float64
	// Repeated says that many systems of the same rows follow one another: Auto is then Cholesky,
	// which computes each kernel value once.
	Repeated bool
	// Rank is that of the preconditioner of [CG]; 0 means [gram.PreconditionerRank].
	Rank int
	// Streamed makes features in every pass and never holds them.
	Streamed bool
	// Unsolved says that no system is solved: Auto in the span of the rows then holds no matrix.
	Unsolved bool
	// Sample is the number of rows whose normal equations stand for those of all in a
	// preconditioner, where features are on landmarks; 0: as many as pay, see [ChooseSample]; −1:
	// none.
	Sample int
	// Compute says how to compute: workers, memory limit, progress, and the precision.
	// In [compute.Single] Cholesky and Packed factor the packed triangle of 2n² bytes in
	// single precision and refine every solution in double precision to a residual of 1e-12,
	// and CG computes most products in single precision; where that is not enough they fall
	// back to double precision and warn. Features stay in double precision.
	Compute compute.Options
}

// tolerance returns the effective tolerance of CG.
func (o *Options) tolerance() float64 { return cmp.Or(o.Tolerance, 1e-10) }

// double returns the computing options in double precision.
func (o *Options) double() compute.Options {
	how := o.Compute
	how.Precision = compute.Double
	return how
}

// InFeatures reports whether a solver works in so many features of a kernel on so many rows.
func (s Solver) InFeatures(features, rows int) bool {
	return s == Features || (s == Auto || s == "") && features < rows
}

// Direct returns the exact solver that [Auto] is where there is no primal form: [Packed]
// for kernel values that are cheap to compute a second time, because
// they come in tiles ([kernel.Single]) or from a matrix in memory, and [Cholesky], which
// computes each once, for all others. It looks at the kernel alone, never at the memory
// or the clock.
func Direct(p kernel.Pairs) Solver {
	if _, tiles := p.(kernel.Single); tiles || gram.IsStored(p) {
		return Packed
	}
	return Cholesky
}

// Choice is the solver that a space uses.
type Choice struct {
	Solver   Solver
	Why      string // why it is this one
	Features int    // D; 0 where coordinates are those of the rows
}

// Quality says how the systems of a factor were solved.
type Quality struct {
	// Precision is that of the factor, or of most products where there is none: "single" or
	// "double".
	Precision string
	// Residual is the largest relative residual of the last right-hand sides; 0: it was not
	// computed, see [Refiner]. Refined says whether a step of iterative refinement was made.
	Residual float64
	Refined  bool
	// Sample is the number of rows of a preconditioner on landmarks, see [Options.Sample].
	Sample int
	// Condition estimates the condition number of the matrix; 0: not known (CG).
	Condition float64
	// Iterations counts products with K in double precision, SingleProducts those in single
	// precision inside of them.
	Iterations, SingleProducts int
	// Run has the stages of the factor and what it warns of.
	model.Run
}

// lap adds the time of a watch to the last stage, if it has this name, or to a new one.
func (q *Quality) lap(watch *model.Stopwatch, name string) {
	var run model.Run
	watch.Lap(&run, name)
	q.Seconds += run.Seconds
	if last := len(q.Stages) - 1; last >= 0 && q.Stages[last].Name == name {
		q.Stages[last].Seconds += run.Seconds
		return
	}
	q.Stages = append(q.Stages, run.Stages...)
}
