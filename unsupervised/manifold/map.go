package manifold

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Map has the coordinates of the training points, and what places others. What a method does not
// need is nil.
type Map struct {
	Shape       Shape
	Coordinates *mat.Dense // n×m
	Factors     *mat.Dense // n×m: α of scaling and Isomap, z/μ of a walk
	Offsets     []float64  // m: the b of scaling and Isomap
	Shares      []float64  // n: q^−α of a walk
	Radii       []float64  // n: squared distance of the last neighbour in the graph of a walk
	Paths       *mat.Dense // n×n: lengths of shortest paths
}

// Shape says by which method a map places points.
type Shape struct {
	Method     Method  `json:"method"`
	Neighbours int     `json:"neighbours,omitempty"`
	Binary     bool    `json:"binary,omitempty"`
	Ridge      float64 `json:"ridge,omitempty"`
}

// View is a new point as the training points see it.
type View struct {
	Values  []float64 // k(x, xᵢ)
	Squares []float64 // d²(x, xᵢ)
	// Between returns the d² between some training points.
	Between func(rows []int) *mat.SymDense
}

// coincide is the share of k(x, x) + k(z, z) below which d²(x, z) is what rounding makes of zero.
const coincide = 0x1p-44

// Place stores the coordinates of a point. One that coincides with a training point has the
// coordinates of that: zero is what d² is at most then, which is for the caller to say.
func (m *Map) Place(dst []float64, at *View) {
	for i, s := range at.Squares {
		if s == 0 {
			copy(dst, m.Coordinates.RawRowView(i))
			return
		}
	}
	rules[m.Shape.Method].place(m, dst, at)
}

// Check returns what is wrong with a map of n points in m coordinates, as a file may have it.
func (m *Map) Check() error {
	if _, known := rules[m.Shape.Method]; !known {
		return fmt.Errorf("manifold: method %q is not known; one of %q is", m.Shape.Method, Methods())
	}
	n, outputs := m.Coordinates.Dims()
	wants := func(name string, is, want bool) error {
		if is != want {
			return fmt.Errorf("manifold: a map by %s has %s: %t, and should: %t", m.Shape.Method, name, is, want)
		}
		return nil
	}
	walks := m.Shape.Method == Eigenmap || m.Shape.Method == DiffusionMap
	scales := m.Shape.Method.Scales()
	for _, err := range []error{
		wants("factors", m.Factors != nil, walks || scales), wants("offsets", m.Offsets != nil, scales),
		wants("shares", m.Shares != nil, walks), wants("paths", m.Paths != nil, m.Shape.Method == Isomap),
		wants("radii", m.Radii != nil, walks && m.Shape.Neighbours > 0),
	} {
		if err != nil {
			return err
		}
	}
	sizes := m.Shape.Neighbours >= 0 && m.Shape.Neighbours < n && m.Shape.Ridge >= 0 && !math.IsInf(m.Shape.Ridge, 1)
	sizes = sizes && (m.Shape.Neighbours > 0 || m.Shape.Method != Isomap && m.Shape.Method != LLE)
	sizes = sizes && (m.Offsets == nil || len(m.Offsets) == outputs)
	for _, x := range [][]float64{m.Shares, m.Radii} {
		sizes = sizes && (x == nil || len(x) == n)
	}
	for _, x := range []*mat.Dense{m.Factors, m.Paths} {
		if x == nil {
			continue
		}
		rows, cols := x.Dims()
		sizes = sizes && rows == n && (cols == outputs && x == m.Factors || cols == n && x == m.Paths)
	}
	if !sizes {
		return fmt.Errorf("manifold: the parts of a map of %d points in %d coordinates do not fit together", n, outputs)
	}
	return nil
}
