package pca

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// decompose returns the min(n, d) singular values of a, descending, and its right
// singular vectors in rows. Rows of singular values at the level of rounding are unit
// vectors of no meaning, or zero.
func decompose(ctx context.Context, a *mat.Dense, by linalg.Options) ([]float64, *mat.Dense, error) {
	n, d := a.Dims()
	m := a
	if n > d {
		m = mat.DenseCopyOf(a.T())
	}
	short, _ := m.Dims()
	square := product(blas.NoTrans, m, mat.DenseCopyOf(m.T()), by.Workers)
	sym := mat.NewSymDense(short, nil)
	for i := range short {
		copy(sym.RawSymmetric().Data[i*short+i:(i+1)*short], square.RawRowView(i)[i:])
	}
	e, err := linalg.EigenSym(ctx, sym, by)
	if err != nil {
		return nil, nil, fmt.Errorf("pca: %w", err)
	}
	left := mat.NewDense(short, short, nil)
	for i := range short {
		left.SetRow(i, mat.Col(nil, short-1-i, e.Vectors))
	}
	b := product(blas.NoTrans, left, m, by.Workers)
	if err := orthogonalise(ctx, b, left, by.Workers); err != nil {
		return nil, nil, err
	}
	values := make([]float64, short)
	for i := range values {
		values[i] = floats.Norm(b.RawRowView(i), 2)
	}
	order := descending(values)
	sorted, right := make([]float64, short), mat.NewDense(short, d, nil)
	for to, from := range order {
		sorted[to] = values[from]
		if n > d {
			right.SetRow(to, left.RawRowView(from))
			continue
		}
		right.SetRow(to, b.RawRowView(from))
		if values[from] > 0 {
			floats.Scale(1/values[from], right.RawRowView(to))
		}
	}
	return sorted, right, nil
}

// descending returns the places of values from the largest on, of equal ones the first.
func descending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[j], values[i]) })
	return order
}

// sweeps is the largest number of times that every pair is rotated.
const sweeps = 30

// orthogonalise makes the rows of B, B = EᵀM with E the rows of left, orthogonal to
// working accuracy by Jacobi rotations of pairs of rows, which left takes part in.
// Rows at the level of rounding are left alone.
func orthogonalise(ctx context.Context, b, left *mat.Dense, workers int) error {
	short, long := b.Dims()
	tolerance := orthogonality(long)
	for range sweeps {
		inner := product(blas.NoTrans, b, mat.DenseCopyOf(b.T()), workers)
		largest := 0.0
		for i := range short {
			largest = math.Max(largest, inner.At(i, i))
		}
		negligible := largest * math.Pow(float64(long)*0x1p-52, 2)
		rotated := false
		for p := range short {
			if err := ctx.Err(); err != nil {
				return err
			}
			for q := p + 1; q < short; q++ {
				pp, qq := inner.At(p, p), inner.At(q, q)
				if min(pp, qq) > negligible && math.Abs(inner.At(p, q)) > tolerance*math.Sqrt(pp*qq) {
					rotate(b.RawRowView(p), b.RawRowView(q), left.RawRowView(p), left.RawRowView(q))
					rotated = true
				}
			}
		}
		if !rotated {
			return nil
		}
	}
	return nil
}

// rotate makes the vectors x and y orthogonal, and rotates u and v alike.
func rotate(x, y, u, v []float64) {
	xx, yy, xy := floats.Dot(x, x), floats.Dot(y, y), floats.Dot(x, y)
	if xy == 0 {
		return
	}
	c, s := angle(xx, yy, xy)
	rotatePair(x, y, c, s)
	rotatePair(u, v, c, s)
}

func rotatePair(x, y []float64, c, s float64) {
	for i, a := range x {
		x[i], y[i] = c*a-s*y[i], s*a+c*y[i]
	}
}
