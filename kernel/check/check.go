package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/kernel"
)

// Shares of the budget at which the stages of the search end.
const (
	subsetShare  = 0.25
	patternShare = 0.4
	latticeShare = 0.5
	randomShare  = 0.7
	localShare   = 0.95
)

// exactShare is the number of float64 evaluations in the budget for each one in
// arbitrary precision of the last stage.
const exactShare = 500

// Run looks for a counter-example to k within the budget. Its report is the same for
// the same kernel and options. It fails on bad options, if the kernel is defined
// nowhere on the domain, and when ctx ends.
func Run(ctx context.Context, k kernel.Kernel[[]float64], o Options) (*Report, error) {
	if k == nil {
		return nil, errors.New("check: no kernel")
	}
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	e := newEngine(ctx, k, o)
	r := &Report{
		Kernel: k.String(), Domain: o.Domain.describe(), Dim: o.Dim, Seed: o.Seed,
		Derivation: kernel.Derive(k),
	}
	search := e.overDomain
	if o.Domain.given {
		search = e.overRows
	}
	c, err := search(r)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", k, err)
	}
	if c != nil {
		if c.a != nil {
			c = e.shrink(c)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("check %s: %w", k, err)
		}
		e.blame(r, c)
	}
	r.Tried = e.tried
	if math.IsInf(r.Tried.Smallest, 1) { // no Gram matrix before the verdict
		r.Tried.Smallest = 0
	}
	return r, nil
}

// blame enters a counter-example in the report.
func (e *engine) blame(r *Report, c *candidate) {
	r.Verdict = NotAKernel
	if c.proof.exact == nil {
		r.Verdict = NumericalEvidence
	}
	switch {
	case c.a == nil:
		r.Failed = Symmetry
	case len(c.points) == 1:
		r.Failed = Diagonal
	case len(c.points) == 2:
		r.Failed = CauchySchwarz
	default:
		r.Failed = Spectrum
	}
	w := &Witness{Coefficients: c.a, Value: c.proof.value, Bound: c.proof.bound}
	if c.proof.exact != nil {
		w.Exact, w.Bits = c.proof.exact.Text('g', 1+int(float64(e.prec)*math.Log10(2))), e.prec
	}
	for _, x := range c.points {
		w.Points = append(w.Points, slices.Clone(x))
		row := make([]float64, len(c.points))
		for j, y := range c.points {
			row[j] = e.eval(x, y)
		}
		w.Gram = append(w.Gram, row)
		if e.domain.given {
			w.Rows = append(w.Rows, e.rowOf(x)+1)
		}
	}
	r.Witness = w
	r.Contradiction = r.Verdict == NotAKernel && r.Derivation.Verdict == kernel.Definite
}

// overDomain runs the stages on an interval of numbers or integers, from few and
// simple points to many and random ones.
func (e *engine) overDomain(r *Report) (*candidate, error) {
	pool, objection := e.pool()
	if len(pool) == 0 {
		pool = e.randomSet(poolSize)
	}
	if len(pool) == 0 {
		return nil, fmt.Errorf("it is defined at none of the points of %d coordinates tried in the domain %s; choose another domain or Dim: %w", e.dim, e.domain, objection)
	}
	if objection != nil {
		r.Notes = append(r.Notes, "points of the domain on which the kernel is not defined were left out; the first was: "+objection.Error())
	}
	e.dropExact(r, pool)
	if c, err := e.symmetric(pool); c != nil || err != nil {
		return c, err
	}
	stages := []func() (*candidate, error){
		func() (*candidate, error) { return e.try(subsets(pool, 1), localShare) },
		func() (*candidate, error) { return e.try(subsets(pool, 2), subsetShare) },
		func() (*candidate, error) { return e.try(subsets(pool[:min(len(pool), 24)], 3), subsetShare) },
		func() (*candidate, error) { return e.try(subsets(pool[:min(len(pool), 16)], 4), subsetShare) },
		func() (*candidate, error) { return e.try(subsets(pool[:min(len(pool), 12)], 5), subsetShare) },
		func() (*candidate, error) { return e.try(e.structured(), patternShare) },
		func() (*candidate, error) { return e.onLattices() },
		func() (*candidate, error) { return e.try(e.scattered(), randomShare) },
		func() (*candidate, error) { return e.descend(localShare) },
		func() (*candidate, error) { return e.deepSearch(pool) },
	}
	for _, stage := range stages {
		if c, err := stage(); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// dropExact gives up arbitrary precision for a kernel that has it in name only: a
// sum with a term that has not.
func (e *engine) dropExact(r *Report, pool [][]float64) {
	if e.exact != nil {
		var err error
		for _, x := range pool[:min(len(pool), 8)] {
			if _, err = e.exact.EvalBig(x, x, e.prec); err == nil {
				return
			}
		}
		e.exact = nil
		r.Notes = append(r.Notes, "evaluated in float64 only: "+err.Error())
		return
	}
	r.Notes = append(r.Notes, "evaluated in float64 only: this kernel has no exact evaluation, so a counter-example would be numerical evidence")
}

// thorough is the number of points among which symmetry is tested exactly.
const thorough = 8

// symmetric tests symmetry on all pairs.
func (e *engine) symmetric(points [][]float64) (*candidate, error) {
	for i, x := range points {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		for _, y := range points[:i] {
			if c := e.asymmetric(y, x, i < thorough); c != nil {
				return c, nil
			}
		}
	}
	return nil, nil
}

// onLattices decomposes the Gram matrices of fine and coarse lattices: by Bochner's
// theorem a function of x − y that is no kernel fails on one that is large and fine
// enough.
func (e *engine) onLattices() (*candidate, error) {
	for k := -7; k <= 3; k++ {
		points := e.lattice(math.Ldexp(1, k))
		if len(points) < 3 {
			continue
		}
		if e.spent(latticeShare) {
			return nil, nil
		}
		if c, err := e.block(points); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// deepSearch factors Gram matrices in arbitrary precision: those of the structured
// sets, of the set of smallest eigenvalue and of random ones.
func (e *engine) deepSearch(pool [][]float64) (*candidate, error) {
	if e.exact == nil {
		return nil, nil
	}
	e.deep = true
	half := e.tried.Exact + e.budget/exactShare/2
	limit := half + e.budget/exactShare/2
	sets := func(yield func([][]float64) bool) {
		if e.tried.SmallestAt != nil && !yield(e.tried.SmallestAt) {
			return
		}
		if !yield(pool[:min(len(pool), maxFactor)]) {
			return
		}
		every := 0
		for points := range e.structured() {
			if every++; len(points) >= 4 && every%3 == 0 && !yield(points) {
				return
			}
			if e.tried.Exact > half {
				break
			}
		}
		for points := range e.scattered() {
			if e.tried.Exact > limit || !yield(points) {
				return
			}
		}
	}
	return e.try(sets, 1)
}
