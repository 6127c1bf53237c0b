package svm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
)

const (
	// sampleStep is the step of the sample: one row of as many.
	sampleStep = 8
	// alongShare is how many rows are taken along for each one in violation, those that
	// are next to be; 1/leastAlong of a machine's rows at least.
	alongShare = 0.1
	leastAlong = 512
	// mostChunks is the number of parts after which all rows are searched together.
	mostChunks = 30
)

// chunks is a search on parts of the rows, whose matrices are small (chunking: Vapnik,
// Estimation of Dependences Based on Empirical Data, 1982; Osuna, Freund & Girosi, CVPR
// 1997). The first part is a sample. Its function says which of all rows are in
// violation, and these, with those that nearly are and the coefficients between their
// bounds, are the next part; all other coefficients stay as they are. It ends where no
// row is in violation.
//
// The gradient of the rows outside of a part is brought up to date by a product in single
// precision with the coefficients that have changed.
type chunks struct {
	j     *job
	known [][]float64 // of each machine, the coefficients that all its gradients know of
}

// newChunks returns the search of j, whose gradients are up to date.
func newChunks(j *job) *chunks {
	c := &chunks{j: j, known: make([][]float64, len(j.machines))}
	for i, m := range j.machines {
		c.known[i] = m.coef()
	}
	return c
}

// chunker returns a function that improves all machines that have not converged, part by
// part.
func chunker[F float32 | float64](ctx context.Context, j *job, in *room[F]) func() error {
	var c *chunks
	return func() error {
		var active []bool
		if c == nil {
			c = newChunks(j)
			active = c.sample()
		} else {
			active, _ = c.violators()
		}
		for part := 1; ; part++ {
			if err := searchPart(ctx, j, active, in); err != nil {
				return err
			}
			if err := c.refresh(ctx, active); err != nil {
				return err
			}
			var more bool
			if active, more = c.violators(); !more || part > mostChunks {
				return nil
			}
			if part == mostChunks {
				for row := range active {
					active[row] = true
				}
			}
		}
	}
}

// searchPart improves all machines by the active rows.
func searchPart[F float32 | float64](ctx context.Context, j *job, active []bool, in *room[F]) error {
	part, variables := j.restrict(active)
	search, err := searcher(ctx, part, in)
	if err != nil {
		return err
	}
	if err := search(); err != nil {
		return err
	}
	for i, m := range j.machines {
		from := part.machines[i]
		m.steps, m.longest = from.steps, max(m.longest, from.longest)
		for k, t := range variables[i] {
			m.beta[t], m.g[t] = from.beta[k], from.g[k]
		}
	}
	j.watch.Lap(&j.report.Run, "search")
	return nil
}

// sample returns some rows of every class, and those that have a coefficient.
func (c *chunks) sample() []bool {
	active := make([]bool, len(c.j.order))
	for i, m := range c.j.machines {
		for local, row := range m.each() {
			active[row] = active[row] || c.known[i][local] != 0
		}
		for _, s := range m.spans {
			for row := s.from; row < s.to; row += sampleStep {
				active[row] = true
			}
		}
	}
	return active
}

// violators returns the rows of the next part, and whether any is in violation.
func (c *chunks) violators() (active []bool, more bool) {
	active = make([]bool, len(c.j.order))
	for _, m := range c.j.machines {
		if m.converged || m.exhausted() || m.p.violation(m.beta, m.g) <= c.j.o.Tolerance*(1+reserve)/2 {
			continue
		}
		more = true
		lacks := m.violations()
		least := along(lacks)
		for local, row := range m.each() {
			active[row] = active[row] || lacks[local] >= least
		}
	}
	return active, more
}

// along returns the violation from which rows are taken: at most 0, and below it for
// those that are next.
func along(lacks []float64) float64 {
	sorted := slices.Sorted(slices.Values(lacks))
	slices.Reverse(sorted)
	in := 0
	for in < len(sorted) && sorted[in] >= 0 {
		in++
	}
	last := in + max(len(sorted)/leastAlong, int(alongShare*float64(in)))
	return min(0, sorted[min(last, len(sorted)-1)])
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

// refresh adds to the gradients of the rows that were not active what they owe to the
// coefficients that have changed.
func (c *chunks) refresh(ctx context.Context, active []bool) error {
	j := c.j
	moved, steps := c.changes()
	place, outside := make([]int, len(j.order)), []int(nil)
	for row := range j.order {
		if place[row] = len(outside); !active[row] {
			outside = append(outside, row)
		}
	}
	if len(moved) == 0 || len(outside) == 0 {
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
			if active[row] {
				return 0
			}
			return f.At(place[row], i)
		})
	}
	j.watch.Lap(&j.report.Run, "outside")
	return nil
}

// changes returns the rows whose coefficients have changed in any machine since it was
// asked last, and by how much.
func (c *chunks) changes() (moved []int, steps *mat.Dense) {
	j := c.j
	place, by := make([]int, len(j.order)), make([][]float64, len(j.machines))
	for i, m := range j.machines {
		now := m.coef()
		by[i] = make([]float64, len(now))
		for local, row := range m.each() {
			if by[i][local] = now[local] - c.known[i][local]; by[i][local] != 0 {
				place[row] = 1
			}
		}
		c.known[i] = now
	}
	for row, changed := range place {
		if changed > 0 {
			place[row] = len(moved)
			moved = append(moved, row)
		}
	}
	if len(moved) == 0 {
		return nil, nil
	}
	steps = mat.NewDense(len(moved), len(j.machines), nil)
	for i, m := range j.machines {
		for local, row := range m.each() {
			if by[i][local] != 0 {
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

// restrict returns the job on the active rows alone, on which coefficients and gradients
// begin as they are, and the variables of each machine that are left.
func (j *job) restrict(active []bool) (part *job, variables [][]int) {
	part = &job{o: j.o, n: j.n, src: j.src, report: j.report, watch: j.watch}
	place := make([]int, len(j.order)+1) // how many active rows come before each
	for i, row := range j.order {
		if place[i+1] = place[i]; active[i] {
			place[i+1]++
			part.order, part.diag = append(part.order, row), append(part.diag, j.diag[i])
		}
	}
	for _, m := range j.machines {
		restricted, left := m.restrict(active, place)
		part.machines, variables = append(part.machines, restricted), append(variables, left)
	}
	return part, variables
}

// restrict is that of one machine.
func (m *machine) restrict(active []bool, place []int) (part *machine, variables []int) {
	part = &machine{positive: m.positive, negative: m.negative, steps: m.steps, converged: m.converged, p: &program{groups: m.p.groups}}
	for _, s := range m.spans {
		part.spans = append(part.spans, span{place[s.from], place[s.to]})
	}
	before, kept := make([]int, rowsOf(m.spans)), 0
	in := make([]bool, len(before))
	for local, row := range m.each() {
		if before[local] = kept; active[row] {
			in[local] = true
			kept++
		}
	}
	for _, s := range m.p.segments {
		from := len(variables)
		for t := s.from; t < s.to; t++ {
			if in[s.row+t-s.from] {
				variables = append(variables, t)
			}
		}
		part.p.segments = append(part.p.segments, segment{from, len(variables), before[s.row], s.group})
	}
	choose := func(x []float64) []float64 {
		out := make([]float64, len(variables))
		for k, t := range variables {
			out[k] = x[t]
		}
		return out
	}
	part.p.lo, part.p.hi, part.p.q = choose(m.p.lo), choose(m.p.hi), choose(m.p.q)
	part.beta, part.g = choose(m.beta), choose(m.g)
	return part, variables
}
