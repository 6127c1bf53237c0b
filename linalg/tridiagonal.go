package linalg

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"example.org/mercer/internal/progress"
	"example.org/mercer/internal/simd"
)

// panelSize is how many rows are reduced before the rest of the matrix is updated
// by one product.
const panelSize = 32

// tridiagonal is the reduction A = Q·T·Qᵀ of a symmetric matrix, with
// Q = H₀·H₁···H_{n−2} and Hⱼ = I − τⱼ·vⱼ·vⱼᵀ. Row j of v holds vⱼ from column j+1 on,
// where it is 1; it is zero before. What v holds up to column j is arbitrary.
type tridiagonal struct {
	diag []float64 // of T, length n
	off  []float64 // beside the diagonal of T, length n−1
	v    blas64.General
	tau  []float64
}

// tridiagonalize reduces the symmetric matrix whose upper triangle is that of a, and
// destroys a. 4n³/3 flops, half of them in products of tiles, half in products of the
// matrix and a vector.
//
// Dongarra, Sorensen and Hammarling, Block reduction of matrices to condensed forms for
// eigenvalue computations, J. Comput. Appl. Math. 27 (1989); LAPACK's dlatrd with rows
// in the place of columns.
func tridiagonalize(ctx context.Context, a blas64.General, o Options) (*tridiagonal, error) {
	n := a.Rows
	t := &tridiagonal{diag: make([]float64, n), off: make([]float64, max(0, n-1)), v: a, tau: make([]float64, max(0, n-1))}
	p := &panel{tridiagonal: t, w: newGeneral(min(panelSize, n), n), sums: newSums(n), o: o}
	p.left, p.right = newGeneral(n, 2*panelSize), newGeneral(n, 2*panelSize)
	progress := o.meter("tridiagonal form", cube(n)-cube(min(n, 1)))
	for first := 0; first < n-1; first += panelSize {
		last := min(first+panelSize, n-1)
		if err := p.checkpointed(ctx, first, last); err != nil {
			return nil, err
		}
		if err := p.update(ctx, first, last); err != nil {
			return nil, err
		}
		progress.Add(cube(n-first) - cube(n-last))
	}
	progress.Done()
	if n > 0 {
		t.diag[n-1] = a.Data[(n-1)*a.Stride+n-1]
	}
	return t, nil
}

// cube returns n³, to which the work left for a matrix of order n is proportional.
func cube(n int) int64 { return int64(n) * int64(n) * int64(n) }

// panel is the state of the reduction: with V and W the rows reduced since the last
// update, the matrix is A − VᵀW − WᵀV.
type panel struct {
	*tridiagonal
	w    blas64.General // row j−first belongs to vⱼ; columns as in v
	sums *symvSums
	o    Options

	coef        [2 * panelSize]float64
	left, right blas64.General // workspace of update
}

// checkpointed reduces the rows of a panel, or takes V, W and what they leave of T from the
// checkpoint: 4n³/3 flops of which the half that moves at the speed of memory is not computed
// again.
func (p *panel) checkpointed(ctx context.Context, first, last int) error {
	compute := func() error {
		for j := first; j < last; j++ {
			if err := p.reduce(ctx, first, j); err != nil {
				return err
			}
		}
		return nil
	}
	if p.o.Step == nil {
		return compute()
	}
	kept := [][]float64{p.diag[first:last], p.off[first:last], p.tau[first:last]}
	for j := first; j < last; j++ {
		kept = append(kept, row(p.v, j)[j+1:], row(p.w, j-first)[j+1:])
	}
	return p.o.Step(ctx, "panel", kept, compute)
}

// reduce makes Hⱼ, which clears row j beyond column j+1, and wⱼ.
func (p *panel) reduce(ctx context.Context, first, j int) error {
	n, k := p.v.Rows, j-first
	v, w := view(p.v, first, j, k, n-j), view(p.w, 0, j, k, n-j)
	r := row(p.v, j)[j:]
	if k > 0 {
		for i := range k {
			p.coef[i], p.coef[panelSize+i] = -v.Data[i*v.Stride], -w.Data[i*w.Stride]
		}
		simd.AddRows(r, w.Data, w.Stride, p.coef[:k])
		simd.AddRows(r, v.Data, v.Stride, p.coef[panelSize:][:k])
	}
	p.diag[j] = r[0]
	x := r[1:]
	var impl lapackgonum.Implementation
	p.off[j], p.tau[j] = impl.Dlarfg(len(x), x[0], x[1:], 1)
	x[0] = 1
	y := row(p.w, k)[j+1:]
	if p.tau[j] == 0 {
		clear(y)
		return ctx.Err()
	}
	if err := p.sums.multiply(ctx, y, view(p.v, j+1, j+1, n-j-1, n-j-1), x, p.o); err != nil {
		return err
	}
	if k > 0 {
		v, w = view(v, 0, 1, k, n-j-1), view(w, 0, 1, k, n-j-1)
		s, t := p.coef[:k], p.coef[panelSize:][:k]
		simd.DotRows(s, w.Data, w.Stride, x)
		simd.DotRows(t, v.Data, v.Stride, x)
		for i := range k {
			s[i], t[i] = -s[i], -t[i]
		}
		simd.AddRows(y, v.Data, v.Stride, s)
		simd.AddRows(y, w.Data, w.Stride, t)
	}
	blas64.Scal(p.tau[j], vector(y))
	blas64.Axpy(-p.tau[j]/2*blas64.Dot(vector(y), vector(x)), vector(x), vector(y))
	return nil
}

// update computes the upper triangle of A − VᵀW − WᵀV beyond the panel, as the one
// product of [Vᵀ Wᵀ] and [Wᵀ Vᵀ]ᵀ.
func (p *panel) update(ctx context.Context, first, last int) error {
	n, k := p.v.Rows, last-first
	m := n - last
	v, w := view(p.v, first, last, k, m), view(p.w, 0, last, k, m)
	left, right := view(p.left, 0, 0, m, 2*k), view(p.right, 0, 0, m, 2*k)
	transposeTo(view(left, 0, 0, m, k), v)
	transposeTo(view(left, 0, k, m, k), w)
	transposeTo(view(right, 0, 0, m, k), w)
	transposeTo(view(right, 0, k, m, k), v)
	return each(ctx, p.o.workers(), tiles(m), func(i int) {
		r, c := extent(m, i), m-i*tileSize
		subtractProduct(view(p.v, last+i*tileSize, last+i*tileSize, r, c),
			view(left, i*tileSize, 0, r, 2*k), blas.Trans, view(right, i*tileSize, 0, c, 2*k))
	})
}

// symvChunks is how many parts the rows of a large triangle are cut in, each with sums
// of its own so that the parts can be computed concurrently.
const symvChunks = 4

// symvSmall is the order below which a product is not worth being shared.
const symvSmall = 300

// symvSums is the workspace of products of a symmetric matrix and a vector.
type symvSums struct{ parts [symvChunks][]float64 }

func newSums(n int) *symvSums {
	s := new(symvSums)
	for i := range s.parts {
		s.parts[i] = make([]float64, n)
	}
	return s
}

// multiply stores A·x in y, where a holds the upper triangle of A. Each element of a
// is read once. The parts are of about equal area and always added in the same order.
func (s *symvSums) multiply(ctx context.Context, y []float64, a blas64.General, x []float64, o Options) error {
	n := a.Rows
	if n < symvSmall {
		clear(y)
		addSymmetric(y, a, x, 0, n)
		return ctx.Err()
	}
	err := each(ctx, o.workers(), symvChunks, func(c int) {
		clear(s.parts[c][:n])
		addSymmetric(s.parts[c][:n], a, x, rowsOfArea(n, c), rowsOfArea(n, c+1))
	})
	copy(y, s.parts[0])
	for _, part := range s.parts[1:] {
		blas64.Axpy(1, vector(part[:n]), vector(y))
	}
	return err
}

// rowsOfArea returns how many rows from the top of an upper triangle of order n hold
// c/symvChunks of it: the solution of 1 − (1 − r/n)² = c/symvChunks, rounded down.
func rowsOfArea(n, c int) int {
	return int((1 - math.Sqrt(1-float64(c)/symvChunks)) * float64(n))
}

// symvRows is the number of rows that one pass multiplies.
const symvRows = 8

// addSymmetric adds to y what rows from ≤ i < to of the upper triangle a, and the
// columns that mirror them, contribute to A·x: symvRows rows at a time the triangle on
// the diagonal, and the rectangle beside it in one pass.
func addSymmetric(y []float64, a blas64.General, x []float64, from, to int) {
	var sums [symvRows]float64
	for i := from; i < to; i += symvRows {
		rows := min(symvRows, to-i)
		last := i + rows
		for r := i; r < last; r++ {
			right, sum := a.Data[r*a.Stride:][:last], 0.0
			for c := r + 1; c < last; c++ {
				sum += right[c] * x[c]
				y[c] += right[c] * x[r]
			}
			y[r] += right[r]*x[r] + sum
		}
		if last == a.Cols {
			continue
		}
		simd.DotAddRows(sums[:rows], y[last:a.Cols], a.Data[i*a.Stride+last:], a.Stride, x[last:], x[i:last])
		for r, sum := range sums[:rows] {
			y[i+r] += sum
		}
	}
}

// transformPanel is how many reflectors are applied together, transformChunk to how
// many vectors at a time.
const (
	transformPanel = 64
	transformChunk = 128
)

// transformGroups is the number of steps of a checkpoint in which eigenvectors are transformed:
// few, for each makes the S of all panels anew.
const transformGroups = 16

// backTransform replaces each row x of z, a vector in the basis of T, by Q·x. The
// reflectors of a panel are applied together, H_p···H_{p+k−1} = I − Vᵀ·S·V with upper
// triangular S, from the last panel to the first. 2n³ flops for n vectors.
//
// Schreiber and Van Loan, A storage-efficient WY representation for products of
// Householder transformations, SIAM J. Sci. Stat. Comput. 10 (1989).
func (t *tridiagonal) backTransform(ctx context.Context, z blas64.General, o Options) error {
	progress := o.meter("eigenvectors", int64(z.Rows)*(int64(t.v.Rows)*int64(t.v.Rows)-1))
	if o.Step == nil {
		return t.transform(ctx, z, progress, o)
	}
	chunks := (z.Rows + transformChunk - 1) / transformChunk
	group := (chunks + transformGroups - 1) / transformGroups * transformChunk
	for from := 0; from < z.Rows; from += group {
		some := view(z, from, 0, min(group, z.Rows-from), z.Cols)
		rows := make([][]float64, some.Rows)
		for i := range rows {
			rows[i] = row(some, i)
		}
		err := o.Step(ctx, "eigenvectors", rows, func() error { return t.transform(ctx, some, progress, o) })
		if err != nil {
			return err
		}
	}
	progress.Done()
	return nil
}

// transform is backTransform of some of the vectors.
func (t *tridiagonal) transform(ctx context.Context, z blas64.General, meter *progress.Meter, o Options) error {
	n := t.v.Rows
	vBuf, vtBuf := newGeneral(transformPanel, n), newGeneral(n, transformPanel)
	products := newScratch(transformChunk, 2*transformPanel)
	for first := (n - 2) / transformPanel * transformPanel; first >= 0 && n > 1; first -= transformPanel {
		k := min(transformPanel, n-1-first)
		v, vt := view(vBuf, 0, 0, k, n-first-1), view(vtBuf, 0, 0, n-first-1, k)
		t.reflectors(v, first)
		transposeTo(vt, v)
		s := t.compact(v, first)
		err := each(ctx, o.workers(), (z.Rows+transformChunk-1)/transformChunk, func(c int) {
			x := view(z, c*transformChunk, first+1, min(transformChunk, z.Rows-c*transformChunk), v.Cols)
			buf := products.get()
			defer products.put(buf)
			xv, xvs := view(*buf, 0, 0, x.Rows, k), view(*buf, 0, transformPanel, x.Rows, k)
			serial.Gemm(blas.NoTrans, blas.Trans, 1, x, v, 0, xv)
			serial.Gemm(blas.NoTrans, blas.Trans, 1, xv, s, 0, xvs)
			subtractProduct(x, xvs, blas.Trans, vt)
		})
		if err != nil {
			return err
		}
		meter.Add(int64(z.Rows) * int64(k) * int64(2*(n-first)-k)) // (n − first)² − (n − first − k)²
	}
	return nil
}

// reflectors stores the vectors of H_first … in the rows of dst, from their column
// first+1 on and with their zeros.
func (t *tridiagonal) reflectors(dst blas64.General, first int) {
	for i := range dst.Rows {
		r := row(dst, i)
		clear(r[:i])
		copy(r[i:], row(t.v, first+i)[first+1+i:])
	}
}

// compact returns the k×k upper triangular S of I − Vᵀ·S·V, column by column:
// S_jj = τⱼ, S_{0:j,j} = −τⱼ·S_{0:j,0:j}·(V·vⱼ)_{0:j}.
func (t *tridiagonal) compact(v blas64.General, first int) blas64.General {
	k := v.Rows
	inner, s := newGeneral(k, k), newGeneral(k, k)
	serial.Gemm(blas.NoTrans, blas.Trans, 1, v, v, 0, inner)
	for j := range k {
		tau := t.tau[first+j]
		s.Data[j*k+j] = tau
		for i := range j {
			sum := 0.0
			for l := i; l < j; l++ {
				sum += s.Data[i*k+l] * inner.Data[l*k+j]
			}
			s.Data[i*k+j] = -tau * sum
		}
	}
	return s
}
