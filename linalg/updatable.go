package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// UpdatableFactor is the Cholesky factor L of a symmetric positive definite A = LLᵀ, row by row,
// for an A that gains and loses rows: n² flops for each, where a new factorization takes n³/3. Its
// errors grow slowly, like those of as many factorizations; a residual computed from A itself
// shows what they are.
type UpdatableFactor struct {
	n    int
	rows []float64 // row i begins at i(i+1)/2 and has i+1 numbers
}

// NewUpdatableFactor takes over the rows of a factor, one after the other: n(n+1)/2 numbers, those
// of the diagonal positive.
func NewUpdatableFactor(n int, rows []float64) (*UpdatableFactor, error) {
	if want := n * (n + 1) / 2; n < 0 || len(rows) != want {
		return nil, fmt.Errorf("linalg: %d numbers for a triangular factor of order %d, which has %d", len(rows), n, want)
	}
	l := &UpdatableFactor{n: n, rows: rows}
	for i := range n {
		for j, v := range l.row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) || j == i && v <= 0 {
				return nil, fmt.Errorf("linalg: element (%d, %d) of a Cholesky factor is %v: elements are finite, and positive on the diagonal", i, j, v)
			}
		}
	}
	return l, nil
}

// Dim returns n.
func (l *UpdatableFactor) Dim() int { return l.n }

// Rows returns the numbers that [NewUpdatableFactor] takes: a view.
func (l *UpdatableFactor) Rows() []float64 { return l.rows }

func (l *UpdatableFactor) row(i int) []float64 {
	from := i * (i + 1) / 2
	return l.rows[from : from+i+1 : from+i+1]
}

// Append borders A by k rows: b (k×n) holds their elements beside A, c (k×k) those among
// themselves.
//
//	┌ A  bᵀ ┐        ┌   L      ┐
//	└ b  c  ┘,  L' = └ bL⁻ᵀ  L₂ ┘,   L₂L₂ᵀ = c − (bL⁻ᵀ)(bL⁻ᵀ)ᵀ
//
// It takes kn² + nk² + k³/3 multiplications, of which o.Progress hears. The error is a
// [*NotPositiveDefinite] if the bordered matrix is not numerically positive definite, or that of
// ctx; l then keeps its value.
func (l *UpdatableFactor) Append(ctx context.Context, b *mat.Dense, c mat.Symmetric, o Options) error {
	k := c.SymmetricDim()
	if rows, cols := b.Dims(); l.n > 0 && (rows != k || cols != l.n) {
		return fmt.Errorf("linalg: append: %d×%d elements beside a matrix of order %d for %d rows: they must agree", rows, cols, l.n, k)
	}
	work := int64(0)
	for i := range k {
		work += square(l.n + i)
	}
	told := o.meter("rows that come", work)
	longer := &UpdatableFactor{n: l.n, rows: slices.Grow(slices.Clip(l.rows), k*l.n+k*(k+1)/2)}
	for i := range k {
		if err := ctx.Err(); err != nil {
			return err
		}
		var beside []float64
		if l.n > 0 {
			beside = b.RawRowView(i)
		}
		for j := range i {
			beside = append(slices.Clip(beside), c.At(i, j))
		}
		if err := longer.add(beside, c.At(i, i)); err != nil {
			return err
		}
		told.Add(square(l.n + i))
	}
	*l = *longer
	told.Done()
	return nil
}

// add appends one row with its elements beside the others and on the diagonal.
func (l *UpdatableFactor) add(beside []float64, diagonal float64) error {
	l.rows = append(append(l.rows, beside...), diagonal)
	x := l.rows[len(l.rows)-l.n-1:]
	for j := range l.n {
		r := l.row(j)
		x[j] = (x[j] - blas64.Dot(vector(r[:j]), vector(x[:j]))) / r[j]
	}
	pivot := diagonal - blas64.Dot(vector(x[:l.n]), vector(x[:l.n]))
	if !(pivot > 0) || math.IsInf(pivot, 1) {
		return &NotPositiveDefinite{Pivot: l.n, Value: pivot}
	}
	x[l.n] = math.Sqrt(pivot)
	l.n++
	return nil
}

// Remove takes a row and its column out of A: 2(n−row)² multiplications. With L cut at that
// row,
//
//	    ┌ L₁        ┐
//	L = │ aᵀ  λ     │,   L' = ┌ L₁    ┐,   L₃'L₃'ᵀ = L₃L₃ᵀ + vvᵀ,
//	    └ M   v  L₃ ┘         └ M  L₃' ┘
//
// and rotations in the planes of v and one column of L₃ after the other make v zero (Golub
// and Van Loan, Matrix Computations, 4th ed., 6.5.4). Each row takes all of its rotations at
// once. They add to the diagonal and cannot fail.
func (l *UpdatableFactor) Remove(row int) {
	if row < 0 || row >= l.n {
		panic(fmt.Sprintf("linalg: row %d of a factor of order %d", row, l.n))
	}
	type rotation struct{ cos, sin float64 }
	turns := make([]rotation, 0, l.n-row-1)
	to := row * (row + 1) / 2
	for i := row + 1; i < l.n; i++ {
		r := l.row(i)
		v := r[row]
		tail := r[row+1:]
		for k, t := range turns {
			tail[k], v = t.cos*tail[k]+t.sin*v, t.cos*v-t.sin*tail[k]
		}
		last := len(tail) - 1
		length := math.Hypot(tail[last], v)
		turns = append(turns, rotation{tail[last] / length, v / length})
		tail[last] = length
		to += copy(l.rows[to:], r[:row])
		to += copy(l.rows[to:], tail)
	}
	clear(l.rows[to:]) // what is removed leaves nothing in memory that may be written to a file
	l.rows, l.n = l.rows[:to], l.n-1
}

// Restrict takes out all rows but some, which ascend: the last first, so that the numbers of those
// before it stay. It tells o.Progress how far it is, ends early with the error of ctx, and is then
// of more rows.
func (l *UpdatableFactor) Restrict(ctx context.Context, rows []int, o Options) error {
	var gone []int // the last first
	work, at := int64(0), len(rows)-1
	for i := l.n - 1; i >= 0; i-- {
		if at >= 0 && rows[at] == i {
			at--
			continue
		}
		work += square(l.n - len(gone) - i)
		gone = append(gone, i)
	}
	told := o.meter("rows that go", work)
	for _, i := range gone {
		if err := ctx.Err(); err != nil {
			return err
		}
		behind := l.n - i
		l.Remove(i)
		told.Add(square(behind))
	}
	told.Done()
	return nil
}

// square returns n², what a row of so many numbers is counted as.
func square(n int) int64 { return int64(n) * int64(n) }

// CholeskyFactor returns the factor in tiles, for solving: a copy of n²/2 numbers. Its condition
// is estimated with an estimate of ‖A‖₁.
func (l *UpdatableFactor) CholeskyFactor(o Options) *CholeskyFactor {
	p := newPacked[float64](l.n)
	for i := range l.n {
		r := l.row(i)
		for j := 0; j <= i/tileSize; j++ {
			t := p.tile(i/tileSize, j)
			copy(t.row(i%tileSize), r[j*tileSize:])
		}
	}
	f := &CholeskyFactor{}
	f.l, f.o = packedTriangle[float64]{&p}, o
	f.norm = estimateNorm(l.n, l.multiply)
	return f
}

// multiply replaces x by LLᵀx.
func (l *UpdatableFactor) multiply(x []float64) {
	y := make([]float64, l.n)
	for i, v := range x {
		blas64.Axpy(v, vector(l.row(i)), vector(y[:i+1]))
	}
	for i := range x {
		x[i] = blas64.Dot(vector(l.row(i)), vector(y[:i+1]))
	}
}

// Updatable returns the factor row by row: a copy of n²/2 numbers.
func (f *CholeskyFactor) Updatable() *UpdatableFactor {
	n := f.Dim()
	l := &UpdatableFactor{n: n, rows: make([]float64, n*(n+1)/2)}
	buf := newMatrix[float64](min(n, tileSize), min(n, tileSize))
	for bi := range tiles(n) {
		for bj := range bi + 1 {
			t := f.l.diagonal(bj, buf.square(extent(n, bj)))
			if bj < bi {
				t = f.l.tile(bi, bj)
			}
			for r := range t.Rows {
				copy(l.row(bi*tileSize + r)[bj*tileSize:], t.row(r))
			}
		}
	}
	return l
}

// estimateNorm returns an estimate of ‖B‖₁ for a symmetric B, given by its products: a lower
// bound that is nearly always within a factor of 3. See [CholeskyFactor.Condition].
func estimateNorm(n int, multiply func(x []float64)) float64 {
	if n == 0 {
		return 0
	}
	var impl lapackgonum.Implementation
	v, x, signs := make([]float64, n), make([]float64, n), make([]int, n)
	var state [3]int
	estimate, action := impl.Dlacn2(n, v, x, signs, 0, 0, &state)
	for action != 0 { // B is its own transpose
		multiply(x)
		estimate, action = impl.Dlacn2(n, v, x, signs, estimate, action, &state)
	}
	return estimate
}
