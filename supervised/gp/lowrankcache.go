package gp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// LowRankCache is [PosteriorCovariance] by a matrix R (n×k) with RᵀAR = I, so that a variance costs
// the 2nk flops of
//
//	k** − ‖Rᵀk*‖² ≥ k** − k*ᵀA⁻¹k*
//
// and no solve. RRᵀ is the inverse of A on the span of R (Galerkin): no variance is too small, and
// no interval too narrow. [ByCG.Cache] makes it and measures how much too wide they are. It is
// safe for concurrent use.
type LowRankCache struct {
	R    *mat.Dense
	Mean []float64 // A⁻¹1/√(1ᵀA⁻¹1); nil: the mean is known
}

// CacheOptions say how large a cache is to be. One of the two is needed.
type CacheOptions struct {
	// Rank is k; 0: the least of 64, 128, … that reaches the tolerance, at most four times
	// [gram.PreconditionerRank].
	Rank int
	// Tolerance is by how much the interval of an observation may be wider than the exact one, as
	// a share, at any of the rows where it is measured; 0: any.
	Tolerance float64
}

// CacheReport says how good a cache is.
type CacheReport struct {
	Rank int `json:"rank"`
	Rows int `json:"rows"` // where it was measured
	// Widest and Mean are of √((v' + s)/(v + s)) − 1 over these rows: v is the exact variance of f
	// at the row given all others, v' that of the cache, s the noise of the row.
	Widest    float64 `json:"widest"`
	Mean      float64 `json:"mean"`
	Tolerance float64 `json:"tolerance,omitempty"`
}

// CacheOptions returns those that the cache of a fit was asked for; zero where there is none.
func (r *Report) CacheOptions() CacheOptions {
	switch c := r.Cache; {
	case c == nil:
		return CacheOptions{}
	case c.Tolerance > 0:
		return CacheOptions{Tolerance: c.Tolerance}
	default:
		return CacheOptions{Rank: c.Rank}
	}
}

// cacheRows is the number of rows at which a cache is measured.
const cacheRows = 64

func (o CacheOptions) validate(n int) error {
	switch {
	case o.Rank < 0 || o.Rank > n:
		return fmt.Errorf("gp: the rank of the variance cache is %d: it must be from 1 to the number of rows, %d", o.Rank, n)
	case !(o.Tolerance >= 0) || o.Tolerance >= 1:
		return fmt.Errorf("gp: the tolerance of the variance cache is %v: it is a share, in (0, 1)", o.Tolerance)
	case o.Rank == 0 && o.Tolerance == 0:
		return errors.New("gp: the variance cache has neither a rank nor a tolerance: give one")
	}
	return nil
}

// Cache makes a [LowRankCache] on the span of Σ⁻¹K_S, the columns of K at pivots S drawn as for the
// preconditioner, in which A⁻¹k* nearly lies for a k* that is like a mean of columns. It takes one
// product with k columns, nk² flops and 3nk numbers, and one solve for 64 rows.
//
// The error is measured at 64 rows that may not be pivots, each as a new point given the others:
// the exact variance is 1/(A⁻¹)ᵢᵢ − Σᵢᵢ, and what the cache without that row says follows from row
// i of R and of W = AR, because a row less changes RᵀAR by a matrix of rank two. Beyond the
// tolerance it is refused.
//
// Pleiss, Gardner, Weinberger and Wilson, Constant-time predictive distributions for Gaussian
// processes (ICML 2018), whose basis is that of Lanczos' iteration from one vector. Pivots were
// measured to need two thirds of its rank (docs/methods/gp.md).
func (it *ByCG) Cache(ctx context.Context, o CacheOptions) (*LowRankCache, *CacheReport, error) {
	if err := o.validate(it.n); err != nil {
		return nil, nil, err
	}
	if it.pairs == nil {
		return nil, nil, errors.New("gp: a variance cache needs single elements of the Gram matrix, which is known by its products alone")
	}
	s, err := it.sample(ctx)
	if err != nil {
		return nil, nil, err
	}
	limit := cmp.Or(o.Rank, min(it.n, 4*gram.PreconditionerRank(it.n)))
	for rank := min(cmp.Or(o.Rank, firstRank), limit); ; rank = min(2*rank, limit) {
		pivots, err := it.pivots(ctx, rank, s.rows)
		if err != nil {
			return nil, nil, err
		}
		c, w, err := it.cache(ctx, pivots)
		if err != nil {
			return nil, nil, err
		}
		r := s.compare(c, w)
		r.Tolerance = o.Tolerance
		if o.Tolerance == 0 || r.Widest <= o.Tolerance {
			return c, r, nil
		}
		if rank == limit || len(pivots) < rank {
			return nil, nil, fmt.Errorf("gp: a variance cache of rank %d makes the interval of an observation up to %.2g wider than exact, as a share, and %g was allowed: allow more, give a larger rank, or do without: exact variances take a solve for each block of points", r.Rank, r.Widest, o.Tolerance)
		}
	}
}

// firstRank is where the search for a rank begins.
const firstRank = 64

// pivots draws as many as wanted, or as leave something, among the rows but some.
func (it *ByCG) pivots(ctx context.Context, rank int, without []int) ([]int, error) {
	others := gram.Shifted{Scale: make([]float64, it.n), Shift: it.a.Shift}
	for i := range it.n {
		if it.on(i) {
			others.Scale[i] = 1
		}
	}
	for _, i := range without {
		others.Scale[i] = 0
	}
	p, err := others.Precondition(ctx, it.pairs, rank, it.compute)
	if err != nil || p == nil {
		return nil, errors.Join(err, errors.New("gp: a variance cache needs a positive semidefinite kernel"))
	}
	return p.Pivots, nil
}

// cache returns R on the span of Σ⁻¹K_S, and AR.
func (it *ByCG) cache(ctx context.Context, pivots []int) (*LowRankCache, *mat.Dense, error) {
	columns := mat.NewDense(len(pivots), it.n, nil)
	if err := gram.Of(it.pairs, it.compute).Rows(ctx, columns, pivots); err != nil {
		return nil, nil, err
	}
	q := mat.DenseCopyOf(columns.T())
	for i := range it.n {
		for j, row := 0, q.RawRowView(i); j < len(row); j++ {
			if row[j] /= it.a.Shift[i]; !it.on(i) {
				row[j] = 0
			}
		}
	}
	if q = linalg.Orthonormal(q, linalg.Options{Workers: it.compute.Workers}); q.IsEmpty() {
		return nil, nil, errors.New("gp: the variance cache is empty: the kernel is zero on these rows")
	}
	product, k := level3.Implementation{Workers: it.compute.Workers}, q.RawMatrix().Cols
	w := mat.NewDense(it.n, k, nil)
	for from := 0; from < k; from += block { // products copy what they multiply
		to := min(from+block, k)
		part := mat.NewDense(it.n, to-from, nil)
		if err := it.a.Mul(ctx, part, mat.DenseCopyOf(q.Slice(0, it.n, from, to))); err != nil {
			return nil, nil, err
		}
		w.Slice(0, it.n, from, to).(*mat.Dense).Copy(part)
	}
	h := mat.NewDense(k, k, nil)
	product.Gemm(blas.Trans, blas.NoTrans, 1, q.RawMatrix(), w.RawMatrix(), 0, h.RawMatrix())
	l, err := linalg.Factor(ctx, linalg.Symmetrise(h), 0, linalg.Options{Workers: it.compute.Workers})
	if err != nil {
		return nil, nil, it.explain(err)
	}
	for _, x := range []*mat.Dense{q, w} {
		if err := l.Whiten(ctx, x); err != nil {
			return nil, nil, err
		}
	}
	c := &LowRankCache{R: q}
	if it.u != nil {
		c.Mean = mat.Col(nil, 0, it.u)
		for i := range c.Mean {
			c.Mean[i] /= math.Sqrt(it.su)
		}
	}
	return c, w, nil
}

// sample are rows whose exact variances given all others are known.
type sample struct {
	it      *ByCG
	rows    []int
	inverse []float64 // (A⁻¹)ᵢᵢ
}

// sample takes rows evenly, [cacheRows] and at most a quarter of all, and solves for them.
func (it *ByCG) sample(ctx context.Context) (*sample, error) {
	s := &sample{it: it}
	var active []int
	for i := range it.n {
		if it.on(i) {
			active = append(active, i)
		}
	}
	count := min(cacheRows, (len(active)+3)/4)
	b := mat.NewDense(it.n, count, nil)
	for j := range count {
		s.rows = append(s.rows, active[j*len(active)/count])
		b.Set(s.rows[j], j, 1)
	}
	x, _, err := it.solve(ctx, b, it.squared())
	if err != nil {
		return nil, err
	}
	ax := mat.NewDense(it.n, count, nil)
	if err := it.a.Mul(ctx, ax, x); err != nil {
		return nil, err
	}
	for j, i := range s.rows { // eᵀA⁻¹e = eᵀx + rᵀx + rᵀA⁻¹r, as for variances
		s.inverse = append(s.inverse, 2*x.At(i, j)-mat.Dot(ax.ColView(j), x.ColView(j)))
	}
	return s, nil
}

// compare measures a cache R with W = AR. Without row i, with rows r and w of R and W, RᵀAR is
// I − rwᵀ − wrᵀ + Aᵢᵢrrᵀ and Rᵀkᵢ is w − Aᵢᵢr.
func (s *sample) compare(c *LowRankCache, w *mat.Dense) *CacheReport {
	_, k := c.R.Dims()
	out := &CacheReport{Rank: k, Rows: len(s.rows)}
	diagonal := make([]float64, s.it.n)
	kernel.Diag(s.it.pairs, diagonal)
	for j, i := range s.rows {
		noise := s.it.a.Shift[i]
		r, along := c.R.RowView(i).(*mat.VecDense), w.RowView(i).(*mat.VecDense)
		whole := diagonal[i] + noise // Aᵢᵢ
		var g mat.VecDense
		g.AddScaledVec(along, -whole, r)
		explained := explainedWithout(r, along, &g, whole)
		wide := math.Sqrt(max(0, whole-explained)*s.inverse[j]) - 1 // the exact v + s is 1/(A⁻¹)ᵢᵢ
		out.Widest = max(out.Widest, wide)
		out.Mean += max(0, wide) / float64(len(s.rows))
	}
	return out
}

// explainedWithout returns gᵀH⁻¹g for H = I − rwᵀ − wrᵀ + a·rrᵀ = I + UCUᵀ, U = [r w], by
// Woodbury's formula: gᵀg − (Uᵀg)ᵀ(C⁻¹ + UᵀU)⁻¹(Uᵀg), C⁻¹ = [[0, −1], [−1, −a]].
func explainedWithout(r, w, g *mat.VecDense, a float64) float64 {
	rr, rw, ww := mat.Dot(r, r), mat.Dot(r, w), mat.Dot(w, w)
	rg, wg := mat.Dot(r, g), mat.Dot(w, g)
	m11, m12, m22 := rr, rw-1, ww-a
	det := m11*m22 - m12*m12
	if det == 0 {
		return mat.Dot(g, g)
	}
	return mat.Dot(g, g) - (m22*rg*rg-2*m12*rg*wg+m11*wg*wg)/det
}

// VariancesAt implements [PosteriorCovariance]: 2nk flops a point.
func (c *LowRankCache) VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error) {
	white, along, err := c.whiten(len(dst), cross)
	if err != nil {
		return 0, err
	}
	for i := range dst {
		v := dst[i] + along[i]*along[i]
		for _, x := range white.RawRowView(i) {
			v -= x * x
		}
		if v < 0 {
			clipped++
		}
		dst[i] = math.Max(0, v)
	}
	return clipped, ctx.Err()
}

// CovarianceAt implements [PosteriorCovariance]: what it gives, less the exact covariance, is
// positive semidefinite.
func (c *LowRankCache) CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error {
	m := prior.SymmetricDim()
	white, along, err := c.whiten(m, cross)
	if err != nil {
		return err
	}
	for i := range m {
		for j := i; j < m; j++ {
			prior.SetSym(i, j, prior.At(i, j)-mat.Dot(white.RowView(i), white.RowView(j))+along[i]*along[j])
		}
	}
	return ctx.Err()
}

// whiten returns Rᵀk* as rows, and (1 − 1ᵀA⁻¹k*)/√(1ᵀA⁻¹1) with a constant mean, else zeros.
func (c *LowRankCache) whiten(points int, cross *mat.Dense) (*mat.Dense, []float64, error) {
	n, k := c.R.Dims()
	if rows, cols := cross.Dims(); rows != points || cols != n {
		return nil, nil, fmt.Errorf("gp: kernel values are %d×%d for %d points and a process given %d rows", rows, cols, points, n)
	}
	white, along := mat.NewDense(points, k, nil), make([]float64, points)
	level3.Implementation{}.Gemm(blas.NoTrans, blas.NoTrans, 1, cross.RawMatrix(), c.R.RawMatrix(), 0, white.RawMatrix())
	if c.Mean != nil {
		mean := blas64.Vector{N: n, Inc: 1, Data: c.Mean}
		root := 0.0 // 1ᵀu/√su = √su
		for _, v := range c.Mean {
			root += v
		}
		for i := range along {
			along[i] = 1/root - blas64.Dot(mean, blas64.Vector{N: n, Inc: 1, Data: cross.RawRowView(i)})
		}
	}
	return white, along, nil
}
