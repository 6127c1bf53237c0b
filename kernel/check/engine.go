package check

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"example.org/mercer/internal/progress"
	"example.org/mercer/kernel"
)

// Float64 eigenvalues of a Gram matrix of m points, scaled to a unit diagonal, count as rounding
// above −firstNoise·m, until certificates fail that teach otherwise. The rounding of a sum grows
// with its terms: noisyParts of them have as much as the rest.
const (
	firstNoise = 0x1p-48
	noisyParts = 32
)

// leastExact is the number of exact evaluations of a simple kernel that any budget has.
const leastExact = 100

// maxRejected is how many candidates may fail their certificate before only
// eigenvalues well below all of these are tried again.
const maxRejected = 40

// engine evaluates the kernel on small sets of points, counts, and certifies.
type engine struct {
	ctx    context.Context
	k      kernel.Kernel[[]float64]
	exact  kernel.Exact[[]float64] // nil: cannot be evaluated exactly
	domain Domain
	dim    int
	prec   uint
	rng    *rand.Rand

	budget   int
	exactly  int // evaluations in arbitrary precision that the budget has room for
	parts    int // kernels that the kernel is made of
	tried    Tried
	limit    Tried   // evaluations after which shrinking ends; 0: none
	rounding float64 // of float64 eigenvalues, per point, at first
	noise    float64 // what certificates have taught of it
	rejected int     // certificates that failed
	deep     bool    // also factor Gram matrices in arbitrary precision
	told     *progress.Meter

	k0, scaled, vectors, v []float64 // scratch of one small Gram matrix
}

// candidate is a set of points with coefficients and a certificate that aᵀKa < 0.
type candidate struct {
	points [][]float64
	a      []float64
	proof  certificate
}

func newEngine(ctx context.Context, k kernel.Kernel[[]float64], o Options, parts int) *engine {
	rounding := firstNoise * max(1, float64(parts)/noisyParts)
	e := &engine{
		ctx: ctx, k: k, domain: o.Domain, dim: o.Dim, prec: o.Prec, budget: o.Budget, parts: parts,
		exactly:  max(o.Budget/exactShare, leastExact/parts, 1),
		rng:      rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
		rounding: rounding, noise: rounding,
		tried: Tried{Smallest: math.Inf(1)},
		told:  progress.Start(o.Progress, "check", 2*int64(o.Budget)),
	}
	e.exact, _ = k.(kernel.Exact[[]float64])
	return e
}

// leaves is the number of kernels that a kernel is made of, itself where it is not.
func leaves(d kernel.Derivation) int {
	n := 0
	for _, part := range d.From {
		n += leaves(part)
	}
	return max(n, 1)
}

// affords reports whether more evaluations fit in a share of the budget.
func (e *engine) affords(evaluations int, share float64) bool {
	return float64(e.tried.Evaluations+evaluations) < share*float64(e.budget)
}

// ended reports whether the search was cancelled, or shrinking is out of its limit.
func (e *engine) ended() bool {
	return e.ctx.Err() != nil || e.limit.Evaluations > 0 && (e.tried.Evaluations > e.limit.Evaluations || e.tried.Exact > e.limit.Exact)
}

// tell tells what is spent: the exact evaluations have as much of the budget as all others.
func (e *engine) tell() {
	spent := float64(e.tried.Evaluations)/float64(e.budget) + float64(e.tried.Exact)/float64(e.exactly)/4
	e.told.Reach(int64(min(spent, 1.99) * float64(e.budget)))
}

// spent reports whether the share of the budget is used up.
func (e *engine) spent(share float64) bool {
	return float64(e.tried.Evaluations) >= share*float64(e.budget)
}

// eval returns k(x, y) and counts it.
func (e *engine) eval(x, y []float64) float64 {
	e.tried.Evaluations++
	return e.k.Eval(x, y)
}

// defined returns nil if x lies in the domain of the kernel and k(x, x) is finite.
func (e *engine) defined(x []float64) error {
	e.tried.Evaluations++ // also where it is not defined, so that every search ends
	if err := kernel.Contains(e.k, x); err != nil {
		return err
	}
	v := e.k.Eval(x, x)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("k(x, x) = %g at x = %v", v, x)
	}
	if v == 0 && e.exact != nil && e.tried.Exact < e.exactly {
		if exact, ok := e.evalBig(x, x, e.prec); ok && exact.Sign() != 0 {
			return fmt.Errorf("k(x, x) is too small for float64 at x = %v", x)
		}
	}
	return nil
}

// gram fills e.k0 with the Gram matrix, from its upper triangle, and reports whether
// it is finite.
func (e *engine) gram(points [][]float64) bool {
	m := len(points)
	if cap(e.k0) < m*m {
		e.k0, e.scaled, e.vectors, e.v = make([]float64, m*m), make([]float64, m*m), make([]float64, m*m), make([]float64, m)
	}
	e.k0, e.scaled, e.vectors, e.v = e.k0[:m*m], e.scaled[:m*m], e.vectors[:m*m], e.v[:m]
	for i, x := range points {
		for j := i; j < m; j++ {
			v := e.eval(x, points[j])
			if math.IsNaN(v) || math.IsInf(v, 0) {
				e.tried.Undefined++
				return false
			}
			e.k0[i*m+j], e.k0[j*m+i] = v, v
		}
	}
	return true
}

// eigen returns the smallest eigenvalue λ of the Gram matrix scaled to a unit
// diagonal, and coefficients a of the unscaled one with aᵀKa = λ.
func (e *engine) eigen(points [][]float64) (lambda float64, a []float64, ok bool) {
	m := len(points)
	if m == 0 || !e.gram(points) {
		return 0, nil, false
	}
	s := scales(e.k0, m)
	for i := range m {
		for j := range m {
			e.scaled[i*m+j] = e.k0[i*m+j] * s[i] * s[j]
		}
	}
	lambda = smallest(e.scaled, m, e.v, e.vectors)
	for i := range s {
		s[i] *= e.v[i]
	}
	e.tried.Sets++
	if lambda >= -e.rounding*float64(m) {
		e.lowest(lambda, points)
	}
	return lambda, s, true
}

// lowest records the smallest eigenvalue that is not known to be a rounding error.
func (e *engine) lowest(lambda float64, points [][]float64) {
	if lambda < e.tried.Smallest {
		e.tried.Smallest, e.tried.SmallestAt = lambda, nil
		if len(points) <= maxFactor { // few enough to read
			e.tried.SmallestAt = clone(points)
		}
	}
}

// scales returns 1/√|kᵢᵢ|; where kᵢᵢ = 0, what makes the largest entry of the scaled
// row 1.
func scales(k []float64, m int) []float64 {
	s := make([]float64, m)
	for i := range s {
		top := math.Sqrt(math.Abs(k[i*m+i]))
		if top == 0 {
			for j := range m {
				off, d := math.Abs(k[i*m+j]), math.Sqrt(math.Abs(k[j*m+j]))
				if d == 0 {
					d = math.Sqrt(off)
				}
				if off > 0 {
					top = max(top, off/d)
				}
			}
		}
		s[i] = 1
		if top > 0 && !math.IsInf(1/top, 0) {
			s[i] = 1 / top
		}
	}
	return s
}

// falsify looks for coefficients with aᵀKa < 0 on the given points and certifies
// them. It returns nil where there are none, or none that can be certified.
func (e *engine) falsify(points [][]float64) *candidate {
	if e.ended() {
		return nil
	}
	defer e.tell()
	lambda, a, ok := e.eigen(points)
	if !ok {
		return nil
	}
	if c := e.judge(lambda, points, a); c != nil || !e.deep {
		return c
	}
	return e.factor(points)
}

// judge certifies coefficients with aᵀKa = lambda in float64 if that is worth it.
func (e *engine) judge(lambda float64, points [][]float64, a []float64) *candidate {
	m := float64(len(points))
	if lambda >= -e.rounding*m {
		return nil
	}
	if lambda < -e.noise*m {
		if c := e.certified(points, a); c != nil {
			e.lowest(lambda, points)
			return c
		}
		if e.rejected++; e.rejected > maxRejected || e.tried.Exact > e.exactly {
			e.noise = max(e.noise, -2*lambda/m)
		}
	}
	e.tried.Unconfirmed++
	return nil
}

// certified returns the candidate if aᵀKa < 0 beyond doubt.
func (e *engine) certified(points [][]float64, a []float64) *candidate {
	a = unit(a)
	proof, ok := e.certify(points, a)
	if !ok {
		return nil
	}
	return &candidate{points: clone(points), a: a, proof: proof}
}

// unit scales a by a power of two, so that its largest entry is in [1, 2).
func unit(a []float64) []float64 {
	top := 0.0
	for _, v := range a {
		top = max(top, math.Abs(v))
	}
	_, exponent := math.Frexp(top)
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = math.Ldexp(v, 1-exponent)
	}
	return out
}

// try runs falsify over sets of points until one is falsified, the sets end or the
// share of the budget is used up.
func (e *engine) try(sets iter.Seq[[][]float64], share float64) (*candidate, error) {
	for points := range sets {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		if e.spent(share) {
			return nil, nil
		}
		if c := e.falsify(points); c != nil {
			return c, nil
		}
	}
	return nil, nil
}

// clone copies the list of points, not their coordinates.
func clone(points [][]float64) [][]float64 { return append([][]float64(nil), points...) }
