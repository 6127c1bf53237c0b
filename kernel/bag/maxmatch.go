package bag

import (
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// MaxMatch compares every point with the one of the other bag that is most alike,
//
//	k(X, Y) = ½ (1/|X| Σ_{x ∈ X} max_{y ∈ Y} k(x, y) + 1/|Y| Σ_{y ∈ Y} max_{x ∈ X} k(x, y)).
//
// It was proposed as a kernel (Wallraven, Caputo and Graf, Recognition with local features:
// the kernel recipe, ICCV 2003) and is not positive definite, because a maximum is not: with
// k(x, y) = [x = y], X = {a, b}, Y = {a}, Z = {b} give the matrix (1 ¾ ¾; ¾ 1 0; ¾ 0 1), whose
// determinant is −⅛. Lyu (Mercer kernels for object recognition with local features, CVPR
// 2005) puts the mean of powers kᵖ in its place, which is: [Mean] of a power, match(of=k, p=p).
type MaxMatch[T any] struct{ Of kernel.Kernel[T] }

// Eval returns k(x, y) in |x||y| evaluations of the base kernel; 0 where a bag is empty.
func (k MaxMatch[T]) Eval(x, y []T) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	left, right := lowest(len(x)), lowest(len(y))
	for i, a := range x {
		for j, b := range y {
			v := k.Of.Eval(a, b)
			left[i], right[j] = max(left[i], v), max(right[j], v)
		}
	}
	return (meanOf(left) + meanOf(right)) / 2
}

// lowest returns n numbers below all others.
func lowest(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Inf(-1)
	}
	return v
}

func meanOf(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// String returns maxmatch(of=k).
func (k MaxMatch[T]) String() string { return "maxmatch(of=" + k.Of.String() + ")" }

// Contains refuses an empty bag, and one with a point outside the domain of the base kernel.
func (k MaxMatch[T]) Contains(x []T) error { return filled(k.Of, x) }

// Bind binds the base kernel to the points of all bags.
func (k MaxMatch[T]) Bind(rows, cols data.Set[[]T]) kernel.Pairs {
	return k.BindColumns(cols).Bind(rows, nil)
}

// BindColumns binds the base kernel to the points of the columns.
func (k MaxMatch[T]) BindColumns(cols data.Set[[]T]) kernel.BoundColumns[[]T] {
	return newAnchored(k.Of, cols, func(p *summed) kernel.Pairs { return &matched{*p} })
}

// matched takes maxima where summed adds.
type matched struct{ summed }

// Tile finds the best match of every point of the rows as their values come, and keeps those
// of the columns' points until a bag of the rows is complete.
func (p *matched) Tile(dst kernel.Tile, row, col int) {
	first := p.cols[col]
	best := make([][]float64, dst.Rows) // of the columns' points, for each bag of the rows
	for i := range best {
		best[i] = lowest(p.cols[col+dst.Cols] - first)
		clear(dst.Row(i))
	}
	walk(p.of, p.rows[row:row+dst.Rows+1], p.cols[col:col+dst.Cols+1], p.scratch, func(i, j, at int, values []float64) {
		if len(values) == 0 {
			return
		}
		dst.Row(i)[j] += slices.Max(values) / float64(p.rows.count(row+i))
		matches := best[i][at-first:]
		for b, v := range values {
			matches[b] = max(matches[b], v)
		}
	})
	for i := range dst.Rows {
		out := dst.Row(i)
		for j := range out {
			from, to := p.cols[col+j]-first, p.cols[col+j+1]-first
			if p.rows.count(row+i) == 0 || from == to {
				out[j] = 0
				continue
			}
			out[j] = (out[j] + meanOf(best[i][from:to])) / 2
		}
	}
}

// CacheParts keeps the base kernel, which other kernels of the bags may share.
func (p *matched) CacheParts(k kernel.TileCache) kernel.Pairs {
	cached := *p
	cached.of = kernel.Cached(p.of, k)
	return &cached
}

// Parameters returns those of the base kernel.
func (k MaxMatch[T]) Parameters() []kernel.Parameter { return parameters(k.Of) }

// With returns the kernel of a base kernel with other parameters.
func (k MaxMatch[T]) With(values []float64) (kernel.Kernel[[]T], error) {
	of, err := with(k.Of, values)
	return MaxMatch[T]{of}, err
}

// Derive gives the counter-example.
func (k MaxMatch[T]) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Indefinite,
		Reason: "a maximum is not positive definite: with k(x, y) = [x = y] the bags {a, b}, {a}, {b} give a matrix with the determinant −⅛; match(of=k, p=9) prefers near pairs and is (Lyu 2005)"}
}

// Reference describes the kernel.
func (k MaxMatch[T]) Reference() kernel.Reference {
	return kernel.Reference{Name: "maxmatch", Title: "best matches of two bags, not positive definite", Formula: "½(mean_{x∈X} max_{y∈Y} k(x, y) + mean_{y∈Y} max_{x∈X} k(x, y))",
		Domain: "X, Y: bags of points, not empty", Equivalents: []string{"k = " + k.Of.String()},
		Source: "Wallraven, Caputo and Graf, Recognition with local features: the kernel recipe, ICCV 2003", SeeAlso: []string{"match", "mean"}}
}
