package gram

import (
	"example.org/mercer/compute"
)

// The costs below are those of the implementations in this package.
// Rates come from [compute.Machine]; work whose rate is unknown counts as no time, and
// [compute.NewPlan] notes it.

// streamBuffers is what a symmetric [Stream] product holds: a tile per worker and transposed
// copies of both sides.
func streamBuffers(rows, cols, rhs int, m compute.Machine) int64 {
	return 8 * (int64(m.Workers)*tileSide*tileSide + (int64(rows)+int64(cols))*int64(rhs))
}

// DenseGramCost predicts [Dense]: one buffer of 8n² bytes and n(n+1)/2 evaluations of
// the kernel. The system provides the upper half of the buffer now and the other when
// it is factored; the plan counts all of it from the start.
func DenseGramCost(n int, m compute.Machine) compute.Cost {
	bytes := 8 * int64(n) * int64(n)
	return compute.Cost{Stage: "gram (dense)", Memory: bytes, Keeps: bytes, Seconds: halfGram(n, m) + m.FreshSeconds(float64(bytes)/2)}
}

// PackedGramCost predicts [PackedOf], about 4n² bytes, or [PackedSingleOf], about 2n²,
// and n(n+1)/2 evaluations.
func PackedGramCost(n int, p compute.Precision, m compute.Machine) compute.Cost {
	bytes := PackedBytes(n, p)
	return compute.Cost{Stage: "gram (packed)", Memory: bytes, Keeps: bytes, Seconds: triangleSeconds(n, p, m) + m.FreshSeconds(float64(bytes))}
}

// halfGram is the time of the elements on and above the diagonal.
func halfGram(n int, m compute.Machine) float64 { return triangleSeconds(n, compute.Double, m) }

func triangleSeconds(n int, p compute.Precision, m compute.Machine) float64 {
	return compute.TimeAt(float64(n)*float64(n+1)/2, m.PairRateAt(p))
}

// thinProduct is how much slower than square matrices a tile is multiplied with so many columns:
// each element of the tile takes part in a few operations only, 8 times with one column.
func thinProduct(columns int) float64 { return 1 + 7/float64(max(1, columns)) }

// ProductsCost predicts a number of products of a symmetric Gram matrix with rhs columns: each
// computes the triangle of the kernel, or reads it where it is held in that precision.
func ProductsCost(n, rhs, count int, p compute.Precision, held bool, m compute.Machine) compute.Cost {
	work := 2 * float64(n) * float64(n) * float64(rhs)
	arithmetic := compute.TimeAt(work, m.GemmRateAt(p)/thinProduct(rhs))
	once := arithmetic + triangleSeconds(n, p, m)
	if held {
		once = max(arithmetic, compute.TimeAt(float64(PackedBytes(n, p)), m.ReadRate))
	}
	return compute.Cost{Stage: "products", Memory: streamBuffers(n, n, rhs, m), Flops: float64(count) * work, Seconds: float64(count) * once}
}

// Iteration describes preconditioned conjugate gradients on a symmetric matrix.
type Iteration struct {
	Rank   int  // of the preconditioner; 0: it is a factor in single precision
	Double int  // products with tiles in double precision
	Single int  // products with tiles in single precision, inside
	Held   bool // the narrower tiles are in memory: see [PackedGramCost]
}

// ConjugateGradientCost predicts it for rhs right-hand sides: a product computes the
// triangle of the kernel, or reads it where it is held, and a preconditioner costs
// rank columns of the kernel, n·rank² flops, and 8n·rank bytes, which it reads twice
// per product. Vectors are 8 of n·rhs numbers, and as much garbage may pile up beside
// all that lives before it is collected.
func ConjugateGradientCost(n, rhs int, it Iteration, m compute.Machine) compute.Cost {
	rows, columns, rank := float64(n), float64(rhs), float64(it.Rank)
	flops := 2 * rows * rank * rank
	time := compute.TimeAt(rows*rank, m.PairRate) + compute.TimeAt(flops, m.GemmRate)
	narrow := compute.Double
	if it.Single > 0 {
		narrow = compute.Single
	}
	for _, part := range []struct {
		products  int
		precision compute.Precision
	}{{it.Double, compute.Double}, {it.Single, compute.Single}} {
		held := it.Held && part.precision == narrow
		c := ProductsCost(n, rhs, part.products, part.precision, held, m)
		flops += c.Flops + float64(part.products)*4*rows*rank*columns
		time += c.Seconds + float64(part.products)*compute.TimeAt(16*rows*rank, m.ReadRate)
	}
	if it.Rank == 0 { // two triangular solves beside each product
		time += float64(it.Double) * compute.TimeAt(2*float64(PackedBytes(n, compute.Single)), m.ReadRate)
	}
	bytes := 16 * int64(n) * int64(it.Rank+8*rhs)
	return compute.Cost{Stage: "conjugate gradients", Memory: bytes + streamBuffers(n, n, rhs, m), Keeps: 8 * int64(n) * int64(rhs),
		Flops: flops, Seconds: time}
}

// PrimalCost predicts ridge regression on n explicit feature vectors of length dim: the
// features, their second moments (dim² numbers, n·dim² flops) and a factorisation.
func PrimalCost(n, dim, rhs int, m compute.Machine) compute.Cost {
	features, moments := 8*int64(n)*int64(dim), 8*int64(dim)*int64(dim)
	gemm := float64(n)*float64(dim)*float64(dim+2*rhs) + 2*float64(dim)*float64(dim)*float64(rhs)
	factor := compute.CholeskyFlops(dim)
	return compute.Cost{Stage: "primal", Shared: true, Memory: features + moments, Keeps: 8 * int64(dim) * int64(rhs),
		Flops: gemm + factor, Seconds: compute.TimeAt(gemm, m.GemmRate) + compute.TimeAt(factor, m.Cholesky.At(dim))}
}

// FoldCost predicts a number of passes of [TallSkinny.Fold] with as many columns on either side.
// Elements are computed in every pass or, where they are held, in the first.
func FoldCost(rows, cols, rhs, count int, p compute.Precision, held bool, m compute.Machine) compute.Cost {
	elements := float64(rows) * float64(cols)
	flops := 4 * elements * float64(rhs)
	fill, arithmetic := compute.TimeAt(elements, m.PairRateAt(p)), compute.TimeAt(flops, m.GemmRateAt(p)/thinProduct(rhs))
	c := compute.Cost{Stage: "passes", Shared: true, Flops: float64(count) * flops, Seconds: float64(count) * (fill + arithmetic), Memory: FoldBytes(rows, cols, rhs, m.Workers)}
	if held {
		c.Keeps = TallBytes(rows, cols, p)
		c.Memory += c.Keeps
		c.Seconds = fill + float64(count)*(arithmetic+compute.TimeAt(float64(c.Keeps), m.ReadRate))
	}
	return c
}
