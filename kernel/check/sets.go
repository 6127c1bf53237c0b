package check

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// poolSize is the number of simple points that pairs are taken from.
const poolSize = 64

// farthest is the size of coordinates beyond which the random search does not walk:
// there float64 differences say little about a kernel.
const farthest = 1 << 20

// pool returns simple points of the domain on which the kernel is defined, the
// simplest first, and the first objection to a point that was left out.
func (e *engine) pool() (points [][]float64, objection error) {
	values := e.domain.simpleValues()
	for p := range e.simplePoints(values) {
		if err := e.defined(p); err != nil {
			if objection == nil {
				objection = err
			}
			continue
		}
		if points = append(points, p); len(points) == poolSize {
			break
		}
	}
	return points, objection
}

// simplePoints yields distinct points with coordinates among the values: all of
// them for one coordinate, else the constant points, those on the axes and small
// combinations.
func (e *engine) simplePoints(values []float64) iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		seen := make(map[string]bool)
		give := func(p []float64) bool {
			if key := fmt.Sprint(p); !seen[key] {
				seen[key] = true
				return yield(p)
			}
			return true
		}
		if e.dim == 1 {
			for _, v := range values {
				if !give([]float64{v}) {
					return
				}
			}
			return
		}
		base := values[:min(len(values), 4)]
		few := min(e.dim, 3)
		for code := range intPow(len(base), few) { // all combinations in the first coordinates
			p := e.constant(base[0])
			for i := range few {
				p[i] = base[code%len(base)]
				code /= len(base)
			}
			if !give(p) {
				return
			}
		}
		for _, v := range values[:min(len(values), 12)] {
			if !give(e.constant(v)) {
				return
			}
			for i := range min(e.dim, 4) {
				p := e.constant(base[0])
				p[i] = v
				if !give(p) {
					return
				}
			}
		}
	}
}

// constant returns the point with all coordinates v.
func (e *engine) constant(v float64) []float64 {
	return slices.Repeat([]float64{v}, e.dim)
}

func intPow(base, n int) int {
	p := 1
	for range n {
		p *= base
	}
	return p
}

// subsets yields all sets of size points among the pool, those of the first points
// first.
func subsets(pool [][]float64, size int) iter.Seq[[][]float64] {
	return func(yield func([][]float64) bool) {
		if size > len(pool) {
			return
		}
		at := make([]int, size) // increasing; counted with the first index running fastest
		for i := range at {
			at[i] = i
		}
		points := make([][]float64, size)
		for {
			for i, j := range at {
				points[i] = pool[j]
			}
			if !yield(points) {
				return
			}
			i := 0
			for i < size-1 && at[i]+1 == at[i+1] {
				at[i] = i
				i++
			}
			if at[i]++; at[size-1] == len(pool) {
				return
			}
		}
	}
}

// structured yields larger sets of one pattern: progressions near and far, coarse
// and fine, powers, multiples and divisors, on every axis direction in turn.
func (e *engine) structured() iter.Seq[[][]float64] {
	return func(yield func([][]float64) bool) {
		for _, values := range e.patterns() {
			for _, p := range e.lines(values) {
				if len(p) >= 3 && !yield(p) {
					return
				}
			}
		}
	}
}

// patterns returns lists of members of the domain, the shortest first.
func (e *engine) patterns() [][]float64 {
	lists := [][]float64{
		{0, 1, 2, 3, 4, 6},
		{1, 2, 3, 5, 7, 11, 13, 17},
		{1, 2, 3, 4, 6, 12},
		{1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60},
		{0, 1, 4, 9, 16, 25, 36, 49},
		{1. / 2, 1. / 3, 2. / 3, 1. / 4, 3. / 4, 1. / 5, 2. / 5, 3. / 5, 4. / 5},
	}
	center := e.domain.inside()
	for _, from := range []float64{0, 1, center, 10, -3.5, 1000} {
		for _, m := range []int{3, 4, 5, 8, 12} {
			for k := -12; k <= 4; k += 2 {
				lists = append(lists, progression(from, math.Ldexp(1, k), m))
			}
		}
	}
	for _, ratio := range []float64{2, 3, 1.25, 0.5, 0.8} {
		lists = append(lists, powers(1, ratio, 10), append(powers(1, ratio, 6), powers(-1, ratio, 6)...))
	}
	if width := e.domain.hi - e.domain.lo; !math.IsInf(width, 0) {
		for _, m := range []int{4, 8, 12} {
			lists = append(lists, progression(e.domain.lo+width/float64(2*m), width/float64(m), m))
		}
	}
	for i, list := range lists {
		lists[i] = slices.DeleteFunc(list, func(v float64) bool { return !e.domain.contains(v) })
	}
	slices.SortStableFunc(lists, func(a, b []float64) int { return len(a) - len(b) })
	return lists
}

func progression(from, step float64, m int) []float64 {
	out := make([]float64, m)
	for i := range out {
		out[i] = from + float64(i)*step
	}
	return out
}

func powers(first, ratio float64, m int) []float64 {
	out := make([]float64, m)
	for i := range out {
		out[i] = first
		first *= ratio
	}
	return out
}

// lines places numbers on lines through the space of points: the first axis, the
// diagonal, and, in the plane, a grid.
func (e *engine) lines(values []float64) [][][]float64 {
	if e.dim == 1 {
		return [][][]float64{e.onto(values, func(v float64) []float64 { return []float64{v} })}
	}
	rest := e.domain.inside()
	sets := [][][]float64{
		e.onto(values, func(v float64) []float64 { p := e.constant(rest); p[0] = v; return p }),
		e.onto(values, e.constant),
	}
	var grid [][]float64
	for _, u := range values[:min(len(values), 3)] {
		grid = append(grid, e.onto(values[:min(len(values), 4)], func(v float64) []float64 {
			p := e.constant(rest)
			p[0], p[1] = u, v
			return p
		})...)
	}
	return append(sets, grid)
}

// side is the number of lattice points along each of the first coordinates, for as
// many coordinates as side has entries.
var side = [...][]int{{48}, {8, 8}, {4, 4, 4}}

// lattice returns up to 64 points whose first coordinates run over multiples of step.
func (e *engine) lattice(step float64) [][]float64 {
	var points [][]float64
	from := e.domain.inside()
	sides := side[min(e.dim, len(side))-1]
	total := 1
	for _, n := range sides {
		total *= n
	}
	for code := range total {
		p := e.constant(from)
		inside := true
		for i, n := range sides {
			p[i] = from + step*float64(code%n)
			code /= n
			inside = inside && e.domain.contains(p[i])
		}
		if inside && e.defined(p) == nil {
			points = append(points, p)
		}
	}
	return points
}

// onto makes points of numbers and keeps those on which the kernel is defined.
func (e *engine) onto(values []float64, point func(v float64) []float64) [][]float64 {
	var out [][]float64
	for _, v := range values {
		if p := point(v); e.defined(p) == nil {
			out = append(out, p)
		}
	}
	return out
}

// scattered yields random sets without end: spread over the domain, clustered, or
// with few distinct coordinates.
func (e *engine) scattered() iter.Seq[[][]float64] {
	return func(yield func([][]float64) bool) {
		for e.ctx.Err() == nil {
			if !yield(e.randomSet(3 + e.rng.IntN(8))) {
				return
			}
		}
	}
}

// randomSet draws m points, fewer where the kernel is not defined on most.
func (e *engine) randomSet(m int) [][]float64 {
	draw := e.randomPoint
	if e.rng.IntN(2) == 0 {
		center, width := e.randomPoint(), math.Exp2(-12*e.rng.Float64())
		draw = func() []float64 { return e.near(center, width) }
	}
	points := make([][]float64, 0, m)
	for range 3 * m {
		p := draw()
		if e.defined(p) == nil && !slices.ContainsFunc(points, func(q []float64) bool { return slices.Equal(p, q) }) {
			if points = append(points, p); len(points) == m {
				break
			}
		}
	}
	return points
}

func (e *engine) randomPoint() []float64 {
	p := make([]float64, e.dim)
	for i := range p {
		p[i] = e.domain.random(e.rng)
	}
	return p
}

// near moves every coordinate by a normal number times width·(1 + |coordinate|), in
// whole numbers where the domain is whole, and keeps it in the domain and below
// farthest.
func (e *engine) near(p []float64, width float64) []float64 {
	q := make([]float64, len(p))
	for i, v := range p {
		w := v + width*(1+math.Abs(v))*e.rng.NormFloat64()
		if e.domain.whole {
			w = math.Round(v + max(1, width*math.Abs(v))*e.rng.NormFloat64())
		}
		if q[i] = w; !e.domain.contains(w) || math.Abs(w) > max(farthest, math.Abs(v)) {
			q[i] = v
		}
	}
	return q
}
