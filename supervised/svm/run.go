package svm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
)

const (
	// doubleRows is the largest set whose matrix is held in double precision.
	doubleRows = 2048
	// defaultMemory is the size in bytes of the largest matrix or cache where the options
	// set no limit.
	defaultMemory = 2 << 30
	// mostRounds bounds how often a search is taken up again after its exact gradient
	// was found to violate the tolerance.
	mostRounds = 20
	// toleranceMargin is the part of the tolerance that the search uses up, so that the exact
	// gradient is rarely found beyond it.
	toleranceMargin = 0.9
)

// run solves all problems and reads off their functions.
func (j *job) run(ctx context.Context) (*Solution, *Report, error) {
	s, err := j.prepare(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.leave()
	if err := j.exact(ctx, math.Inf(1)); err != nil { // of the starting points
		return nil, nil, err
	}
	if err := j.converge(ctx, s); err != nil {
		return nil, nil, err
	}
	return j.finish(nil)
}

// searching is what all searches of a job share.
type searching struct {
	run      func(context.Context) error // improves all problems that have not converged
	rounding float64                     // what an element of its matrix can be wrong by
	leave    func()                      // gives the memory of the matrix back
}

// prepare binds the kernel and computes the matrix of the first working set.
func (j *job) prepare(ctx context.Context) (*searching, error) {
	if err := j.diagonal(ctx); err != nil {
		return nil, err
	}
	defer func() { j.all = nil }()
	if d, err := newDescent(ctx, j); err != nil || d != nil {
		return d.searching(), err
	}
	return j.pairs(ctx)
}

// pairs prepares a search by pairs of coefficients.
func (j *job) pairs(ctx context.Context) (*searching, error) {
	if n := len(j.order); n <= doubleRows && j.fits(8, n) {
		return searchIn[float64](ctx, j)
	}
	if p := newPairing(j); p != nil && !j.started {
		return p.searching(ctx)
	}
	return searchIn[float32](ctx, j)
}

// searchIn prepares a search in a precision.
func searchIn[F float32 | float64](ctx context.Context, j *job) (*searching, error) {
	s, err := newSearch[F](ctx, j)
	if err != nil {
		return nil, err
	}
	j.double = s.double()
	return &searching{run: s.run, rounding: rounding[F](), leave: s.leave}, nil
}

// diagonal looks at the kernel for the first time.
func (j *job) diagonal(ctx context.Context) error {
	j.diag = make([]float64, len(j.order))
	all, err := diagonal(ctx, j.src, j.order, j.diag, j.o.Compute.WorkerCount())
	if j.all = all; err != nil {
		return err
	}
	j.watch.Lap(&j.report.Run, "diagonal")
	return j.finiteDiagonal()
}

// finiteDiagonal returns an error unless it is.
func (j *job) finiteDiagonal() error {
	for i, v := range j.diag {
		if err := finiteSquare(j.order[i], v); err != nil {
			return err
		}
	}
	return nil
}

// finiteSquare returns an error unless k(x, x) of a row is finite.
func finiteSquare(row int, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("svm: the kernel value of row %d with itself is %v; a kernel matrix holds finite numbers", row, v)
	}
	return nil
}

// memory returns how many bytes a matrix or cache may have.
func (j *job) memory() int64 { return memory(j.o.Compute) }

func memory(o compute.Options) int64 {
	if o.MaxMemory > 0 {
		return compute.Room(o.MaxMemory)
	}
	return defaultMemory
}

// fits reports whether an n×n matrix of numbers of the given size does.
func (j *job) fits(bytes, n int) bool { return int64(bytes)*int64(n)*int64(n) <= j.memory() }

// converge searches and checks until all problems have converged.
func (j *job) converge(ctx context.Context, s *searching) error {
	told := j.o.Compute.Meter("search", problemUnits*int64(len(j.problems)))
	defer told.End(ctx)
	for _, m := range j.problems {
		m.nearing.told = told
	}
	for range mostRounds {
		if err := s.run(ctx); err != nil {
			return err
		}
		j.watch.Lap(&j.report.Run, "search")
		if err := j.exact(ctx, s.rounding); err != nil {
			return err
		}
		j.watch.Lap(&j.report.Run, "exact gradient")
		if j.finished() {
			break
		}
	}
	return nil
}

// oneByOne improves one problem after the other, on the matrix of its own rows in the given
// room, or on a cache of its rows.
func oneByOne[F float32 | float64](ctx context.Context, j *job, in *arena[F]) error {
	for _, m := range slices.Backward(byRows(j.problems)) { // the largest first
		if m.converged || m.p.size() == 0 {
			continue
		}
		in.prepare(rowsOf(m.spans))
		computed, err := m.step(ctx, j.o.Compute, func() (float64, error) { return solveOne(ctx, j, m, in) })
		if err != nil {
			return err
		}
		j.report.Evaluations += int64(computed)
	}
	return nil
}

// byRows returns the problems sorted by their number of rows.
func byRows(problems []*binaryProblem) []*binaryProblem {
	return slices.SortedStableFunc(slices.Values(problems), func(a, b *binaryProblem) int { return rowsOf(a.spans) - rowsOf(b.spans) })
}

// solveOne improves one problem on a cache, or on a matrix of its own, and returns how many kernel
// values it computed.
func solveOne[F float32 | float64](ctx context.Context, j *job, m *binaryProblem, in *arena[F]) (computed float64, err error) {
	var one F
	size, tolerance := binary.Size(one), toleranceMargin*j.o.Tolerance
	workers, n := j.o.Compute.WorkerCount(), rowsOf(m.spans)
	order, diag := make([]int, n), make([]float64, n)
	for local, row := range m.each() {
		order[local], diag[local] = j.order[row], j.diag[row]
	}
	here := []span{{0, n}}
	if in.holds(n) {
		k := &storedMatrix[F]{}
		if err := k.extendBy(ctx, j.src, order, 0, workers, in); err != nil {
			return 0, err
		}
		return float64(n) * float64(n+1) / 2, newSMO(m, k, here, diag).inSteps(ctx, compute.Options{}, tolerance)
	}
	c := newCache[F](j.src, order, min(n, int(j.memory()/int64(size)/int64(n))), workers)
	s := newSMO(m, c, here, diag)
	c.wanted = s.wanted
	err = s.inSteps(ctx, compute.Options{}, tolerance)
	return float64(c.computed), err
}

// finished reports whether no problem has anything left to do.
func (j *job) finished() bool {
	for _, m := range j.problems {
		if !m.converged && !m.exhausted() {
			return false
		}
	}
	return true
}

// finish reads the functions off the problems, and tells what came of each.
func (j *job) finish(tell func(c int, found *outcome)) (*Solution, *Report, error) {
	coefs, in := make([][]float64, len(j.problems)), make([]bool, len(j.order))
	sol := &Solution{Bias: make([]float64, len(j.problems))}
	err := j.conclude(func(c int, m *binaryProblem, found *outcome) {
		if tell != nil {
			tell(c, found)
		}
		sol.Bias[c], coefs[c] = found.bias, found.coef
		for local, row := range m.each() {
			in[row] = in[row] || found.coef[local] != 0
		}
	})
	if err != nil {
		return nil, nil, err
	}
	places, coef := j.columns(coefs, in)
	if sol.Rows, sol.Coef = j.rows(places), coef; len(places) == 0 {
		sol.Rows, sol.Coef = []int{0}, mat.NewDense(1, len(j.problems), nil)
	}
	sol.inOrder()
	j.report.Support = sol.Rows
	return sol, j.report, nil
}

// inOrder sorts the rows.
func (s *Solution) inOrder() {
	if slices.IsSorted(s.Rows) {
		return
	}
	at := make([]int, len(s.Rows))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return s.Rows[a] - s.Rows[b] })
	_, problems := s.Coef.Dims()
	rows, coef := make([]int, len(at)), mat.NewDense(len(at), problems, nil)
	for to, from := range at {
		rows[to] = s.Rows[from]
		coef.SetRow(to, s.Coef.RawRowView(from))
	}
	s.Rows, s.Coef = rows, coef
}

// conclude reports on the problems, and tells what came of each.
func (j *job) conclude(tell func(c int, m *binaryProblem, out *outcome)) error {
	r, support := j.report, make([]bool, j.n)
	r.Converged = true
	for c, m := range j.problems {
		if apart := m.apart(); apart < leastApart {
			return &NotSeparable{Distance: apart, Positive: m.positive, Negative: m.negative}
		}
		out, err := m.conclude(j.o.Type)
		if err != nil {
			return err
		}
		tell(c, m, out)
		for local, at := range m.each() {
			row := j.order[at]
			support[row] = support[row] || out.coef[local] != 0
		}
		r.Problems = append(r.Problems, BinaryProblem{Positive: m.positive, Negative: m.negative, Rows: rowsOf(m.spans), Objective: out.objective, Gap: out.gap, StartGap: m.startGap,
			Violation: m.violation, Converged: m.converged, Iterations: m.steps, Support: out.support, Bounded: out.bound, Bias: out.bias, Rho: out.rho, Tube: out.tube})
		r.Converged = r.Converged && m.converged
		if !m.converged && !j.evaluateOnly {
			r.Warn("binary problem %d stopped after %d steps at a violation of %.2g, above the tolerance %.2g: its duality gap is %.2g", c, m.steps, m.violation, j.o.Tolerance, out.gap)
		}
	}
	r.SupportVectors = len(chosenRows(support))
	j.watch.Lap(&r.Run, "report")
	return nil
}
