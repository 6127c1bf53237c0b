package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// diagonalise returns the rotation J for which JᵀGJ is diagonal, by Jacobi rotations of the pairs
// that are not orthogonal to working accuracy; nil where there is none. G is the matrix of inner
// products of columns of n numbers that are nearly orthogonal already, for which the result is
// as accurate in the small columns as in the large ones (Demmel and Veselić, Jacobi's method is
// more accurate than QR, 1992).
//
// The columns are products of rows aᵢ with orthonormal vectors of d numbers, with errors of about
// √d·ε‖aᵢ‖: pairs that are orthogonal up to these are left as they are. A next pass would find
// others, and the singular values move by no more than √d·ε‖A‖.
func diagonalise(ctx context.Context, g *mat.SymDense, n, d int) (*mat.Dense, error) {
	m := g.SymmetricDim()
	full := mat.DenseCopyOf(g)
	near, noise := orthogonality(n), math.Sqrt(float64(d)*mat.Trace(full))*0x1p-52
	orthogonal := func(pp, qq, pq float64) bool {
		p, q := math.Sqrt(math.Max(0, pp)), math.Sqrt(math.Max(0, qq))
		return math.Abs(pq) <= near*p*q+noise*(p+q)
	}
	var turned *mat.Dense
	for range sweeps {
		rotated := false
		for p := range m {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for q := p + 1; q < m; q++ {
				pp, qq, pq := full.At(p, p), full.At(q, q), full.At(p, q)
				if orthogonal(pp, qq, pq) {
					continue
				}
				if turned == nil {
					turned = mat.NewDense(m, m, nil) // its rows are the columns of J
					for i := range m {
						turned.Set(i, i, 1)
					}
				}
				c, s := angle(pp, qq, pq)
				rotatePair(full.RawRowView(p), full.RawRowView(q), c, s)
				for i := range m {
					row := full.RawRowView(i)
					row[p], row[q] = c*row[p]-s*row[q], s*row[p]+c*row[q]
				}
				full.Set(p, q, 0)
				full.Set(q, p, 0)
				rotatePair(turned.RawRowView(p), turned.RawRowView(q), c, s)
				rotated = true
			}
		}
		if !rotated {
			break
		}
	}
	if turned == nil {
		return nil, nil
	}
	return mat.DenseCopyOf(turned.T()), nil
}

// orthogonality is how far from orthogonal, relative to their lengths, two vectors of n numbers may
// be.
func orthogonality(n int) float64 { return 0x1p-50 * math.Sqrt(float64(n)) }

// angle returns cosine and sine of the rotation that makes two vectors with these inner products
// orthogonal.
func angle(xx, yy, xy float64) (c, s float64) {
	zeta := (yy - xx) / (2 * xy)
	t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
	c = 1 / math.Hypot(1, t)
	return c, c * t
}
