package svm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/parallel"
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
	// reserve is the part of the tolerance that the search uses up, so that the exact
	// gradient is rarely found beyond it.
	reserve = 0.9
)

// run solves all machines and reads off their functions.
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
	return j.finish()
}

// searching is what all searches of a job share.
type searching struct {
	run      func() error // improves all machines that have not converged
	rounding float64      // what an element of its matrix can be wrong by
	leave    func()       // gives the memory of the matrix back
}

// prepare binds the kernel and computes the matrix, where there is one.
func (j *job) prepare(ctx context.Context) (*searching, error) {
	if err := j.bind(); err != nil {
		return nil, err
	}
	if n := len(j.order); n <= doubleRows && j.fits(8, n) {
		return searchIn(ctx, j, new(room[float64]))
	}
	return searchIn(ctx, j, new(room[float32]))
}

// searchIn prepares a search in the precision of the room: by parts where the matrix does
// not fit into memory and the rows of a part can be had without the others.
func searchIn[F float32 | float64](ctx context.Context, j *job, in *room[F]) (s *searching, err error) {
	var one F
	s = &searching{rounding: rounding[F](), leave: in.leave}
	if _, bound := j.src.(matrix); !bound && !j.fits(binary.Size(one), len(j.order)) {
		s.run = chunker(ctx, j, in)
	} else if s.run, err = searcher(ctx, j, in); err != nil {
		in.leave()
		return nil, err
	}
	return s, nil
}

// bind looks at the kernel for the first time.
func (j *job) bind() error {
	j.src.diagonal(j.order, j.diag)
	for i, v := range j.diag {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("svm: the kernel value of row %d with itself is %v; a kernel matrix holds finite numbers", j.order[i], v)
		}
	}
	j.watch.Lap(&j.report.Run, "bind")
	return nil
}

// memory returns how many bytes a matrix or cache may have.
func (j *job) memory() int64 {
	if limit := j.o.Compute.MaxMemory; limit > 0 {
		return limit
	}
	return defaultMemory
}

// fits reports whether an n×n matrix of numbers of the given size does.
func (j *job) fits(bytes, n int) bool { return int64(bytes)*int64(n)*int64(n) <= j.memory() }

// converge searches and checks until all machines have converged.
func (j *job) converge(ctx context.Context, s *searching) error {
	for range mostRounds {
		if err := s.run(); err != nil {
			return err
		}
		j.watch.Lap(&j.report.Run, "search")
		if err := j.exact(ctx, s.rounding); err != nil {
			return err
		}
		j.watch.Lap(&j.report.Run, "exact gradient")
		if j.settled() {
			break
		}
	}
	return nil
}

// searcher returns a function that improves all machines that have not converged: on
// one matrix for all of them where it fits into memory, side by side; else one machine
// after the other on the matrix of its own rows, or on a cache of its rows. Matrices are
// in the given room.
func searcher[F float32 | float64](ctx context.Context, j *job, in *room[F]) (func() error, error) {
	var one F
	workers, tolerance := j.o.Compute.WorkerCount(), reserve*j.o.Tolerance
	size := binary.Size(one)
	if !j.fits(size, len(j.order)) {
		return func() error { return alone(ctx, j, size, tolerance, in) }, nil
	}
	k, err := matrixOf(ctx, j.src, j.order, workers, in)
	if err != nil {
		return nil, err
	}
	j.report.Evaluations += int64(len(j.order)) * int64(len(j.order)+1) / 2
	j.watch.Lap(&j.report.Run, "gram")
	return func() error {
		errs := make([]error, len(j.machines))
		err := parallel.Each(ctx, workers, len(j.machines), func(_, i int) {
			if m := j.machines[i]; !m.converged && m.p.size() > 0 {
				errs[i] = newSMO(m, k, m.spans, j.diag).run(ctx, tolerance)
			}
		})
		return errors.Join(append(errs, err)...)
	}, nil
}

// matrixOf returns the matrix of the given rows in memory.
func matrixOf[F float32 | float64](ctx context.Context, src source, order []int, workers int, in *room[F]) (*whole[F], error) {
	if m, ok := src.(matrix); ok {
		return newScattered(ctx, m.p, order, workers, in)
	}
	return newWhole(ctx, src.bind(order, order), workers, in)
}

// alone improves one machine after the other.
func alone[F float32 | float64](ctx context.Context, j *job, size int, tolerance float64, in *room[F]) error {
	for _, m := range slices.Backward(byRows(j.machines)) { // the largest first
		if m.converged || m.p.size() == 0 {
			continue
		}
		if err := aloneOn(ctx, j, m, size, tolerance, in); err != nil {
			return err
		}
	}
	return nil
}

// byRows returns the machines sorted by their number of rows.
func byRows(machines []*machine) []*machine {
	return slices.SortedStableFunc(slices.Values(machines), func(a, b *machine) int { return rowsOf(a.spans) - rowsOf(b.spans) })
}

// aloneOn improves one machine on a cache, or on a matrix of its own.
func aloneOn[F float32 | float64](ctx context.Context, j *job, m *machine, size int, tolerance float64, in *room[F]) error {
	workers, n := j.o.Compute.WorkerCount(), rowsOf(m.spans)
	order, diag := make([]int, n), make([]float64, n)
	for local, row := range m.each() {
		order[local], diag[local] = j.order[row], j.diag[row]
	}
	here := []span{{0, n}}
	if j.fits(size, n) {
		k, err := matrixOf(ctx, j.src, order, workers, in)
		if err != nil {
			return err
		}
		j.report.Evaluations += int64(n) * int64(n+1) / 2
		return newSMO(m, k, here, diag).run(ctx, tolerance)
	}
	c := newCache[F](j.src, order, min(n, int(j.memory()/int64(size)/int64(n))), workers)
	s := newSMO(m, c, here, diag)
	c.wanted = s.wanted
	err := s.run(ctx, tolerance)
	j.report.Evaluations += c.computed
	return err
}

// settled reports whether no machine has anything left to do.
func (j *job) settled() bool {
	for _, m := range j.machines {
		if !m.converged && !m.exhausted() {
			return false
		}
	}
	return true
}

// finish reads the functions off the machines.
func (j *job) finish() (*Solution, *Report, error) {
	sol := &Solution{Coef: mat.NewDense(j.n, len(j.machines), nil), Bias: make([]float64, len(j.machines))}
	r, support := j.report, make([]bool, j.n)
	r.Converged = true
	for c, m := range j.machines {
		if apart := m.apart(); apart < leastApart {
			return nil, nil, &NotSeparable{Distance: apart, Positive: m.positive, Negative: m.negative}
		}
		out, err := m.conclude(j.o.Type)
		if err != nil {
			return nil, nil, err
		}
		for local, at := range m.each() {
			row := j.order[at]
			sol.Coef.Set(row, c, out.coef[local])
			support[row] = support[row] || out.coef[local] != 0
		}
		sol.Bias[c] = out.bias
		r.Machines = append(r.Machines, Machine{Positive: m.positive, Negative: m.negative, Rows: rowsOf(m.spans), Objective: out.objective, Gap: out.gap,
			Violation: m.violation, Converged: m.converged, Iterations: m.steps, Support: out.support, Bounded: out.bound, Bias: out.bias, Rho: out.rho, Tube: out.tube})
		if !m.converged {
			r.Converged = false
			r.Warn("machine %d stopped after %d steps at a violation of %.2g, above the tolerance %.2g: its duality gap is %.2g", c, m.steps, m.violation, j.o.Tolerance, out.gap)
		}
	}
	for _, is := range support {
		if is {
			r.SupportVectors++
		}
	}
	j.watch.Lap(&r.Run, "report")
	return sol, r, nil
}
