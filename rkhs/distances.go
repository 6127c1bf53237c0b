package rkhs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// Gram is a Gram matrix that can be multiplied and read: a [gram.Stream], which computes
// its elements whenever they are wanted, or [gram.FromMatrix], which stores them.
type Gram interface {
	gram.Operator
	Pairs() kernel.Pairs
}

// Inner returns the matrix of ⟨Φα, Φβ⟩ = αᵀKβ of all columns α of a and β of b: n×p and
// n×q give p×q. It takes one product of K with q columns.
func Inner(ctx context.Context, k gram.Operator, a, b *mat.Dense) (*mat.Dense, error) {
	n, _ := k.Dims()
	for _, x := range []*mat.Dense{a, b} {
		if rows, _ := x.Dims(); rows != n || n == 0 {
			return nil, fmt.Errorf("rkhs: combinations of %d points have as many coefficients, and these have %d", n, rows)
		}
	}
	kb, out := new(mat.Dense), new(mat.Dense)
	if err := k.Mul(ctx, kb, b); err != nil {
		return nil, err
	}
	out.Mul(a.T(), kb)
	return out, nil
}

// Norms2 returns ‖Φα‖² = αᵀKα of every column α of a. It takes one product of K.
func Norms2(ctx context.Context, k gram.Operator, a *mat.Dense) ([]float64, error) {
	n, cols := k.Dims()
	if rows, _ := a.Dims(); rows != n || n != cols || n == 0 {
		return nil, fmt.Errorf("rkhs: combinations of the points of a %d×%d Gram matrix cannot have %d coefficients", n, cols, rows)
	}
	ka := new(mat.Dense)
	if err := k.Mul(ctx, ka, a); err != nil {
		return nil, err
	}
	return columnDots(a, ka), nil
}

// columnDots returns the inner product of every column of a with that of b.
func columnDots(a, b *mat.Dense) []float64 {
	n, m := a.Dims()
	out := make([]float64, m)
	for i := range n {
		x, y := a.RawRowView(i), b.RawRowView(i)
		for j := range out {
			out[j] += x[j] * y[j]
		}
	}
	return out
}

// Distances2 returns ‖φ(xᵢ) − φ(xⱼ)‖² = kᵢᵢ + kⱼⱼ − 2kᵢⱼ for the rows i and columns j with
// the given indices.
func Distances2(ctx context.Context, p kernel.Pairs, rows, cols []int, o compute.Options) (*mat.Dense, error) {
	n, _ := p.Dims()
	for _, i := range append(append([]int(nil), rows...), cols...) {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("rkhs: row %d of %d points, counted from 0", i, n)
		}
	}
	out := new(mat.Dense)
	if err := gram.Rect(ctx, out, gram.RowsOf(p).Bind(rows, cols), o); err != nil {
		return nil, err
	}
	left, right := make([]float64, len(rows)), make([]float64, len(cols))
	kernel.Diag(gram.RowsOf(p).Bind(rows, rows), left)
	kernel.Diag(gram.RowsOf(p).Bind(cols, cols), right)
	out.Apply(func(i, j int, k float64) float64 { return left[i] + right[j] - 2*k }, out)
	return out, nil
}

// Distances are those of points to a set, squared.
type Distances struct {
	Barycentre []float64 // ‖φ(x) − μ‖²
	Nearest    []float64 // minᵢ ‖φ(x) − φ(xᵢ)‖²
	At         []int     // that i
	Mean       []float64 // (1/n) Σᵢ ‖φ(x) − φ(xᵢ)‖² = ‖φ(x) − μ‖² + the variance of the set
}

// DistancesTo returns the distances of new points to the points of a set. It takes the kernel bound
// to them as rows and columns, the diagonals k(x, x) of both, and ‖μ‖² of the set as [BarycentreOf]
// returns it with equal weights. Every kernel value is computed twice and none is kept.
func DistancesTo(ctx context.Context, cross kernel.Pairs, rowDiag, colDiag []float64, norm2 float64, o compute.Options) (*Distances, error) {
	rows, cols := cross.Dims()
	if len(rowDiag) != rows || len(colDiag) != cols || cols == 0 {
		return nil, fmt.Errorf("rkhs: %d and %d elements of the diagonals of a %d×%d matrix; a set has at least one point", len(rowDiag), len(colDiag), rows, cols)
	}
	d := &Distances{Barycentre: make([]float64, rows), Nearest: make([]float64, rows), At: make([]int, rows), Mean: make([]float64, rows)}
	stream, offset, meanDiag := gram.Cross(cross, o), make([]float64, cols), 0.0
	for j, v := range colDiag {
		offset[j] = -v / 2
		meanDiag += v / float64(cols)
	}
	if err := stream.RowSums(ctx, d.Mean); err != nil {
		return nil, err
	}
	if err := stream.ArgMax(ctx, d.At, d.Nearest, offset); err != nil {
		return nil, err
	}
	for i, self := range rowDiag {
		inner := d.Mean[i] / float64(cols)
		d.Barycentre[i] = self - 2*inner + norm2
		d.Mean[i] = self - 2*inner + meanDiag
		d.Nearest[i] = self - 2*d.Nearest[i]
		if d.At[i] < 0 {
			return nil, fmt.Errorf("rkhs: the kernel of new row %d with the set is not a number", i)
		}
	}
	return d, nil
}

// NormOf returns √v of a squared norm v that was computed from numbers of the size scale: 0
// for one that rounding made negative, and NaN with false for one that is truly negative,
// which only a kernel that is not positive definite makes.
func NormOf(v, scale float64) (root float64, ok bool) {
	switch {
	case v >= 0:
		return math.Sqrt(v), true
	case v >= -1e-12*math.Abs(scale):
		return 0, true
	}
	return math.NaN(), false
}
