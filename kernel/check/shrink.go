package check

import (
	"math"
	"slices"
)

// shrinkShare is the share of the budget, beyond it, for one attempt to find a
// counter-example with one point less.
const shrinkShare = 0.1

// simplifyShare is the share of the budget at which coordinates are left as they are:
// with hundreds of them it could take for ever.
const simplifyShare = 2

// What an attempt to shrink may take of a simple kernel, whatever the budget of the search.
const (
	shrinkEvaluations = 1_000_000
	shrinkExact       = 100_000
)

// maxSubsets is the largest set whose subsets are all tried.
const maxSubsets = 10

// shrink returns the simplest counter-example that it finds from a given one: the
// fewest points, then the simplest coordinates, then the simplest coefficients.
func (e *engine) shrink(c *candidate) *candidate {
	e.limit.Evaluations = e.tried.Evaluations + max(simplifyShare*e.budget, shrinkEvaluations/e.parts)
	e.limit.Exact = e.tried.Exact + shrinkExact/e.parts
	c = e.fewer(c)
	if !e.domain.given {
		c = e.elsewhere(c)
		for range 4 {
			simple := e.simplify(c)
			if simple == nil {
				break
			}
			c = e.fewer(simple)
		}
		c = e.ordered(c)
	}
	return e.coefficients(c)
}

// fewer returns a falsified subset with the fewest points.
func (e *engine) fewer(c *candidate) *candidate {
	if len(c.points) > maxSubsets {
		c = e.lighter(c)
	}
	if len(c.points) > maxSubsets || e.deep {
		return e.oneByOne(c)
	}
	for size := 1; size < len(c.points); size++ {
		for points := range subsets(c.points, size) {
			if e.ended() {
				return c
			}
			if smaller := e.falsify(points); smaller != nil {
				return smaller
			}
		}
	}
	return c
}

// oneByOne drops points as long as the rest is still a counter-example.
func (e *engine) oneByOne(c *candidate) *candidate {
	for i := 0; i < len(c.points) && len(c.points) > 1 && !e.ended(); {
		if smaller := e.falsify(slices.Delete(clone(c.points), i, i+1)); smaller != nil {
			c = smaller
		} else {
			i++
		}
	}
	return c
}

// lighter drops the points of least weight aᵢ²k(xᵢ,xᵢ) while the smallest eigenvalue
// stays negative in float64, and certifies the rest once at the end.
func (e *engine) lighter(c *candidate) *candidate {
	points, a := c.points, c.a
	for len(points) > maxSubsets && !e.ended() {
		at := e.lightest(points, a)
		fewer := slices.Delete(clone(points), at, at+1)
		lambda, b, ok := e.eigen(fewer)
		if !ok || lambda > -4*e.noise*float64(len(fewer)) {
			break
		}
		points, a = fewer, b
	}
	if s := e.certified(points, a); s != nil {
		return s
	}
	return c
}

// elsewhere looks for a counter-example with fewer points nearby: it drops the point
// of least weight and lowers the smallest eigenvalue of the rest by local search.
func (e *engine) elsewhere(c *candidate) *candidate {
	for len(c.points) > 2 && !e.deep && !e.ended() {
		at := e.lightest(c.points, c.a)
		fewer := slices.Delete(clone(c.points), at, at+1)
		lambda, _, ok := e.eigen(fewer)
		if !ok {
			return c
		}
		extra := float64(e.tried.Evaluations)/float64(e.budget) + shrinkShare
		s, err := e.walk(ranked{lambda, fewer}, extra)
		if s == nil || err != nil {
			return c
		}
		c = e.fewer(s)
	}
	return c
}

// lightest returns the index of the point of least weight aᵢ²k(xᵢ,xᵢ).
func (e *engine) lightest(points [][]float64, a []float64) int {
	least, at := math.Inf(1), 0
	for i, x := range points {
		if w := a[i] * a[i] * math.Abs(e.eval(x, x)); w < least {
			least, at = w, i
		}
	}
	return at
}

// simplify replaces all coordinates by simpler ones at once, then one at a time. It
// returns nil where nothing became simpler.
func (e *engine) simplify(c *candidate) *candidate {
	better := e.together(c)
	if better != nil {
		c = better
	}
	for i := range c.points {
		for j := range e.dim {
			for _, w := range simpler(c.points[i][j]) {
				if e.ended() || e.spent(simplifyShare) {
					return better
				}
				moved := clone(c.points)
				moved[i] = slices.Clone(moved[i])
				moved[i][j] = w
				if s := e.accept(moved); s != nil {
					c, better = s, s
					break
				}
			}
		}
	}
	return better
}

// together rounds, shifts and scales all coordinates at once, because a pattern
// often fails only as a whole.
func (e *engine) together(c *candidate) *candidate {
	var better *candidate
	try := func(to func(j int, v float64) float64) bool {
		s := e.replace(c, to)
		if s != nil {
			c, better = s, s
		}
		return s != nil
	}
	for grid := -2; grid <= 20; grid++ {
		if try(func(_ int, v float64) float64 { return onGrid(v, grid) }) {
			break
		}
	}
	for _, origin := range c.points {
		try(func(j int, v float64) float64 { return v - origin[j] })
	}
	for k := -12; k <= 12; k++ {
		try(func(_ int, v float64) float64 { return math.Ldexp(v, k) })
	}
	return better
}

// replace maps every coordinate and returns the result if it is simpler and still a
// counter-example.
func (e *engine) replace(c *candidate, to func(j int, v float64) float64) *candidate {
	moved := mapped(c.points, to)
	if totalCost(moved) >= totalCost(c.points) {
		return nil
	}
	return e.accept(moved)
}

// mapped applies a function to coordinate j of every point.
func mapped(points [][]float64, to func(j int, v float64) float64) [][]float64 {
	out := make([][]float64, len(points))
	for i, p := range points {
		out[i] = make([]float64, len(p))
		for j, v := range p {
			out[i][j] = to(j, v)
		}
	}
	return out
}

func totalCost(points [][]float64) int {
	sum := 0
	for _, p := range points {
		for _, v := range p {
			sum += cost(v)
		}
	}
	return sum
}

// accept falsifies moved points if they are distinct and all in the domain.
func (e *engine) accept(points [][]float64) *candidate {
	for i, p := range points {
		if collides(points, i) || e.defined(p) != nil {
			return nil
		}
		for _, v := range p {
			if !e.domain.contains(v) {
				return nil
			}
		}
	}
	return e.falsify(points)
}

// ordered sorts the points, which changes nothing else.
func (e *engine) ordered(c *candidate) *candidate {
	points := clone(c.points)
	slices.SortStableFunc(points, slices.Compare[[]float64])
	if s := e.falsify(points); s != nil {
		return s
	}
	return c
}

// mostInteger[m] is the largest integer coefficient that is tried for m points.
var mostInteger = [...]int{0, 1, 12, 8, 4, 2}

// coefficients replaces a by small integers if these still work, else by numbers of
// few bits.
func (e *engine) coefficients(c *candidate) *candidate {
	if s := e.smallIntegers(c); s != nil {
		return s
	}
	for k := 1; k <= 6 && len(c.points) < len(mostInteger) && !e.domain.given && !e.deep; k++ {
		// Rounding the points may have spent the room that integers need: move closer.
		nearer := e.accept(mapped(c.points, func(_ int, v float64) float64 { return math.Ldexp(v, -k) }))
		if nearer == nil {
			break
		}
		if s := e.smallIntegers(nearer); s != nil {
			return s
		}
	}
	for scale := 1.0; scale <= 100; scale++ {
		if s := e.rounded(c, func(v float64) float64 { return math.Round(v * scale) }); s != nil {
			return s
		}
	}
	for bits := 4; bits <= 32; bits += 2 {
		if s := e.rounded(c, func(v float64) float64 { return onGrid(v, bits) }); s != nil {
			return s
		}
	}
	return c
}

// smallIntegers tries integer coefficients, the smallest first; nil if none work.
func (e *engine) smallIntegers(c *candidate) *candidate {
	m := len(c.points)
	if m >= len(mostInteger) || !e.gram(c.points) {
		return nil
	}
	k := slices.Clone(e.k0)
	for top := 1; top <= mostInteger[m]; top++ {
		if s := e.integers(c, k, top); s != nil {
			return s
		}
	}
	return nil
}

// integers tries all coefficients with largest absolute value top, the first
// non-zero one positive.
func (e *engine) integers(c *candidate, k []float64, top int) *candidate {
	m := len(c.points)
	a := make([]float64, m)
	var found *candidate
	var fill func(i int, reached bool)
	fill = func(i int, reached bool) {
		if found != nil || e.ended() {
			return
		}
		if i == m {
			if reached && negative(k, a) {
				found = e.withCoefficients(c, a)
			}
			return
		}
		low := -top
		if i == 0 {
			low = 1 // the fewest points: every coefficient is needed
		}
		for v := low; v <= top; v++ {
			if v != 0 {
				a[i] = float64(v)
				fill(i+1, reached || v == top || v == -top)
			}
		}
	}
	fill(0, false)
	return found
}

// negative reports whether aᵀKa < 0 in float64, by more than rounding.
func negative(k, a []float64) bool {
	m, value, size := len(a), 0.0, 0.0
	for i := range m {
		for j := range m {
			t := a[i] * a[j] * k[i*m+j]
			value += t
			size += math.Abs(t)
		}
	}
	return value < -1e-13*size
}

// rounded certifies rounded coefficients, unless all of them vanish.
func (e *engine) rounded(c *candidate, to func(v float64) float64) *candidate {
	a := make([]float64, len(c.a))
	for i, v := range c.a {
		if a[i] = to(v); a[i] == 0 {
			return nil
		}
	}
	if a[0] < 0 {
		for i := range a {
			a[i] = -a[i]
		}
	}
	return e.withCoefficients(c, a)
}

func (e *engine) withCoefficients(c *candidate, a []float64) *candidate {
	if e.ended() {
		return nil
	}
	proof, ok := e.certify(c.points, a)
	if !ok {
		return nil
	}
	return &candidate{points: c.points, a: slices.Clone(a), proof: proof}
}
