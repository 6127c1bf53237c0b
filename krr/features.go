package krr

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/kernel"
	"mercer/linalg/level3"
)

// featureRows is the number of rows whose features are held at a time.
const featureRows = 256

// Features are explicit features of n points, the rows of an n×D matrix Φ with K = ΦΦᵀ, that
// go by in blocks.
type Features struct {
	Rows, Dim int
	// Fill stores the features of the points from … in the rows of dst.
	Fill func(ctx context.Context, dst *mat.Dense, from int) error
}

// FeaturesOf returns those that a kernel has of its points; ok is false where it has no
// finite map.
func FeaturesOf[T any](k kernel.Kernel[T], xs data.Set[T]) (f Features, ok bool) {
	m, ok := k.(kernel.Mapped[T])
	if !ok || xs.Len() == 0 {
		return Features{}, false
	}
	f.Rows = xs.Len()
	if f.Dim, ok = m.Features(xs.At(0)); !ok {
		return Features{}, false
	}
	f.Fill = func(_ context.Context, dst *mat.Dense, from int) error {
		raw := dst.RawMatrix()
		kernel.MapRows(m, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, xs, from)
		return nil
	}
	return f, true
}

// centred are features less their weighted mean. They pass in blocks, so that Φ is never held.
type centred struct {
	Features
	sys   *system
	mean  []float64 // weighted mean of φ; zeros without an intercept
	block *mat.Dense
}

// centre finds the mean, which the intercept takes away: one pass over the rows.
func centre(ctx context.Context, f Features, sys *system) (*centred, error) {
	c := &centred{Features: f, sys: sys, mean: make([]float64, f.Dim), block: mat.NewDense(min(featureRows, f.Rows), f.Dim, nil)}
	if !sys.intercept {
		return c, nil
	}
	sum := make([]float64, f.Dim)
	err := c.each(ctx, func(from, to int, phi *mat.Dense) error {
		for i := from; i < to; i++ {
			for d, v := range phi.RawRowView(i - from) {
				sum[d] += sys.weight(i) * v
			}
		}
		return nil
	})
	for d := range sum {
		c.mean[d] = sum[d] / sys.total
	}
	return c, err
}

// each calls do with the rows from … to−1 of Φ, less the mean, in the rows of phi.
func (c *centred) each(ctx context.Context, do func(from, to int, phi *mat.Dense) error) error {
	for from := 0; from < c.Rows; from += featureRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+featureRows, c.Rows)
		phi := c.block.Slice(0, to-from, 0, c.Dim).(*mat.Dense)
		if err := c.Fill(ctx, phi, from); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			row := phi.RawRowView(i - from)
			for d, m := range c.mean {
				row[d] -= m
			}
		}
		if err := do(from, to, phi); err != nil {
			return err
		}
	}
	return nil
}

// moments returns ΦᵀWΦ (upper triangle) and ΦᵀW(y − ȳ) of the centred features. The mean of
// y need not be taken away, because Σ wᵢφᵢ = 0 after centring; it is, for precision.
func (c *centred) moments(ctx context.Context, ybar []float64) (*mat.SymDense, *mat.Dense, error) {
	m := len(ybar)
	second, first := mat.NewSymDense(c.Dim, nil), mat.NewDense(c.Dim, m, nil)
	targets := mat.NewDense(featureRows, m, nil)
	err := c.each(ctx, func(from, to int, phi *mat.Dense) error {
		part := targets.Slice(0, to-from, 0, m).(*mat.Dense)
		for i := from; i < to; i++ {
			s := c.sys.s[i]
			for d, row := 0, phi.RawRowView(i-from); d < c.Dim; d++ {
				row[d] *= s
			}
			for j, v := range c.sys.y.RawRowView(i) {
				part.Set(i-from, j, s*(v-ybar[j]))
			}
		}
		level3.Implementation{}.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, second.RawSymmetric())
		level3.Implementation{}.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), part.RawMatrix(), 1, first.RawMatrix())
		return nil
	})
	return second, first, err
}

// bias returns ȳ − ⟨w, φ̄⟩ of each target.
func (c *centred) bias(ybar []float64, w *mat.Dense) []float64 {
	out := make([]float64, len(ybar))
	for j := range out {
		out[j] = ybar[j] - mat.Dot(mat.NewVecDense(c.Dim, c.mean), w.ColView(j))
	}
	return out
}

// weight returns wᵢ.
func (sys *system) weight(i int) float64 { return sys.s[i] * sys.s[i] }
