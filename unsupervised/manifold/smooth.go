package manifold

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
)

// Smoothing says how much a function is to be smooth on the graph of neighbours.
type Smoothing struct {
	// Neighbours is the number of nearest others that a point is joined with; 0 means 10, or all
	// others where there are fewer.
	Neighbours int
	// Strength is γ ≥ 0 in the norm ‖f‖² + γ fᵀLf, f the values at all points.
	Strength float64
	Compute  compute.Options
}

// Smoothed is a kernel whose norm counts how smooth a function is among points.
type Smoothed struct {
	// Gram has its values k̃ between the labelled points, l×l.
	Gram *mat.SymDense
	// Expand makes of coefficients α on the labelled points the coefficients on all points of the
	// same function under the kernel itself: Σ αᵢ k̃(x, xᵢ) = Σⱼ (Expand·α)ⱼ k(x, xⱼ). It is n×l.
	Expand *mat.Dense
	Report SmoothReport
}

// SmoothReport says what was found.
type SmoothReport struct {
	N          int `json:"n"`        // all points
	Labelled   int `json:"labelled"` // of these
	Neighbours int `json:"neighbours"`
	Edges      int `json:"edges"`
	Parts      int `json:"parts"` // that the graph falls into

	model.Run
}

// Smooth changes the norm of H to ‖f‖² + γ fᵀLf, with L = D − W the Laplacian of the graph in which
// each point is joined with its nearest others, with the weight 1. Any method that seeks a function
// by its values at the labelled points, under a penalty of this norm, finds it in their span under
// the kernel of the new norm,
//
//	k̃(x, z) = k(x, z) − k_xᵀ (I + γLK)⁻¹ γL k_z.
//
// It is found in three steps.
//
//  1. Of each part of the graph one point is the ground: L = F L_g Fᵀ, L_g positive definite,
//     and Fᵀ takes from a vector the differences to the ground.
//  2. By the identity of Woodbury (I + γLK)⁻¹ = I − F T⁻¹ FᵀK with T = L_g⁻¹/γ + FᵀKF, positive
//     definite.
//  3. Expand are the columns of the labelled points of it, and Gram = K·Expand at their rows.
//
// It takes three times n³ flops and n² kernel values; memory is that of four matrices n×n.
//
// Belkin, Niyogi and Sindhwani, Manifold regularization (JMLR 2006), whose γ_A‖f‖² + γ_I/n² fᵀLf is
// γ_A times this with γ = γ_I/(γ_A n²); for the kernel Sindhwani, Niyogi and Belkin, Beyond the
// point cloud (2005).
func Smooth(ctx context.Context, pairs kernel.Pairs, labelled []int, o Smoothing) (*Smoothed, error) {
	n, cols := pairs.Dims()
	if n != cols {
		return nil, fmt.Errorf("manifold: the kernel is bound to %d and %d points: both must be the same points", n, cols)
	}
	if !(o.Strength >= 0) || math.IsInf(o.Strength, 1) {
		return nil, fmt.Errorf("manifold: strength = %v is not a finite number ≥ 0", o.Strength)
	}
	if len(labelled) == 0 {
		return nil, fmt.Errorf("manifold: none of the %d points is labelled", n)
	}
	filled, err := Options{Method: Eigenmap, Neighbours: o.Neighbours, Compute: o.Compute}.filled(n)
	if err != nil {
		return nil, err
	}
	if need, limit := SmoothBytes(n, len(labelled)), o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the graph of %d points with its inverse", n), Need: need, Limit: limit}
	}
	s := &search{ctx: ctx, o: filled, watch: model.NewStopwatch(), report: &Report{}}
	if s.k, err = gram.Dense(ctx, pairs, o.Compute); err != nil {
		return nil, err
	}
	if err := s.distances(); err != nil {
		return nil, err
	}
	s.lap(stageDistances)
	near, err := s.neighbours()
	if err != nil {
		return nil, err
	}
	joined := s.graph(near)
	s.squares = nil
	s.lap(stageNeighbours)
	g := groundedOf(joined)
	out := &Smoothed{Expand: mat.NewDense(n, len(labelled), nil)}
	if err := s.expand(out.Expand, g, labelled, o.Strength); err != nil {
		return nil, err
	}
	out.Gram = s.smoothed(out.Expand, labelled)
	s.lap(stageSmooth)
	out.Report = SmoothReport{N: n, Labelled: len(labelled), Neighbours: filled.Neighbours, Edges: s.report.Edges, Parts: g.parts, Run: s.report.Run}
	return out, nil
}

// SmoothBytes is the memory of [Smooth] for n points, l of which are labelled: kernel values with
// the Laplacian and its inverse; or in its place what belongs to the labelled points.
func SmoothBytes(n, l int) int64 {
	all, some, few := int64(n)*int64(n), int64(n)*int64(l), int64(l)*int64(l)
	return 8 * max(3*all+some, 2*all+2*some, all+2*some+2*few)
}

// grounded is the Laplacian of a graph without a point of each part.
type grounded struct {
	inner  []int // the points that are left
	ground []int // of each of them that of its part
	matrix *mat.SymDense
	parts  int
}

// groundedOf walks through the parts of a graph; the first point of each is its ground.
func groundedOf(joined [][]edge) *grounded {
	g, at := &grounded{}, make([]int, len(joined))
	for i := range at {
		at[i] = -2 // not seen
	}
	for first := range joined {
		if at[first] != -2 {
			continue
		}
		g.parts++
		at[first] = -1
		for open := []int{first}; len(open) > 0; {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			for _, e := range joined[i] {
				if at[e.to] == -2 {
					at[e.to] = len(g.inner)
					g.inner, g.ground, open = append(g.inner, e.to), append(g.ground, first), append(open, e.to)
				}
			}
		}
	}
	if len(g.inner) == 0 {
		return g
	}
	g.matrix = mat.NewSymDense(len(g.inner), nil)
	for a, i := range g.inner {
		g.matrix.SetSym(a, a, float64(len(joined[i])))
		for _, e := range joined[i] {
			if b := at[e.to]; b > a {
				g.matrix.SetSym(a, b, -1)
			}
		}
	}
	return g
}

// expand stores the columns of (I + γLK)⁻¹ that belong to the labelled points.
func (s *search) expand(dst *mat.Dense, g *grounded, labelled []int, strength float64) error {
	for c, i := range labelled {
		dst.Set(i, c, 1)
	}
	m := len(g.inner)
	if m == 0 || strength == 0 {
		return nil
	}
	f, err := linalg.Factor(s.ctx, g.matrix, 0, s.o.Compute.Factoring())
	if err != nil {
		return fmt.Errorf("manifold: the Laplacian: %w", err)
	}
	inverse := mat.NewDense(m, m, nil)
	for a := range m {
		inverse.Set(a, a, 1/strength)
	}
	if err := f.Solve(s.ctx, inverse, inverse); err != nil {
		return err
	}
	t := g.matrix // whose factor is done with
	for a, i := range g.inner {
		for b := a; b < m; b++ {
			j := g.inner[b]
			t.SetSym(a, b, inverse.At(a, b)+s.k.At(i, j)-s.k.At(i, g.ground[b])-s.k.At(g.ground[a], j)+s.k.At(g.ground[a], g.ground[b]))
		}
	}
	if f, err = linalg.Factor(s.ctx, t, 0, s.o.Compute.Factoring()); err != nil {
		return fmt.Errorf("manifold: the kernel on the graph: %w", err)
	}
	right := mat.NewDense(m, len(labelled), nil)
	for a, i := range g.inner {
		for c, j := range labelled {
			right.Set(a, c, s.k.At(i, j)-s.k.At(g.ground[a], j))
		}
	}
	if err := f.Solve(s.ctx, right, right); err != nil {
		return err
	}
	for a, i := range g.inner {
		for c, v := range right.RawRowView(a) {
			dst.Set(i, c, dst.At(i, c)-v)
			dst.Set(g.ground[a], c, dst.At(g.ground[a], c)+v)
		}
	}
	return nil
}

// smoothed returns K·Expand at the rows of the labelled points.
func (s *search) smoothed(expand *mat.Dense, labelled []int) *mat.SymDense {
	n, l := expand.Dims()
	rows, out := mat.NewDense(l, n, nil), mat.NewSymDense(l, nil)
	for a, i := range labelled {
		for j := range n {
			rows.Set(a, j, s.k.At(i, j))
		}
	}
	product := mat.NewDense(l, l, nil)
	level3.Implementation{Workers: s.o.Compute.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, rows.RawMatrix(), expand.RawMatrix(), 0, product.RawMatrix())
	for a := range l {
		for b := a; b < l; b++ {
			out.SetSym(a, b, (product.At(a, b)+product.At(b, a))/2)
		}
	}
	return out
}
