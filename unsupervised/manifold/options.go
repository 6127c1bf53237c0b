package manifold

import (
	"math"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Method names the way to coordinates.
type Method string

const (
	// Classical is classical multidimensional scaling: see [scaleClassically].
	Classical Method = "classical"
	// Stress is metric multidimensional scaling: see [scale].
	Stress Method = "stress"
	// Isomap scales the lengths of shortest paths: see [isomap].
	Isomap Method = "isomap"
	// LLE is locally linear embedding: see [reconstruct].
	LLE Method = "lle"
	// Eigenmap is that of the Laplacian of the graph of neighbours: see [walk].
	Eigenmap Method = "eigenmap"
	// DiffusionMap is that of a random walk among all points: see [walk].
	DiffusionMap Method = "diffusion-map"
)

// Options say what to compute. Method must be named.
type Options struct {
	Method Method
	// Components is the number m of coordinates; 0 means 2.
	Components int
	// Neighbours is the number of nearest others that a point is joined with; 0 means 10, or all
	// others where there are fewer, and in DiffusionMap all. Classical and Stress have none.
	Neighbours int
	// Binary gives the edges of Eigenmap the weight 1, and not the value of the kernel.
	Binary bool
	// Alpha in [0, 1] is how much of the density of the points DiffusionMap takes out: 0 is the
	// normalised Laplacian, 1 the geometry of the surface alone.
	Alpha float64
	// Time is the number t ≥ 0 of steps of the walk of DiffusionMap; it may be a fraction.
	Time float64
	// Ridge of LLE is added to the Gram matrix of the neighbours, as a share of its trace; 0 means
	// 1e-3.
	Ridge   float64
	Compute compute.Options
}

// Scales reports whether the method scales distances classically, be it to begin with: its map has
// offsets.
func (m Method) Scales() bool { return m == Classical || m == Stress || m == Isomap }

const (
	plannedNeighbours = 10
	plannedRidge      = 1e-3
)

// filled returns the options with their defaults for n points, or every problem.
func (o Options) filled(n int) (Options, error) {
	c := model.NewChecks("manifold")
	if _, known := rules[o.Method]; !known {
		c.Add("method %q is not known; one of %q is", o.Method, Methods())
	}
	if n < 3 {
		c.Add("%d points have no shape: give at least three", n)
	}
	if o.Components == 0 {
		o.Components = min(2, n-1)
	}
	if o.Components < 0 || n >= 3 && o.Components > n-1 {
		c.Add("components = %d: %d points have at most %d coordinates", o.Components, n, max(n-1, 0))
	}
	if o.Neighbours < 0 || n >= 3 && o.Neighbours > n-1 {
		c.Add("neighbours = %d: each of %d points has at most %d others", o.Neighbours, n, max(n-1, 0))
	}
	if o.Neighbours == 0 && o.Method != DiffusionMap {
		o.Neighbours = min(plannedNeighbours, n-1)
	}
	if !(o.Alpha >= 0 && o.Alpha <= 1) {
		c.Add("alpha = %v is not in [0, 1]", o.Alpha)
	}
	if !(o.Time >= 0) || math.IsInf(o.Time, 1) {
		c.Add("time = %v: a walk takes a finite number of steps, 0 or more", o.Time)
	}
	if !(o.Ridge >= 0) || math.IsInf(o.Ridge, 1) {
		c.Add("ridge = %v is not a finite number ≥ 0", o.Ridge)
	}
	if o.Ridge == 0 {
		o.Ridge = plannedRidge
	}
	return o, c.Err()
}

// Methods are the names of the methods, in order.
func Methods() (names []Method) {
	for name := range rules {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// rule is what a method does: find coordinates, and place new points.
type rule struct {
	find  func(*search) error
	place func(m *Map, dst []float64, at *View)
}

var rules = map[Method]rule{
	Classical:    {scaleClassically, placeByInnerProducts},
	Stress:       {scale, placeByStress},
	Isomap:       {isomap, placeByPaths},
	LLE:          {reconstruct, placeByNeighbours},
	Eigenmap:     {walk, placeByWalk},
	DiffusionMap: {walk, placeByWalk},
}
