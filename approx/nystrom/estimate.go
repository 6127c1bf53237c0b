package nystrom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

const (
	estimateRows  = 400  // rows on which landmarks are tested
	estimateRank  = 2000 // the most landmarks that are tried
	estimateShare = 2    // candidates for each of them
)

// Estimate says how far the approximation by m landmarks will be from the kernel, before they are
// chosen. It is measured on test rows, which are not among the candidates, for the first m
// landmarks of [Pivoted] among a sample of the rows. Landmarks chosen among all rows are rather
// better than those chosen among a sample.
type Estimate struct {
	// Left[m−1] is the mean of (k − k̃)(x, x) beside that of k(x, x).
	Traces []float64
	// Block[m−1] is ‖K − K̃‖_F/‖K‖_F of a block of kernel values, as in [Errors].
	Blocks     []float64
	Candidates int
	Rows       int // the test rows
}

// NewEstimate tries up to rank landmarks, or 2000, on a sample of the points xs of twice as many:
// c = 2·rank candidates take c·rank² multiplications, the test rows less. Of o it uses the
// weights, the seed and Compute.
func NewEstimate[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], rank int, o Options) (*Estimate, error) {
	rank = min(rank, estimateRank)
	rng := rand.New(rand.NewPCG(o.Seed, 0x666f726563617374))
	drawn := draw(rng, o.weights(xs.Len()), estimateShare*rank+estimateRows)
	half := min(estimateRows, len(drawn)/2) / 2
	if half == 0 {
		return nil, fmt.Errorf("nystrom: the error of landmarks is estimated on four points of positive weight at least, there are %d; give more rows", len(drawn))
	}
	tested := 2 * half
	fresh, candidates := data.Subset(xs, drawn[:tested]), data.Subset(xs, drawn[tested:])
	plain := compute.Options{Workers: o.Compute.Workers}
	s, _, err := Landmarks(ctx, k, candidates, Options{Rank: min(rank, candidates.Len()), Seed: o.Seed, Compute: plain})
	if err != nil {
		return nil, err
	}
	low, err := New(ctx, k, s.Points, plain)
	if err != nil {
		return nil, err
	}
	phi := mat.NewDense(tested, low.Rank(), nil)
	if err := low.features(ctx, phi, fresh, plain.Workers); err != nil {
		return nil, err
	}
	diag := make([]float64, tested)
	kernel.Diag(kernel.Bind(k, fresh, fresh), diag)
	rest := new(mat.Dense)
	if err := gram.Rect(ctx, rest, kernel.Bind(k, data.Run(fresh, 0, half), data.Run(fresh, half, tested)), plain); err != nil {
		return nil, err
	}
	block, err := shrinking(ctx, rest, phi)
	return &Estimate{Traces: unexplained(phi, floats.Sum(diag)), Blocks: block, Candidates: candidates.Len(), Rows: tested}, err
}

// shrinking returns ‖K − Σ_{j ≤ m} φⱼφⱼᵀ‖_F/‖K‖_F for every m, of the block K between the first
// and the other rows of phi, in which it leaves the last difference.
func shrinking(ctx context.Context, k, phi *mat.Dense) ([]float64, error) {
	rest, features := k.RawMatrix(), mat.DenseCopyOf(phi.T())
	m, _ := features.Dims()
	out, size := make([]float64, m), floats.Norm(rest.Data, 2)
	if size == 0 {
		return out, nil
	}
	for j := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := features.RawRowView(j)
		blas64.Ger(-1, blas64.Vector{N: rest.Rows, Inc: 1, Data: row}, blas64.Vector{N: rest.Cols, Inc: 1, Data: row[rest.Rows:]}, rest)
		out[j] = floats.Norm(rest.Data, 2) / size
	}
	return out, nil
}

// unexplained returns 1 − Σᵢ Σ_{j ≤ m} φⱼ(xᵢ)²/trace for every m: L is triangular, so that the
// first m features of a point are those that the first m landmarks alone would give.
func unexplained(phi *mat.Dense, trace float64) []float64 {
	n, m := phi.Dims()
	left := make([]float64, m)
	if trace == 0 {
		return left
	}
	explained := 0.0
	for j := range m {
		for i := range n {
			explained += phi.At(i, j) * phi.At(i, j)
		}
		left[j] = max(0, 1-explained/trace)
	}
	return left
}

// Trace returns what m landmarks leave of the trace, m ≥ 1: of more than were tried no more than
// of those.
func (f *Estimate) Trace(m int) float64 { return f.Traces[min(m, len(f.Traces))-1] }

// Block returns what is expected of the block, as Trace does of the trace.
func (f *Estimate) Block(m int) float64 { return f.Blocks[min(m, len(f.Blocks))-1] }

// Landmarks returns the smallest number that leaves no more than a share of the trace;
// ok is false where none that was tried does.
func (f *Estimate) Landmarks(share float64) (m int, ok bool) {
	j := slices.IndexFunc(f.Traces, func(v float64) bool { return v <= share })
	return j + 1, j >= 0
}
