package nystrom

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// BlockRows is the number of rows, and of columns, of the block on which [Kernel.Errors]
// compares elements.
const BlockRows = 200

// Errors say how far k̃ is from k on some points, landmarks or not.
type Errors struct {
	// Block is ‖K − K̃‖_F/‖K‖_F of a block of kernel values between BlockRows random points
	// and as many others (fewer where there are not as many).
	Block float64 `json:"block"`
	// Spectral estimates ‖K − K̃‖₂/n by that of the same points among themselves: the
	// largest that (1/n) Σ (f − f̃)² can be for ‖f‖ = 1.
	Spectral float64 `json:"spectral"`
	// Points is how many were compared, rows and columns of the block together.
	Points int `json:"points_compared"`
}

// Compared returns the number of kernel values of the block.
func (e *Errors) Compared() int { return e.Points / 2 * (e.Points - e.Points/2) }

// Errors measures k̃ on random points of xs: m² multiplications for each of them.
func (n *Kernel[T]) Errors(ctx context.Context, xs data.Set[T], seed uint64, o compute.Options) (*Errors, error) {
	chosen := draw(rand.New(rand.NewPCG(seed, 0x626c6f636b)), (&Options{}).weights(xs.Len()), 2*BlockRows)
	if len(chosen) < 2 {
		return nil, fmt.Errorf("nystrom: an approximation is measured on two points at least, there are %d", len(chosen))
	}
	some := data.Subset(xs, chosen)
	plain := compute.Options{Workers: o.Workers}
	op, err := n.Operator(ctx, some, plain)
	if err != nil {
		return nil, err
	}
	rest, err := gram.Dense(ctx, kernel.Bind(n.of, some, some), plain)
	if err != nil {
		return nil, err
	}
	e, half := &Errors{Points: len(chosen)}, len(chosen)/2
	size := norm2(rest, half)
	level3.Implementation{Workers: o.Workers}.Syrk(blas.NoTrans, -1, op.Phi().RawMatrix(), 1, rest.RawSymmetric())
	if size > 0 {
		e.Block = math.Sqrt(norm2(rest, half) / size)
	}
	values, err := linalg.EigenvaluesSym(ctx, rest, linalg.Options{Workers: o.Workers})
	if err != nil {
		return nil, fmt.Errorf("nystrom: %w", err)
	}
	e.Spectral = max(0, values[len(values)-1]) / float64(len(chosen))
	return e, nil
}

// norm2 returns ‖·‖²_F of the block of the first rows and the last columns.
func norm2(a *mat.SymDense, rows int) float64 {
	sum := 0.0
	for i := range rows {
		for j := rows; j < a.SymmetricDim(); j++ {
			sum += a.At(i, j) * a.At(i, j)
		}
	}
	return sum
}

// TraceError returns Σ wᵢ(k − k̃)(xᵢ, xᵢ)/Σ wᵢk(xᵢ, xᵢ), exactly: nm values of the kernel and
// nm² multiplications, in blocks. Nil weights are ones. Where rounding leaves less than
// nothing it is 0.
func (n *Kernel[T]) TraceError(ctx context.Context, xs data.Set[T], weights []float64, o compute.Options) (float64, error) {
	diag, err := diagonal(ctx, gram.On(n.of, xs))
	if err != nil {
		return 0, err
	}
	rest, trace := 0.0, 0.0
	const piece = 1024 // points between two looks at ctx
	phi := mat.NewDense(min(piece, xs.Len()), n.Rank(), nil)
	for from := 0; from < xs.Len(); from += piece {
		to := min(from+piece, xs.Len())
		part := phi.Slice(0, to-from, 0, n.Rank()).(*mat.Dense)
		if err := n.features(ctx, part, data.Run(xs, from, to), o.Workers); err != nil {
			return 0, err
		}
		for i := from; i < to; i++ {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			row := blas64.Vector{N: n.Rank(), Inc: 1, Data: part.RawRowView(i - from)}
			trace += w * diag[i]
			rest += w * (diag[i] - blas64.Dot(row, row))
		}
	}
	if trace == 0 {
		return 0, nil
	}
	return max(0, rest) / trace, nil
}
