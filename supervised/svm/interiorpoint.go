package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram/design"
	"example.org/mercer/linalg"
)

const (
	// mostIterations is far above the 10 to 60 that interior points take.
	mostIterations = 200
	// mostWasted is how many steps may go by that do not lower the complementarity to this part of
	// the least so far.
	mostWasted, lower = 12, 0.9
	// growth is that of what is added to the diagonal of a system that is not positive definite.
	growth = 64
	// toBoundary is the part of the way to the boundary that a step may go.
	toBoundary = 0.995
	// shortestStep is that of a search which rounding has stopped.
	shortestStep = 1e-8
	// mostTightened bounds how often that is.
	mostTightened = 4
	// tighter is the tolerance of the next search where the exact gradient violates that of the
	// last.
	tighter = 0.1
)

// interior is Mehrotra's predictor-corrector method in the features of the rows, K = ΦΦᵀ, for rows
// that go by in passes. With w = Φᵀβ a step of the optimality conditions g − λ − z + t = 0,
// xz = (u − x)t = μ is a system of the order of the features:
//
//	⎛ I + ΦᵀVΦ  −h ⎞ ⎛Δw⎞   ⎛ΦᵀVr⎞
//	⎝   −hᵀ      S ⎠ ⎝Δλ⎠ = ⎝ … ⎠,   Δβ = V(r − ΦΔw + Δλ),  V = 1/(z/x + t/(u − x)),  h = ΦᵀV1.
//
// An iteration makes three passes over the rows, which all problems share:
//
//  1. "system" adds up the matrix and the predictor's right-hand side, nD² flops; its factor gives
//     the predictor, a step that aims for μ = 0.
//  2. "predictor" finds how far that step can go, and the corrector's right-hand side, which aims
//     for the μ that follows from it.
//  3. "corrector" finds how far the corrected step can go; it is taken up to [toBoundary].
//
// Why: the number of iterations hardly depends on C, and a pass over a file is what costs. A factor
// of package space solves the same system, but weights, right-hand sides and steps would be passes
// of their own there, and for each problem.
//
// Mehrotra, SIAM J. Optim. 2, 1992; Ferris and Munson, Interior-point methods for massive support
// vector machines, SIAM J. Optim. 13, 2002.
type interior struct {
	j         *job
	rows      *design.Blocks
	n, dim    int // rows and features
	barriers  []*barrier
	tolerance float64
	steps     int
	w         []*mat.VecDense // Φᵀβ of the coefficients as they are in the problems
}

// newInterior begins in the middle of all bounds with w = 0, as if the coefficients there took each
// other away: w follows them in the first steps, which are longer than from the w of these
// coefficients.
func newInterior(ctx context.Context, j *job, phi design.Matrix) (*interior, error) {
	rows, err := phi.TallBlocksWithin(ctx, blockHeight(phi.Dim), j.o.Compute)
	if err != nil {
		return nil, err
	}
	return interiorOn(ctx, j, rows, j.order)
}

// interiorOn is newInterior on features of which those of the order of the job stand at the given
// places.
func interiorOn(ctx context.Context, j *job, rows *design.Blocks, places []int) (*interior, error) {
	ip := &interior{j: j, rows: rows, tolerance: toleranceMargin * j.o.Tolerance}
	ip.n, ip.dim = rows.Dims()
	for _, m := range j.problems {
		if !m.p.bounded() {
			return nil, errors.New("svm: a hard margin (C = ∞) is searched in the matrix of all rows, not in features that are read in passes: give a finite C, or read the rows at once")
		}
		ip.barriers = append(ip.barriers, newBarrier(m, places, ip.dim))
	}
	prints, err := ip.measure(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range ip.barriers {
		b.start(prints)
	}
	j.watch.Lap(&j.report.Run, "features")
	return ip, nil
}

// measure finds the longest row of each problem, and the fingerprints of all rows.
func (ip *interior) measure(ctx context.Context) ([]fingerprint, error) {
	squares, prints := make([]float64, ip.n), make([]fingerprint, ip.n)
	err := ip.share(ctx, []design.Task{{Work: lengths{}, Out: func(made *mat.Dense, from, to int) error {
		for i := range to - from {
			of := made.RawRowView(i)
			squares[from+i], prints[from+i] = of[0], storedFingerprint(of[1:])
		}
		return nil
	}}})
	if err != nil {
		return nil, err
	}
	for _, b := range ip.barriers {
		for _, row := range b.row {
			if err := finiteSquare(int(row), squares[row]); err != nil {
				return nil, err
			}
			b.m.longest = max(b.m.longest, math.Sqrt(squares[row]))
			b.square += squares[row] / float64(len(b.row))
		}
	}
	return prints, nil
}

// gradients computes the gradients of all problems from their coefficients: two passes.
func (ip *interior) gradients(ctx context.Context) error {
	ip.w = nil
	var sums, products []design.Task
	for _, b := range ip.barriers {
		w := mat.NewVecDense(ip.dim, nil)
		ip.w = append(ip.w, w)
		clear(b.aimed)
		for t, beta := range b.m.beta {
			b.aimed[b.of[t]] += beta
		}
		sums = append(sums, b.combine(w.RawVector().Data))
		products = append(products, b.evaluate(w.RawVector().Data))
	}
	err := ip.share(ctx, sums)
	if err == nil {
		err = ip.share(ctx, products)
	}
	for _, b := range ip.barriers {
		for t, v := range b.of {
			b.m.g[t] = b.aimed[v] + b.m.p.q(t)
		}
	}
	return err
}

// share makes a pass.
func (ip *interior) share(ctx context.Context, tasks []design.Task) error {
	if out := tasks[0].Out; out != nil && !ip.rows.Held() {
		told := ip.j.o.Compute.Meter("pass", int64(ip.n))
		tasks[0].Out = func(made *mat.Dense, from, to int) error {
			told.Reach(int64(to))
			return out(made, from, to)
		}
	}
	return ip.rows.Share(ctx, tasks, ip.j.o.Compute)
}

// run makes steps until every problem has arrived or is stranded, and snaps the coefficients.
func (ip *interior) run(ctx context.Context) error {
	for _, b := range ip.barriers {
		if b.state != stalled {
			b.state = iterating
		}
		if b.m.converged || b.m.p.size() == 0 {
			b.state = converged
		}
	}
	rests := func(b *barrier) bool { return b.state != iterating }
	searched := slices.DeleteFunc(slices.Clone(ip.barriers), rests)
	planned := int64(plannedIterations(ip.n))
	told := ip.j.o.Compute.Meter("interior point", planned)
	defer told.End(ctx)
	for ip.steps < mostIterations {
		some := slices.DeleteFunc(slices.Clone(searched), rests)
		if len(some) == 0 {
			break
		}
		if err := ip.step(ctx, some); err != nil {
			return err
		}
		ip.steps++
		told.Reach(min(int64(ip.steps), planned-1)) // more steps than planned end it as late
	}
	for _, b := range searched {
		b.snapToBounds()
	}
	ip.tolerance *= tighter
	return nil
}

// step makes one step of some problems.
func (ip *interior) step(ctx context.Context, some []*barrier) error {
	if err := ip.pass(ctx, some, "system", (*barrier).weigh); err != nil {
		return err
	}
	var going []*barrier
	for _, b := range some {
		if b.checkConverged(ip.tolerance); b.state == converged {
			continue
		}
		if err := b.solveSystem(ctx, linalg.Options{Workers: ip.j.o.Compute.WorkerCount()}); err != nil {
			return err
		}
		if b.state != stalled {
			going = append(going, b)
		}
	}
	if len(going) == 0 {
		return nil
	}
	if err := ip.pass(ctx, going, "predictor", (*barrier).predict); err != nil {
		return err
	}
	for _, b := range going {
		if err := b.solveCorrector(ctx); err != nil {
			return err
		}
	}
	if err := ip.pass(ctx, going, "corrector", (*barrier).correct); err != nil {
		return err
	}
	for _, b := range going {
		step := min(1, toBoundary*b.passed.reach)
		if !(step > shortestStep) || floats.HasNaN(b.dw) || floats.HasNaN(b.dl) {
			b.state = stalled
			continue
		}
		b.move(step)
		b.checkStalled()
	}
	return nil
}

// pass goes through the rows for some problems, as a step of a checkpoint.
func (ip *interior) pass(ctx context.Context, some []*barrier, name string, begin func(b *barrier) (task design.Task, results [][]float64)) error {
	var tasks []design.Task
	var results [][]float64
	for _, b := range some {
		b.passed = passed{totals: make([]float64, 3*len(b.lambda)), reach: math.Inf(1), least: math.Inf(1), most: math.Inf(-1), counts: make([]float64, 7)}
		task, left := begin(b)
		tasks, results = append(tasks, task), append(append(results, left...), task.Sums, b.passed.totals, b.passed.counts)
	}
	err := ip.j.o.Compute.Step(ctx, name, results, func() error {
		err := ip.share(ctx, tasks)
		for _, b := range some {
			b.passed.store()
		}
		return err
	})
	for _, b := range some {
		b.passed.recall()
	}
	return err
}

// checkConverged looks at whether the state before a step will do: slopes in the wrong order by no
// more than a quarter of the tolerance, and no more from what differs between w and Φᵀβ of the
// coefficients once they are snapped to their bounds.
func (b *barrier) checkConverged(tolerance float64) {
	p, longest := &b.passed, b.m.longest
	differs := mat.NewVecDense(len(b.w), nil)
	differs.SubVec(p.sums.ColView(1), mat.NewVecDense(len(b.w), b.w))
	differs.AddVec(differs, p.sums.ColView(2))
	moved := mat.Norm(differs, 2) + longest*math.Abs(p.left)
	for group, total := range p.totals[2*len(b.miss):] {
		b.miss[group] = b.m.p.sums[group] - total
		moved += longest * math.Abs(b.miss[group])
	}
	if p.most-p.least <= tolerance/4 && moved*longest <= tolerance/4 {
		b.state = converged
	}
}

// checkStalled ends a search in which neither the complementarity falls nor what the sums of the
// groups lack.
func (b *barrier) checkStalled() {
	b.wasted++
	for i, left := range [2]float64{b.complementarity(0), floats.Norm(b.miss, 1)} {
		if left < lower*b.least[i] {
			b.least[i], b.wasted = left, 0
		}
	}
	if b.wasted == mostWasted {
		b.state = stalled
	}
}

// factorSystem factors I + ΦᵀVΦ of the rows that are not stiff. Where more rows are stiff than are
// kept, I may still be lost to rounding, and rows that are alike have fewer directions than
// features: what rounding may have taken is added to the diagonal then, which shortens a step in
// the directions that no row has.
func (b *barrier) factorSystem(ctx context.Context, o linalg.Options) (err error) {
	dim, largest := len(b.w), 0.0
	for i := range dim {
		largest = max(largest, b.moments.At(i, i))
	}
	lost := float64(dim) * 0x1p-53 * largest
	for shift := 1.0; shift <= math.MaxFloat64; shift, lost = 1+lost, lost*growth {
		var singular *linalg.NotPositiveDefinite
		if b.factor, err = linalg.Factor(ctx, b.moments, shift, o); !errors.As(err, &singular) {
			return err
		}
	}
	b.state = stalled
	return nil
}

// solveSystem factors the system and finds the predictor's step.
func (b *barrier) solveSystem(ctx context.Context, o linalg.Options) error {
	dim, groups := len(b.w), len(b.lambda)
	if err := b.factorSystem(ctx, o); err != nil {
		return fmt.Errorf("svm: %w", err)
	}
	if b.state == stalled {
		return nil
	}
	b.h = mat.DenseCopyOf(b.passed.sums.Slice(0, dim, 3, 3+groups))
	b.off = mat.NewVecDense(dim, nil)
	b.off.SubVec(b.passed.sums.ColView(1), mat.NewVecDense(dim, b.w))
	b.totals = slices.Clone(b.passed.totals[groups : 2*groups])
	b.u = new(mat.Dense)
	if err := b.factor.Solve(ctx, b.u, b.h); err != nil {
		return err
	}
	if b.stiff.phi != nil {
		b.stiff.solved.Copy(b.stiff.phi.T())
		if err := b.factor.Solve(ctx, b.stiff.solved, b.stiff.solved); err != nil {
			return err
		}
	}
	y := mat.NewVecDense(dim, nil)
	y.AddVec(b.passed.sums.ColView(0), b.off)
	return b.direct(ctx, y, b.passed.totals[:groups], 0)
}

// solveCorrector chooses the complementarity that the corrector aims for, by how far the predictor
// could go, and finds its step.
func (b *barrier) solveCorrector(ctx context.Context) error {
	mu, groups := b.complementarity(0), len(b.lambda)
	b.target = mu * math.Pow(max(0, b.complementarity(min(1, b.passed.reach)))/mu, 3)
	y := mat.NewVecDense(len(b.w), nil)
	y.AddScaledVec(b.passed.sums.ColView(0), b.target, b.passed.sums.ColView(1))
	y.AddVec(y, b.off)
	totals := append([]float64(nil), b.passed.totals[:groups]...)
	floats.AddScaled(totals, b.target, b.passed.totals[groups:2*groups])
	return b.direct(ctx, y, totals, b.target)
}

// ended reports whether no search can go on.
func (ip *interior) ended() bool {
	return ip.steps >= mostIterations || !slices.ContainsFunc(ip.barriers, func(b *barrier) bool { return !b.m.converged && b.state != stalled })
}
