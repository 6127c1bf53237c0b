package figure

import "math"

// ring is a closed line of points of a plane.
type ring []struct{ X, Y float64 }

// rings returns the boundary of the set {z ≥ level} of a function that is linear along the edges of
// a grid. The lines are closed and have the set on their left, so that filling them all leaves
// holes open (marching squares). z[j][i] is the value at xs[i], ys[j].
//
// The grid is surrounded with values below every level at its own border: lines that
// leave it are closed along it.
func rings(xs, ys []float64, z [][]float64, level float64) []ring {
	m := marcher{nx: len(xs) + 2, ny: len(ys) + 2, level: level, next: map[int]int{}}
	m.x = func(i int) float64 { return xs[min(max(i-1, 0), len(xs)-1)] }
	m.y = func(j int) float64 { return ys[min(max(j-1, 0), len(ys)-1)] }
	m.z = func(i, j int) float64 {
		if i == 0 || j == 0 || i == m.nx-1 || j == m.ny-1 {
			return math.Inf(-1)
		}
		return z[j-1][i-1]
	}
	for j := range m.ny - 1 {
		for i := range m.nx - 1 {
			m.cell(i, j)
		}
	}
	return m.collect()
}

// marcher walks through the cells of a grid. next leads from the edge where a line
// enters a cell to the edge where it leaves; order keeps the edges in the order in which
// they were met.
type marcher struct {
	nx, ny int
	x, y   func(int) float64
	z      func(i, j int) float64
	level  float64
	next   map[int]int
	order  []int
}

// corners of a cell, counter-clockwise; edge e runs from corner e to corner e+1.
var corners = [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}}

// cell connects the crossings of one cell. Walking around it counter-clockwise, a line
// runs from where the walk leaves the set to where it enters it again.
func (m *marcher) cell(i, j int) {
	var inside [4]bool
	sum := 0.0
	for k, c := range corners {
		v := m.z(i+c[0], j+c[1])
		inside[k] = v >= m.level
		sum += v
	}
	connected := sum/4 >= m.level // which of two ways through a saddle
	for e := range 4 {
		if !inside[e] || inside[(e+1)%4] {
			continue
		}
		to, turn := (e+1)%4, 1 // the walk goes outside along e; find where it comes back
		if !connected {
			to, turn = (e+3)%4, 3
		}
		for inside[to] || !inside[(to+1)%4] {
			to = (to + turn) % 4
		}
		from := m.edge(i, j, e)
		m.next[from] = m.edge(i, j, to)
		m.order = append(m.order, from)
	}
}

// edge numbers an edge of a cell alike from both of its sides.
func (m *marcher) edge(i, j, e int) int {
	switch e {
	case 1:
		i, e = i+1, 3
	case 2:
		j, e = j+1, 0
	}
	return 2*(j*m.nx+i) + e/3
}

// collect follows the edges until every line is closed.
func (m *marcher) collect() []ring {
	var out []ring
	for _, start := range m.order {
		var r ring
		for at, ok := start, true; ok; {
			next, open := m.next[at]
			if !open {
				break
			}
			delete(m.next, at)
			r = append(r, m.point(at))
			at, ok = next, next != start
		}
		if len(r) > 2 {
			out = append(out, r)
		}
	}
	return out
}

// point returns where the line crosses an edge.
func (m *marcher) point(edge int) struct{ X, Y float64 } {
	i, j := edge/2%m.nx, edge/2/m.nx
	i1, j1 := i+1, j
	if edge%2 == 1 {
		i1, j1 = i, j+1
	}
	a, b := m.z(i, j), m.z(i1, j1)
	t := 0.5 // on the border both ends are at one place
	if !math.IsInf(a, 0) && !math.IsInf(b, 0) && a != b {
		t = (m.level - a) / (b - a)
	}
	return struct{ X, Y float64 }{m.x(i) + t*(m.x(i1)-m.x(i)), m.y(j) + t*(m.y(j1)-m.y(j))}
}
