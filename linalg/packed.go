package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/pages"
)

// Packed is a symmetric matrix of order n that stores its lower triangle alone, in
// square tiles of TileSize rows: about n²/2 + 128n numbers, 8 bytes each.
//
// Tiles follow one another block row by block row, (0,0) (1,0) (1,1) (2,0) …; a tile
// is row-major without gaps, and the last block row and column may be smaller. Of a
// diagonal tile only the lower triangle is read.
//
// Packed is a [mat.Symmetric].
type Packed struct{ packed[float64] }

var (
	_ mat.Symmetric        = (*Packed)(nil)
	_ mat.MutableSymmetric = (*Packed)(nil)
)

// NewPacked returns a matrix of zeros of order n. It panics if n is negative.
func NewPacked(n int) *Packed { return &Packed{newPacked[float64](n)} }

// PackedBytes returns the memory in bytes that a [Packed] of order n takes.
func PackedBytes(n int) int64 { return 8 * packedSize(n) }

// packedSize returns the number of elements in the tiles of a lower triangle.
func packedSize(n int) int64 {
	full, rest := int64(n/tileSize), int64(n%tileSize)
	return tileSize*tileSize*full*(full+1)/2 + rest*int64(n)
}

// Clone returns a copy with storage of its own.
func (p *Packed) Clone() *Packed {
	q := NewPacked(p.n)
	copy(q.data, p.data)
	return q
}

// SymmetricDim returns the order n.
func (p *Packed) SymmetricDim() int { return p.n }

// Dims returns n, n.
func (p *Packed) Dims() (rows, cols int) { return p.n, p.n }

// T returns the matrix itself, which equals its transpose.
func (p *Packed) T() mat.Matrix { return p }

// At returns element (i, j). It panics if an index is out of range.
func (p *Packed) At(i, j int) float64 { return *p.element(i, j) }

// SetSym sets elements (i, j) and (j, i). It panics if an index is out of range.
func (p *Packed) SetSym(i, j int, v float64) { *p.element(i, j) = v }

// FactorPacked returns the Cholesky factor of A + shift·I and stores it in place of A:
// afterwards p belongs to the result and must not be used. n³/3 flops.
//
// The error is a [*NotPositiveDefinite] if A + shift·I is not numerically positive
// definite, or that of ctx; A is lost in any case.
func FactorPacked(ctx context.Context, p *Packed, shift float64, o Options) (*CholeskyFactor, error) {
	shifts := make([]float64, p.n)
	for i := range shifts {
		shifts[i] = shift
	}
	return FactorPackedDiag(ctx, p, shifts, o)
}

// FactorPackedDiag is [FactorPacked] for A + diag(shift), shift of length n.
func FactorPackedDiag(ctx context.Context, p *Packed, shift []float64, o Options) (*CholeskyFactor, error) {
	f := &CholeskyFactor{}
	if err := f.fromPacked(ctx, &p.packed, shift, o); err != nil {
		return nil, err
	}
	return f, nil
}

// fromPacked makes f the factor of p + diag(shift), in place of p.
func (f *factor[F]) fromPacked(ctx context.Context, p *packed[F], shift []float64, o Options) error {
	if len(shift) != p.n {
		return fmt.Errorf("linalg: factor: shift has length %d, but the matrix is %d×%d: give one number per row", len(shift), p.n, p.n)
	}
	for i, v := range shift {
		d := p.element(i, i)
		*d = F(float64(*d) + v)
	}
	f.l, f.o, f.norm = packedTriangle[F]{p}, o, p.norm()
	return factorTriangle(ctx, f.l, o)
}

// packed is the storage of a lower triangle in tiles, at either width.
type packed[F float] struct {
	n    int
	data []F
}

func newPacked[F float](n int) packed[F] {
	return packed[F]{n: n, data: pages.Make[F](int(packedSize(n)))}
}

// Mul stores A·X in dst (n×m, or empty), which must not overlap x. Every number of the
// triangle is read once: 2n²m flops. Numbers of tiles in single precision meet x
// rounded to single precision, and their sums over tiles are double.
func (p *packed[F]) Mul(ctx context.Context, dst, x *mat.Dense) error {
	return p.MulWith(ctx, dst, x, Options{})
}

// MulWith is Mul with options.
func (p *packed[F]) MulWith(ctx context.Context, dst, x *mat.Dense, o Options) error {
	if err := shape(dst, x, p.n); err != nil {
		return fmt.Errorf("linalg: packed product: %w", err)
	}
	return p.multiply(ctx, dst, x, o)
}

func (p *packed[F]) element(i, j int) *F {
	if i < j {
		i, j = j, i
	}
	if j < 0 || i >= p.n {
		panic(fmt.Sprintf("linalg: index (%d, %d) is out of range of a packed matrix of order %d", i, j, p.n))
	}
	t := p.tile(i/tileSize, j/tileSize)
	return &t.Data[i%tileSize*t.Stride+j%tileSize]
}

// TileSize returns the number of rows and columns of a tile, except perhaps the last.
func (p *packed[F]) TileSize() int { return tileSize }

// TileCount returns the number of block rows.
func (p *packed[F]) TileCount() int { return tiles(p.n) }

// Tile returns the shape and the storage of tile (i, j), 0 ≤ j ≤ i < TileCount, whose
// first element is element (i·TileSize, j·TileSize) of the matrix. Element (r, c) of
// the tile is data[r*stride+c]; writing it sets the matrix. Tiles may be filled
// concurrently.
func (p *packed[F]) Tile(i, j int) (rows, cols, stride int, data []F) {
	if j < 0 || j > i || i >= tiles(p.n) {
		panic(fmt.Sprintf("linalg: tile (%d, %d) is out of range of a lower triangle of %d block rows", i, j, tiles(p.n)))
	}
	t := p.tile(i, j)
	return t.Rows, t.Cols, t.Stride, t.Data
}

func (p *packed[F]) tile(i, j int) general[F] {
	rows, cols := extent(p.n, i), extent(p.n, j)
	start := tileSize*tileSize*i*(i+1)/2 + rows*tileSize*j
	return general[F]{Rows: rows, Cols: cols, Stride: cols, Data: p.data[start : start+rows*cols]}
}

func (p *packed[F]) order() int { return p.n }

// norm returns ‖A‖₁.
func (p *packed[F]) norm() float64 {
	sums := make([]float64, p.n)
	for i := range tiles(p.n) {
		for j := range i + 1 {
			t := p.tile(i, j)
			for r := range t.Rows {
				elements, sum := t.row(r), 0.0
				if i == j {
					sum = math.Abs(float64(elements[r]))
					elements = elements[:r]
				}
				below := sums[j*tileSize:]
				for c, v := range elements {
					a := math.Abs(float64(v))
					sum += a
					below[c] += a
				}
				sums[i*tileSize+r] += sum
			}
		}
	}
	return largest(sums)
}

// packedTriangle is the triangle of a packed matrix, where the factor simply takes
// the place of the matrix.
type packedTriangle[F float] struct{ *packed[F] }

func (p packedTriangle[F]) load(i, j int) general[F] { return p.tile(i, j) }

func (p packedTriangle[F]) loadDiagonal(dst general[F], j int) { dst.copyFrom(p.tile(j, j)) }

func (p packedTriangle[F]) storeDiagonal(j int, src general[F]) { p.tile(j, j).copyFrom(src) }

func (p packedTriangle[F]) diagonal(j int, _ general[F]) general[F] { return p.tile(j, j) }

func (p packedTriangle[F]) column(j int) (out [][]F) {
	for i := j; i < tiles(p.n); i++ {
		out = append(out, p.tile(i, j).Data)
	}
	return out
}
