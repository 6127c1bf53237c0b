package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// Shifted is diag(s)·K·diag(s) + diag(d) as an operator: the matrix of ridge regression,
// where s are roots of weights, and of Gaussian processes, where d are variances of noise
// and s takes rows out.
type Shifted struct {
	K     linalg.Operator
	Scale []float64 // s; nil: ones
	Shift []float64 // d; nil: zeros
}

// Mul stores (diag(s)·K·diag(s) + diag(d))·x in dst.
func (a Shifted) Mul(ctx context.Context, dst, x *mat.Dense) error {
	in := x
	if a.Scale != nil {
		in = mat.DenseCopyOf(x)
		scaleRows(in, a.Scale)
	}
	if err := a.K.Mul(ctx, dst, in); err != nil {
		return err
	}
	scaleRows(dst, a.Scale)
	for i, d := range a.Shift {
		for c, row, v := 0, dst.RawRowView(i), x.RawRowView(i); c < len(row); c++ {
			row[c] += d * v[c]
		}
	}
	return nil
}

// scaleRows multiplies row i of x by s[i].
func scaleRows(x *mat.Dense, s []float64) {
	for i, v := range s {
		for j, row := 0, x.RawRowView(i); j < len(row); j++ {
			row[j] *= v
		}
	}
}

// Preconditioner is P = LLᵀ + diag(d) for A = diag(s)·K·diag(s) + diag(d), with a randomly
// pivoted Cholesky factor L of low rank of the first term. What L leaves out is positive
// semidefinite, so that A − P is: P⁻¹A has no eigenvalue below 1.
//
// Adding the diagonal that L leaves out, which gives P the diagonal of A, was measured to
// take more iterations.
type Preconditioner struct {
	*linalg.Woodbury
	Rest   []float64 // diagonal of A − P
	Pivots []int     // rows whose columns of K make L
}

// Ceiling returns a bound of ln|A| − ln|P|, which is at least 0: ln|P⁻¹A| ≤ tr(P⁻¹A − I) ≤
// Σ Restᵢ/dᵢ, because ln x ≤ x − 1 and P⁻¹ ≤ diag(d)⁻¹.
func (p *Preconditioner) Ceiling(shift []float64) float64 {
	sum := 0.0
	for i, r := range p.Rest {
		sum += r / shift[i]
	}
	return sum
}

// PreconditionerRank is a largest rank of a preconditioner for n rows: its cost,
// 2n·rank² ≈ 32n², stays below that of a few products with K.
func PreconditionerRank(n int) int { return min(n, 100+4*int(math.Sqrt(float64(n)))) }

// preconditionerSeed is that of its pivots: any seed gives a good one, and a fixed one
// gives the same bits in every run.
const preconditionerSeed = 1

// Precondition returns the preconditioner for a kernel bound to one set; nil where the
// diagonal of K has a negative element, K is zero, or not all d are positive. The rank is
// at most that given, and smaller where what L leaves out has a smaller trace than the
// smallest d.
func (a Shifted) Precondition(ctx context.Context, p kernel.Pairs, rank int, o compute.Options) (*Preconditioner, error) {
	return a.precondition(ctx, p, linalg.LowRankOptions{Rank: rank, Pivots: linalg.Random, Seed: preconditionerSeed}, o)
}

// PreconditionOn is [Shifted.Precondition] with given pivots, so that P is a smooth function
// of K.
func (a Shifted) PreconditionOn(ctx context.Context, p kernel.Pairs, pivots []int, o compute.Options) (*Preconditioner, error) {
	return a.precondition(ctx, p, linalg.LowRankOptions{Rank: len(pivots), Pivots: linalg.Listed, Order: pivots}, o)
}

func (a Shifted) precondition(ctx context.Context, p kernel.Pairs, partial linalg.LowRankOptions, o compute.Options) (*Preconditioner, error) {
	n, _ := p.Dims()
	d, trace, least := make([]float64, n), 0.0, math.Inf(1)
	kernel.Diag(p, d)
	for i := range d {
		if a.Scale != nil {
			d[i] *= a.Scale[i] * a.Scale[i]
		}
		if !(d[i] >= 0) || !(a.Shift[i] > 0) {
			return nil, nil
		}
		trace, least = trace+d[i], min(least, a.Shift[i])
	}
	if trace == 0 {
		return nil, nil
	}
	o.Precision = compute.Double
	stream := Of(p, o)
	columns := func(ctx context.Context, dst *mat.Dense, cols []int) error {
		if err := stream.Rows(ctx, dst, cols); err != nil || a.Scale == nil {
			return err
		}
		for i, c := range cols {
			row := dst.RawRowView(i)
			for k := range row {
				row[k] *= a.Scale[c] * a.Scale[k]
			}
		}
		return nil
	}
	partial.Tolerance, partial.Workers = least/trace, o.Workers
	low, err := linalg.PivotedCholesky(ctx, d, columns, partial)
	if err != nil {
		return nil, fmt.Errorf("gram: preconditioner: %w", err)
	}
	w, err := linalg.NewWoodbury(ctx, low.LT, a.Shift, linalg.Options{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	return &Preconditioner{Woodbury: w, Rest: low.Rest, Pivots: low.Pivots}, nil
}
