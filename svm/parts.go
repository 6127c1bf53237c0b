package svm

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/internal/parallel"
)

const (
	// sampleStep is the step of the sample, the first part: one row of as many.
	sampleStep = 4
	// mostSupport is the share of a sample that may have coefficients: with more of them
	// a part would grow until it holds nearly all rows, and takes them all at once.
	mostSupport = 0.45
	// rough is the tolerance of the search on a part that will grow, relative to the
	// violation at its beginning.
	rough = 0.02
	// alongShare is how many rows are taken along for each one in violation, those that
	// are next to be; 1/leastAlong of a machine's rows at least.
	alongShare = 0.1
	leastAlong = 512
	// wholeShare is the share of the rows from which a part takes all of them: what is
	// left would save less than finding out.
	wholeShare = 0.75
	// mostParts is the number of parts after which all rows are searched together.
	mostParts = 30
)

// search improves machines on a part of the rows, whose matrix is small (chunking:
// Vapnik, Estimation of Dependences Based on Empirical Data, 1982; Osuna, Freund & Girosi,
// CVPR 1997). It begins with a sample. Its function says which of all rows are in
// violation; these and those that nearly are join the part, and its matrix is extended
// by them, until no row is in violation. Where the matrix would not fit into memory
// another part begins: the rows in violation, those that nearly are, and the coefficients
// between their bounds. Coefficients outside of the part stay as they are.
//
// The gradient of the rows outside is brought up to date by a product in single precision
// with the coefficients that have changed.
type search[F float32 | float64] struct {
	j    *job
	in   *room[F]
	k    *whole[F] // the matrix of the part; nil where it does not fit
	part [][]int   // places in the order of the job: those of a block of k in rising order
	// sampling says that the part is the sample, and changed that it was not searched yet.
	sampling, changed bool
}

// newSearch computes the matrix of the first part.
func newSearch[F float32 | float64](ctx context.Context, j *job) (*search[F], error) {
	s := &search[F]{j: j, in: newRoom[F](j), sampling: true}
	if err := s.begin(ctx, s.first()); err != nil {
		s.in.leave()
		return nil, err
	}
	return s, nil
}

// first returns the rows of the first part: all where they are few, and where those of a
// matrix that is bound cannot be had without the others; else some of every class, and
// those that have a coefficient.
func (s *search[F]) first() []int {
	n := len(s.j.order)
	in := make([]bool, n)
	step := sampleStep
	switch _, bound := s.j.src.(matrix); {
	case bound || n <= doubleRows && s.fits(n):
		step = 1
	default:
		for step < n && !s.fits(2*n/step) { // with room to grow
			step *= 2
		}
	}
	for _, m := range s.j.machines {
		for _, span := range m.spans {
			for row := span.from; row < span.to; row += step {
				in[row] = true
			}
		}
	}
	for i, coef := range s.j.coefs() {
		for local, row := range s.j.machines[i].each() {
			in[row] = in[row] || coef[local] != 0
		}
	}
	return chosenRows(in)
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

// fits reports whether the matrix of n rows fits into memory.
func (s *search[F]) fits(n int) bool {
	var one F
	return s.j.fits(binary.Size(one), n)
}

// run improves all machines that have not converged, part by part.
func (s *search[F]) run(ctx context.Context) error {
	for part := 1; ; part++ {
		known := s.j.coefs()
		if err := s.improve(ctx); err != nil {
			return err
		}
		if err := s.refresh(ctx, known); err != nil {
			return err
		}
		next, more := s.violators()
		if !more || part > mostParts {
			return nil
		}
		if part == mostParts {
			next = all(len(next))
		}
		if err := s.grow(ctx, next); err != nil {
			return err
		}
	}
}

// improve searches all machines on the part that have not converged. A sample of which
// too much is support was searched in vain but for that: all rows are searched, from
// where the machines were.
func (s *search[F]) improve(ctx context.Context) error {
	j := s.j
	part, variables := j.restrict(s.part)
	if err := s.searchPart(ctx, part); err != nil {
		return err
	}
	for i, m := range j.machines {
		m.steps, m.longest = part.machines[i].steps, max(m.longest, part.machines[i].longest)
	}
	sampled := s.sampling && len(part.order) < len(j.order) && s.fits(len(j.order))
	if s.sampling, s.changed = false, false; sampled && part.support() > mostSupport*float64(len(part.order)) {
		if err := s.grow(ctx, all(len(j.order))); err != nil {
			return err
		}
		return s.improve(ctx)
	}
	for i, m := range j.machines {
		for k, t := range variables[i] {
			m.beta[t], m.g[t] = part.machines[i].beta[k], part.machines[i].g[k]
		}
	}
	j.watch.Lap(&j.report.Run, "search")
	return nil
}

// searchPart searches all machines of the restricted job: on the matrix of the part side by
// side, or each alone where that does not fit.
func (s *search[F]) searchPart(ctx context.Context, part *job) error {
	if s.k == nil {
		return alone(ctx, part, s.in)
	}
	errs := make([]error, len(part.machines))
	err := parallel.Each(ctx, part.o.Compute.WorkerCount(), len(part.machines), func(_, i int) {
		m := part.machines[i]
		if m.converged || m.p.size() == 0 {
			return
		}
		tolerance := reserve * part.o.Tolerance
		if s.changed && len(part.order) < len(s.j.order) {
			tolerance = max(tolerance, rough*m.p.violation(m.beta, m.g))
		}
		errs[i] = newSMO(m, s.k, m.spans, part.diag).run(ctx, tolerance)
	})
	return errors.Join(append(errs, err)...)
}

// support returns the number of rows with a coefficient in any machine.
func (j *job) support() float64 {
	in := make([]bool, len(j.order))
	for i, coef := range j.coefs() {
		for local, row := range j.machines[i].each() {
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

// inside marks the rows of the part.
func (s *search[F]) inside() []bool {
	in := make([]bool, len(s.j.order))
	for _, rows := range s.part {
		for _, row := range rows {
			in[row] = true
		}
	}
	return in
}

// violators marks the rows that violate the conditions of a machine or nearly do, and says
// whether there is a violation beyond what the search leaves.
func (s *search[F]) violators() (rows []bool, more bool) {
	in := s.inside()
	rows = make([]bool, len(in))
	for _, m := range s.j.machines {
		if m.converged || m.exhausted() || m.p.violation(m.beta, m.g) <= s.j.o.Tolerance*(1+reserve)/2 {
			continue
		}
		more = true
		lacks := m.violations()
		var outside []float64
		for local, row := range m.each() {
			if !in[row] {
				outside = append(outside, lacks[local])
			}
		}
		least := along(outside)
		for local, row := range m.each() {
			rows[row] = rows[row] || lacks[local] >= least
		}
	}
	return rows, more
}

// along returns the violation from which rows are taken: at most 0, and below it for
// those that are next.
func along(lacks []float64) float64 {
	slices.Sort(lacks)
	slices.Reverse(lacks)
	in := 0
	for in < len(lacks) && lacks[in] >= 0 {
		in++
	}
	last := in + max(len(lacks)/leastAlong, int(alongShare*float64(in)))
	if len(lacks) == 0 {
		return 0
	}
	return min(0, lacks[min(last, len(lacks)-1)])
}

// grow extends the part by the marked rows that are outside of it, or by all where few
// would be left; where that does not fit into memory, the marked rows are the next part.
func (s *search[F]) grow(ctx context.Context, marked []bool) error {
	in, size, n := s.inside(), 0, len(s.j.order)
	for row, is := range in {
		if is || marked[row] {
			size++
		}
	}
	if everything := float64(size) >= wholeShare*float64(n) && s.fits(n); s.k == nil || !everything && !s.fits(size) {
		return s.begin(ctx, chosenRows(marked))
	} else if everything {
		marked = all(n)
	}
	for row, is := range in {
		marked[row] = marked[row] && !is
	}
	return s.add(ctx, chosenRows(marked))
}

// begin makes the given rows the part.
func (s *search[F]) begin(ctx context.Context, rows []int) error {
	s.in.clear()
	s.k, s.part = nil, nil
	if !s.fits(len(rows)) {
		s.part = [][]int{rows}
		return nil
	}
	s.k = &whole[F]{}
	return s.add(ctx, rows)
}

// add extends the matrix of the part by the given rows.
func (s *search[F]) add(ctx context.Context, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	s.changed = true
	j := s.j
	known := s.k.size()
	s.part = append(s.part, rows)
	if err := s.k.extendBy(ctx, j.src, j.rows(slices.Concat(s.part...)), known, j.o.Compute.WorkerCount(), s.in); err != nil {
		return err
	}
	j.report.Evaluations += int64(len(rows)) * (2*int64(known) + int64(len(rows)) + 1) / 2
	j.watch.Lap(&j.report.Run, "gram")
	return nil
}

// double returns the matrix of all rows, if it is in memory in double precision; else nil.
func (s *search[F]) double() source {
	k, is := any(s.k).(*whole[float64])
	if !is || k == nil || k.size() < len(s.j.order) {
		return nil
	}
	return matrix{gram.FromMatrix(mat.NewSymDense(k.size(), k.blocks[0].rows)).Pairs()} // small matrices are one block
}

// violations returns for each row by how much the gradient of a variable of it is on the
// wrong side of the multiplier of its group, below 0 for the right side.
func (m *machine) violations() []float64 {
	rows := make([]float64, rowsOf(m.spans))
	for i := range rows {
		rows[i] = math.Inf(-1)
	}
	lambda := m.p.multipliers(m.beta, m.g)
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			v := math.Inf(-1)
			if m.beta[t] < m.p.hi[t] {
				v = lambda[s.group] - m.g[t]
			}
			if m.beta[t] > m.p.lo[t] {
				v = max(v, m.g[t]-lambda[s.group])
			}
			row := s.row + t - s.from
			rows[row] = max(rows[row], v)
		}
	}
	return rows
}

// refresh adds to the gradients of the rows outside of the part what they owe to the
// coefficients that have changed since they were as given.
func (s *search[F]) refresh(ctx context.Context, known [][]float64) error {
	j := s.j
	in, place := s.inside(), make([]int, len(j.order))
	var outside []int
	for row := range place {
		if place[row] = len(outside); !in[row] {
			outside = append(outside, row)
		}
	}
	if len(outside) == 0 {
		return nil
	}
	moved, steps := j.changes(known)
	if len(moved) == 0 {
		return nil
	}
	o := j.o.Compute
	o.Precision = gram.Single
	f, err := j.src.product(ctx, j.rows(outside), j.rows(moved), false, steps, o)
	if err != nil {
		return err
	}
	j.report.Evaluations += int64(len(outside)) * int64(len(moved))
	for i, m := range j.machines {
		m.shift(func(row int) float64 {
			if in[row] {
				return 0
			}
			return f.At(place[row], i)
		})
	}
	j.watch.Lap(&j.report.Run, "outside")
	return nil
}

// coefs returns the coefficients of all machines.
func (j *job) coefs() [][]float64 {
	out := make([][]float64, len(j.machines))
	for i, m := range j.machines {
		out[i] = m.coef()
	}
	return out
}

// changes returns the rows whose coefficients in any machine are not the known ones any
// more, and by how much.
func (j *job) changes(known [][]float64) (moved []int, steps *mat.Dense) {
	in, by := make([]bool, len(j.order)), j.coefs()
	for i, m := range j.machines {
		for local, row := range m.each() {
			by[i][local] -= known[i][local]
			in[row] = in[row] || by[i][local] != 0
		}
	}
	if moved = chosenRows(in); len(moved) == 0 {
		return nil, nil
	}
	place := make([]int, len(j.order))
	for at, row := range moved {
		place[row] = at
	}
	steps = mat.NewDense(len(moved), len(j.machines), nil)
	for i, m := range j.machines {
		for local, row := range m.each() {
			if in[row] {
				steps.Set(place[row], i, by[i][local])
			}
		}
	}
	return moved, steps
}

// shift adds by(row) to the gradient of the variables of every row.
func (m *machine) shift(by func(row int) float64) {
	moves := make([]float64, rowsOf(m.spans))
	for local, row := range m.each() {
		moves[local] = by(row)
	}
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			m.g[t] += moves[s.row+t-s.from]
		}
	}
}
