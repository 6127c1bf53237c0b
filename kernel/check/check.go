package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Shares of the budget at which the stages of the search end.
const (
	symmetryShare = 0.1
	subsetShare   = 0.25
	patternShare  = 0.4
	latticeShare  = 0.5
	randomShare   = 0.7
	localShare    = 0.95
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
	derivation := kernel.Derive(k)
	parts := leaves(derivation)
	o, err := o.checked(parts)
	if err != nil {
		return nil, err
	}
	e := newEngine(ctx, k, o, parts)
	r := &Report{
		Kernel: derivation.Kernel, Domain: o.Domain.describe(), Dim: o.Dim, Seed: o.Seed,
		Derivation: derivation,
	}
	search := e.overDomain
	if o.Domain.given {
		search = e.overRows
	}
	c, err := search(r)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", data.Cut(r.Kernel), err)
	}
	if c != nil {
		if c.a != nil {
			c = e.shrink(c)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("check %s: %w", data.Cut(r.Kernel), err)
		}
		e.blame(r, c)
	}
	e.told.Done()
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
	if c, err := e.symmetric(pool, symmetryShare); c != nil || err != nil {
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

// symmetric tests symmetry on all pairs, or as many as fit in a share of the budget, and exactly on
// as many of the first as that allows.
func (e *engine) symmetric(points [][]float64, share float64) (*candidate, error) {
	for i, x := range points {
		for _, y := range points[:i] {
			if err := e.ctx.Err(); err != nil {
				return nil, err
			}
			if e.spent(share) {
				return nil, nil
			}
			if c := e.asymmetric(y, x, i < thorough && e.tried.Exact < e.exactly); c != nil {
				return c, nil
			}
			e.tell()
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
		if m := len(points); !e.affords(m*(m+1)/2, latticeShare) {
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
	half := e.tried.Exact + e.exactly/2
	limit := half + e.exactly/2
	sets := func(yield func([][]float64) bool) {
		// Sets of m points take m(m + 1)/2 exact evaluations: no more points than fit.
		most := int(math.Sqrt(2 * float64(e.exactly)))
		if at := e.tried.SmallestAt; at != nil && len(at) <= most && !yield(at) {
			return
		}
		if !yield(pool[:min(len(pool), maxFactor, most)]) {
			return
		}
		every := 0
		for points := range e.structured() {
			if e.tried.Exact > half {
				break
			}
			if every++; len(points) >= 4 && len(points) <= most && every%3 == 0 && !yield(points) {
				return
			}
		}
		for points := range e.scattered() {
			if e.tried.Exact > limit || !yield(points[:min(len(points), most)]) {
				return
			}
		}
	}
	return e.try(sets, 1)
}
