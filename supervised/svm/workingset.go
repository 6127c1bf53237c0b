package svm

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
)

const (
	// sampleStep is the step of the sample, the first working set: one row of as many, and of fewer
	// where that leaves less than leastSample rows, but not of fewer than leastStep.
	sampleStep  = 8
	leastStep   = 4
	leastSample = 1024
	// mostSupport is the share of a sample that may have coefficients: with more of them
	// a working set would grow until it holds nearly all rows, and takes them all at once.
	mostSupport = 0.45
	// coarseTolerance is the tolerance of the search on a working set that will grow, relative to
	// the violation at its beginning.
	coarseTolerance = 0.02
	// nextShare is how many rows are taken along for each one in violation, those that
	// are next to be; 1/leastNext of a problem's rows at least.
	nextShare = 0.1
	leastNext = 512
	// joinShare is the share of a problem's rows outside that join the working set at the same
	// time, and leastJoin the number of them that always may. Most of the first that are in
	// violation end at their bound, where they need no place in the matrix: a few at a time, it
	// stays small.
	joinShare = 0.05
	leastJoin = 1000
	// wholeShare is the share of the rows from which a working set takes all of them: what is
	// left would save less than finding out.
	wholeShare = 0.75
	// leastAtBound is how many times as many rows as are not at their bound a working set may hold
	// whose matrix is not stored.
	leastAtBound = 2
	// mostSets is the number of working sets after which all rows are searched together.
	mostSets = 60
	// touchCost is what it costs to write a number to memory for the first time, in kernel values:
	// 2 s/GB where a virtual machine has to ask for the memory, and 2 ns for a kernel value.
	touchCost = 4
)

// search is decomposition on a working set of rows, whose matrix is small:
//
//  1. The first working set is a sample, some rows of every class.
//  2. All problems are searched on the working set, by [smo]; coefficients outside of it stay.
//  3. The gradient of the rows outside is brought up to date, by a product in single precision with
//     the coefficients that have changed ([search.updateInactive]).
//  4. Rows in violation by more than what is left inside, and those that are next, are found
//     ([search.violators]). Where there are none the search ends.
//  5. Either they join the working set, whose matrix is extended, or they are the next one, with
//     the coefficients that lie between their bounds. What costs less is done, by counts of kernel
//     values and never by a clock ([search.grow]). Go on with 2.
//
// Why: of n rows only those near the margin end with a coefficient between its bounds, and only
// their kernel values are read again and again. Rows that end at their bound need no place in the
// matrix, so few join at a time.
//
// Chunking: Vapnik, Estimation of Dependences Based on Empirical Data, 1982; Osuna, Freund and
// Girosi, CVPR 1997.
type search[F float32 | float64] struct {
	j    *job
	in   *arena[F]
	k    held[F] // the matrix of the working set; nil where it does not fit
	rows [][]int // places in the order of the job: those of a block of k in rising order
	// columns returns all rows bound as columns; they are, by another worker than the first working
	// set, or when the first coefficients have changed.
	columns func() *columns
	binding sync.WaitGroup
	// sampling says that the working set is the sample, and changed that it was not searched yet.
	sampling, changed bool
	stores            bool // the matrix of a working set, whose rows are computed anew otherwise
}

// held is what a search has of the kernel matrix of its part.
type held[F float32 | float64] interface {
	// size returns the number of rows.
	size() int
	// extendBy takes more rows of a source: of the given ones the first, as many as are known, are
	// here. What is stored is in the arena.
	extendBy(ctx context.Context, src gram.Source, rows []int, known, workers int, in *arena[F]) error
	// reader returns the rows for the search of one problem, whose columns are those of the spans.
	reader(of []span) rows[F]
}

// newSearch computes the matrix of the first working set.
func newSearch[F float32 | float64](ctx context.Context, j *job) (*search[F], error) {
	s := &search[F]{j: j, in: newArena[F](j), sampling: !j.started, stores: j.stores()}
	s.columns = sync.OnceValue(func() *columns { return columnsOf(j.src, j.order, j.memory()/columnsShare) })
	first := s.first()
	if len(first) < len(j.order) && j.o.Compute.WorkerCount() > 1 {
		s.binding.Go(func() { s.columns() })
	}
	if err := s.setWorkingSet(ctx, first); err != nil {
		s.leave()
		return nil, err
	}
	return s, nil
}

// leave gives the memory back.
func (s *search[F]) leave() {
	s.binding.Wait()
	s.j.report.Matrix = max(s.j.report.Matrix, s.in.bytes())
	s.in.leave()
}

// first returns the rows of the first working set: some of every class, and those that have a
// coefficient; or all of them, see sampled. Of a job whose gradient is known it returns those
// that are not at their bound.
func (s *search[F]) first() []int {
	if s.j.started {
		rows, _ := s.violators()
		return chosenRows(rows)
	}
	n, step := len(s.j.order), 1
	if s.sampled() {
		for step = sampleEach(n); step < n && !s.fits(2*n/step); { // with room to grow
			step *= 2
		}
	}
	in := make([]bool, n)
	for _, m := range s.j.problems {
		for _, span := range m.spans {
			for row := span.from; row < span.to; row += step {
				in[row] = true
			}
		}
	}
	for i, coef := range s.j.coefs() {
		for local, row := range s.j.problems[i].each() {
			in[row] = in[row] || coef[local] != 0
		}
	}
	return chosenRows(in)
}

// sampled reports whether the search begins with a sample, and not with all rows: where
// these do not fit into memory, or are many and there is a problem on half of them. The
// support vectors of problems for many pairs of classes are together most of the rows.
// Rows of a matrix that is bound already cannot be had without the others.
func (s *search[F]) sampled() bool {
	n, largest := len(s.j.order), 0
	for _, m := range s.j.problems {
		largest = max(largest, rowsOf(m.spans))
	}
	return !isBound(s.j.src) && (!s.fits(n) || n > doubleRows && 2*largest >= n)
}

// chosenRows returns the rows that are marked.
func chosenRows(in []bool) []int {
	var out []int
	for row, is := range in {
		if is {
			out = append(out, row)
		}
	}
	return out
}

// fits reports whether the matrix of n rows fits into memory, or need not.
func (s *search[F]) fits(n int) bool {
	var one F
	return !s.stores || s.j.fits(binary.Size(one), n)
}

// run improves all problems that have not converged, one working set after the other.
func (s *search[F]) run(ctx context.Context) error {
	for part := 1; ; part++ {
		known := s.j.coefs()
		if err := s.improve(ctx); err != nil {
			return err
		}
		if err := s.updateInactive(ctx, known); err != nil {
			return err
		}
		next, more := s.violators()
		if !more || part > mostSets {
			return nil
		}
		if part == mostSets {
			next = all(len(next))
		}
		if err := s.grow(ctx, next); err != nil {
			return err
		}
	}
}

// improve searches all problems on the working set that have not converged. A sample of which
// too much is support was searched in vain but for that: all rows are searched, from
// where the problems were.
func (s *search[F]) improve(ctx context.Context) error {
	j := s.j
	part, variables := j.restrict(s.rows)
	if err := s.searchSet(ctx, part); err != nil {
		return err
	}
	for i, m := range j.problems {
		searched := part.problems[i]
		if !s.stores {
			j.report.Evaluations += 2 * int64(searched.steps-m.steps) * int64(rowsOf(searched.spans))
		}
		m.steps, m.longest = searched.steps, max(m.longest, searched.longest)
	}
	sample := s.sampling && len(part.order) < len(j.order) && s.fits(len(j.order))
	if s.sampling, s.changed = false, false; sample && part.support() > mostSupport*float64(len(part.order)) {
		if err := s.grow(ctx, all(len(j.order))); err != nil {
			return err
		}
		return s.improve(ctx)
	}
	for i, m := range j.problems {
		for k, t := range variables[i] {
			m.beta[t], m.g[t] = part.problems[i].beta[k], part.problems[i].g[k]
		}
	}
	j.watch.Lap(&j.report.Run, "search")
	return nil
}

// searchSet searches all problems of the restricted job: on the matrix of the working set side by
// side, or each alone where that does not fit.
func (s *search[F]) searchSet(ctx context.Context, part *job) error {
	if s.k == nil {
		return oneByOne(ctx, part, s.in)
	}
	errs := make([]error, len(part.problems))
	err := parallel.Each(ctx, part.o.Compute.WorkerCount(), len(part.problems), func(_, i int) {
		m := part.problems[i]
		if m.converged || m.p.size() == 0 {
			return
		}
		tolerance := toleranceMargin * part.o.Tolerance
		if s.changed && len(part.order) < len(s.j.order) {
			tolerance = max(tolerance, coarseTolerance*m.p.violation(m.beta, m.g))
		}
		errs[i] = newSMO(m, s.k.reader(m.spans), m.spans, part.diag).inSteps(ctx, part.problemOptions(i), tolerance)
	})
	return errors.Join(append(errs, err)...)
}

// support returns the number of rows with a coefficient in any problem.
func (j *job) support() float64 {
	in := make([]bool, len(j.order))
	for i, coef := range j.coefs() {
		for local, row := range j.problems[i].each() {
			in[row] = in[row] || coef[local] != 0
		}
	}
	return float64(len(chosenRows(in)))
}

// all marks n rows.
func all(n int) []bool {
	in := make([]bool, n)
	for row := range in {
		in[row] = true
	}
	return in
}

// inside marks the rows of the working set.
func (s *search[F]) inside() []bool {
	in := make([]bool, len(s.j.order))
	for _, rows := range s.rows {
		for _, row := range rows {
			in[row] = true
		}
	}
	return in
}

// grow takes the marked rows into the working set, or all where few would be left. Either its
// matrix is extended, or they are the next working set alone, without the rows that are at their
// bound: what costs less, and always the second where the first does not fit into memory.
func (s *search[F]) grow(ctx context.Context, marked []bool) error {
	in, size, n := s.inside(), 0, len(s.j.order)
	for row, is := range in {
		if is || marked[row] {
			size++
		}
	}
	if float64(size) >= wholeShare*float64(n) && s.fits(n) {
		marked, size = all(n), n
	}
	next := chosenRows(marked)
	if s.k == nil || !s.fits(size) || s.renews(len(next), size) {
		return s.setWorkingSet(ctx, next)
	}
	return s.add(ctx, slices.DeleteFunc(next, func(row int) bool { return in[row] }))
}

// renews reports whether another working set of the given number of rows costs less than to extend
// this one to the given size. Of a matrix that is not stored it is the steps that cost, which go
// over all rows.
func (s *search[F]) renews(next, size int) bool {
	if !s.stores {
		return leastAtBound*next < size
	}
	return s.renewal(next) < s.extension(size)
}

// extension returns what it costs to extend the matrix to the given number of rows: kernel
// values, and the numbers in memory that are touched for the first time.
func (s *search[F]) extension(size int) int {
	return (size*size-s.k.size()*s.k.size())/2 + touchCost*max(0, size*size-s.in.touched)
}

// renewal returns what it costs in the same units to begin another working set of the given number
// of rows. Rows that it leaves out come back into violation and make more working sets of it, which
// is about one more pass over all rows with the coefficients of half of the working set.
func (s *search[F]) renewal(size int) int {
	return size*size/2 + touchCost*max(0, size*size-s.in.touched) + size*len(s.j.order)/2
}

// setWorkingSet makes the given rows the working set.
func (s *search[F]) setWorkingSet(ctx context.Context, rows []int) error {
	s.in.clear()
	s.k, s.rows = nil, nil
	switch {
	case !s.stores:
		s.k = &uncachedRows[F]{}
	case s.fits(len(rows)):
		s.k = &storedMatrix[F]{}
	default:
		s.rows = [][]int{rows}
		return nil
	}
	return s.add(ctx, rows)
}

// add extends the matrix of the working set by the given rows.
func (s *search[F]) add(ctx context.Context, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	s.changed = true
	j := s.j
	known := s.k.size()
	if s.rows = append(s.rows, rows); known+len(rows) == len(j.order) {
		s.binding.Wait()
		s.columns = func() *columns { return &columns{} } // no row is outside any more
	}
	if err := s.k.extendBy(ctx, j.src, j.rows(slices.Concat(s.rows...)), known, j.o.Compute.WorkerCount(), s.in); err != nil {
		return err
	}
	j.watch.Lap(&j.report.Run, "gram")
	if s.stores {
		j.report.Evaluations += int64(len(rows)) * (2*int64(known) + int64(len(rows)) + 1) / 2
	} else if k, is := s.k.(*uncachedRows[F]); is && !cheap(k.p) { // with these rows, though not with the first of all
		s.stores = true
		return s.setWorkingSet(ctx, slices.Sorted(slices.Values(slices.Concat(s.rows...))))
	}
	return nil
}

// double returns the matrix of all rows, if it is in memory in double precision; else nil.
func (s *search[F]) double() multiplier {
	k, is := any(s.k).(*storedMatrix[float64])
	if !is || k == nil || k.size() < len(s.j.order) {
		return nil
	}
	return wholeProduct{gram.FromMatrix(mat.NewSymDense(k.size(), k.blocks[0].rows)).Pairs()} // small matrices are one block
}
