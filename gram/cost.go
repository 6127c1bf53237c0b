package gram

import "math"

// The costs below are those of the implementations in this package and in linalg.
// Rates come from [Machine]; work whose rate is unknown counts as no time, and
// [NewPlan] notes it.

// streamBuffers is what a symmetric [Stream] product holds: a tile per worker and transposed
// copies of both sides.
func streamBuffers(rows, cols, rhs int, m Machine) int64 {
	return 8 * (int64(m.Workers)*tileSide*tileSide + (int64(rows)+int64(cols))*int64(rhs))
}

// crossBuffers is what a rectangular product holds: a tile per worker, a transposed
// copy of the right-hand sides and the sums of segments for a band of rows.
func crossBuffers(rows, cols, rhs int, m Machine) int64 {
	segments := int64(blocks{cols, crossSegment}.count())
	return 8 * (int64(m.Workers)*crossHeight*tileSide + int64(rhs)*(int64(cols)+segments*int64(min(rows, crossBand))))
}

// seconds returns work divided by rate, 0 where the rate is unknown.
func seconds(work, rate float64) float64 {
	if rate <= 0 {
		return 0
	}
	return work / rate
}

// choleskyFlops is n³/3; the diagonal of the inverse takes as many.
func choleskyFlops(n int) float64 { return math.Pow(float64(n), 3) / 3 }

// eigenFlops is 5n³, the count without deflation.
func eigenFlops(n int) float64 { return 5 * math.Pow(float64(n), 3) }

// Numbers per row and worker that linalg holds beside its result.
const (
	solveBlock   = 128 // right-hand sides solved together
	inverseBlock = 256 // columns of the inverse factor made together
)

// BindCost predicts binding n points of d numbers each: a packed copy and a norm per
// point.
func BindCost(n, d int, m Machine) Cost {
	bytes := 8 * int64(n) * int64(d+1)
	return Cost{Stage: "bind", Memory: bytes, Keeps: bytes, Flops: 2 * float64(n) * float64(d), Seconds: seconds(2*float64(bytes), m.CopyRate)}
}

// DenseGramCost predicts [Dense]: one buffer of 8n² bytes and n(n+1)/2 evaluations of
// the kernel. The system provides the upper half of the buffer now and the other when
// it is factored; the plan counts all of it from the start.
func DenseGramCost(n int, m Machine) Cost {
	bytes := 8 * int64(n) * int64(n)
	return Cost{Stage: "gram (dense)", Memory: bytes, Keeps: bytes, Seconds: halfGram(n, m) + seconds(float64(bytes)/2, m.CopyRate)}
}

// PackedGramCost predicts [PackedOf], about 4n² bytes, or [PackedSingleOf], about 2n²,
// and n(n+1)/2 evaluations.
func PackedGramCost(n int, p Precision, m Machine) Cost {
	bytes := PackedBytes(n, p)
	return Cost{Stage: "gram (packed)", Memory: bytes, Keeps: bytes, Seconds: triangleSeconds(n, p, m) + seconds(float64(bytes), m.CopyRate)}
}

// halfGram is the time of the elements on and above the diagonal.
func halfGram(n int, m Machine) float64 { return triangleSeconds(n, Double, m) }

func triangleSeconds(n int, p Precision, m Machine) float64 {
	return seconds(float64(n)*float64(n+1)/2, m.pairRate(p))
}

// FactorCost predicts the Cholesky factorisation in the storage of a dense matrix:
// n³/3 flops and O(n) bytes beside it.
func FactorCost(n int, m Machine) Cost {
	c := PackedFactorCost(n, Double, m)
	c.Stage = "factor"
	c.Seconds += seconds(4*float64(n)*float64(n), m.CopyRate)
	return c
}

// PackedFactorCost predicts the Cholesky factorisation of a packed matrix in place, in
// double or in single precision.
func PackedFactorCost(n int, p Precision, m Machine) Cost {
	flops := choleskyFlops(n)
	return Cost{Stage: "factor (packed)", Memory: 8 * int64(n), Keeps: 8 * int64(n), Flops: flops, Seconds: seconds(flops, m.choleskyRate(p).At(n))}
}

// SolveCost predicts two triangular solves for the given number of right-hand sides:
// 2n²·rhs flops, or the time to read the factor twice if that is longer.
func SolveCost(n, rhs int, m Machine) Cost {
	flops := 2 * float64(n) * float64(n) * float64(rhs)
	bytes := 8 * int64(n) * int64(rhs)
	return Cost{Stage: "solve", Memory: bytes + min(bytes, int64(m.Workers)*8*int64(n)*solveBlock), Keeps: bytes, Flops: flops,
		Seconds: max(seconds(flops, m.GemmRate), seconds(8*float64(n)*float64(n), m.ReadRate))}
}

// InverseDiagCost predicts the diagonal of the inverse from the factor, which exact
// leave-one-out errors need: n³/3 flops, and 256 columns of the inverse factor per
// worker.
func InverseDiagCost(n int, m Machine) Cost {
	flops := choleskyFlops(n)
	return Cost{Stage: "inverse diagonal", Memory: int64(m.Workers) * 8 * int64(n) * inverseBlock, Keeps: 8 * int64(n), Flops: flops, Seconds: seconds(flops, m.Cholesky.At(n))}
}

// EigenCost predicts all eigenvalues and eigenvectors of a dense symmetric matrix:
// 5n³ flops (less where eigenvalues cluster) and 32n² bytes beside the matrix, 8n² of
// which, the vectors, stay.
func EigenCost(n int, m Machine) Cost {
	flops := eigenFlops(n)
	square := 8 * int64(n) * int64(n)
	return Cost{Stage: "eigen", Memory: 4 * square, Keeps: square, Flops: flops, Seconds: seconds(flops, m.Eigen.At(n))}
}

// PathCost predicts a path of lambdas values from an eigendecomposition: targets are
// rotated once and each value costs 4n²·rhs flops for its exact leave-one-out errors.
func PathCost(n, rhs, lambdas int, m Machine) Cost {
	flops := 4 * float64(n) * float64(n) * float64(rhs) * float64(lambdas+1)
	return Cost{Stage: "path", Memory: 8 * int64(n) * int64(2*rhs+lambdas), Keeps: 8 * int64(n) * int64(rhs), Flops: flops, Seconds: seconds(flops, m.GemmRate)}
}

// thinProduct is how much slower than square matrices a tile times a few columns is
// multiplied: each element of the tile takes part in a few operations only.
const thinProduct = 8

// ProductsCost predicts a number of products of a symmetric Gram matrix with rhs columns: each
// computes the triangle of the kernel, or reads it where it is held in that precision.
func ProductsCost(n, rhs, count int, p Precision, held bool, m Machine) Cost {
	work := 2 * float64(n) * float64(n) * float64(rhs)
	arithmetic := seconds(work, m.gemmRate(p)/thinProduct)
	once := arithmetic + triangleSeconds(n, p, m)
	if held {
		once = max(arithmetic, seconds(float64(PackedBytes(n, p)), m.ReadRate))
	}
	return Cost{Stage: "products", Memory: streamBuffers(n, n, rhs, m), Flops: float64(count) * work, Seconds: float64(count) * once}
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
func ConjugateGradientCost(n, rhs int, it Iteration, m Machine) Cost {
	rows, columns, rank := float64(n), float64(rhs), float64(it.Rank)
	flops := 2 * rows * rank * rank
	time := seconds(rows*rank, m.PairRate) + seconds(flops, m.GemmRate)
	narrow := Double
	if it.Single > 0 {
		narrow = Single
	}
	for _, part := range []struct {
		products  int
		precision Precision
	}{{it.Double, Double}, {it.Single, Single}} {
		held := it.Held && part.precision == narrow
		c := ProductsCost(n, rhs, part.products, part.precision, held, m)
		flops += c.Flops + float64(part.products)*4*rows*rank*columns
		time += c.Seconds + float64(part.products)*seconds(16*rows*rank, m.ReadRate)
	}
	if it.Rank == 0 { // two triangular solves beside each product
		time += float64(it.Double) * seconds(2*float64(PackedBytes(n, Single)), m.ReadRate)
	}
	bytes := 16 * int64(n) * int64(it.Rank+8*rhs)
	return Cost{Stage: "conjugate gradients", Memory: bytes + streamBuffers(n, n, rhs, m), Keeps: 8 * int64(n) * int64(rhs),
		Flops: flops, Seconds: time}
}

// PrimalCost predicts ridge regression on n explicit feature vectors of length dim: the
// features, their second moments (dim² numbers, n·dim² flops) and a factorisation.
func PrimalCost(n, dim, rhs int, m Machine) Cost {
	features, moments := 8*int64(n)*int64(dim), 8*int64(dim)*int64(dim)
	gemm := float64(n)*float64(dim)*float64(dim+2*rhs) + 2*float64(dim)*float64(dim)*float64(rhs)
	factor := choleskyFlops(dim)
	return Cost{Stage: "primal", Memory: features + moments, Keeps: 8 * int64(dim) * int64(rhs),
		Flops: gemm + factor, Seconds: seconds(gemm, m.GemmRate) + seconds(factor, m.Cholesky.At(dim))}
}

// ExportCost predicts [Export]; writing the rows is the sink's time.
func ExportCost(rows, cols int, layout Layout, m Machine) Cost {
	return Cost{Stage: "export", Memory: 8 * int64(max(cols, exportBuffer)), Seconds: seconds(float64(layout.Count(rows, cols)), m.PairRate)}
}

// PredictCost predicts the values of an expansion over n points at rows new points.
func PredictCost(rows, n, rhs int, m Machine) Cost {
	flops := 2 * float64(rows) * float64(n) * float64(rhs)
	return Cost{Stage: "predict", Memory: 8*int64(rows)*int64(rhs) + crossBuffers(rows, n, rhs, m), Keeps: 8 * int64(rows) * int64(rhs),
		Flops: flops, Seconds: seconds(float64(rows)*float64(n), m.PairRate) + seconds(flops, m.GemmRate)}
}

// FoldCost predicts a number of passes of [Tall.Fold] with as many columns on either side.
// Elements are computed in every pass or, where they are held, in the first.
func FoldCost(rows, cols, rhs, count int, p Precision, held bool, m Machine) Cost {
	elements := float64(rows) * float64(cols)
	flops := 4 * elements * float64(rhs)
	fill, arithmetic := seconds(elements, m.pairRate(p)), seconds(flops, m.gemmRate(p)/thinProduct)
	c := Cost{Stage: "passes", Flops: float64(count) * flops, Seconds: float64(count) * (fill + arithmetic), Memory: FoldBytes(rows, cols, rhs, m.Workers)}
	if held {
		c.Keeps = TallBytes(rows, cols, p)
		c.Memory += c.Keeps
		c.Seconds = fill + float64(count)*max(arithmetic, seconds(float64(c.Keeps), m.ReadRate))
	}
	return c
}
