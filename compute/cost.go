package compute

import "math"

// The costs below are those of binding points and of the factorizations of linalg.
// Rates come from [Machine]; work whose rate is unknown counts as no time, and
// [NewPlan] notes it.

// TimeAt returns work divided by rate, 0 where the rate is unknown.
func TimeAt(work, rate float64) float64 {
	if rate <= 0 {
		return 0
	}
	return work / rate
}

// CholeskyFlops is n³/3; the diagonal of the inverse takes as many.
func CholeskyFlops(n int) float64 { return math.Pow(float64(n), 3) / 3 }

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
	return Cost{Stage: "bind", Memory: bytes, Keeps: bytes, Flops: 2 * float64(n) * float64(d), Seconds: m.FreshSeconds(2 * float64(bytes))}
}

// FactorCost predicts the Cholesky factorisation in the storage of a dense matrix:
// n³/3 flops and O(n) bytes beside it.
func FactorCost(n int, m Machine) Cost {
	c := PackedFactorCost(n, Double, m)
	c.Stage = "factor"
	c.Seconds += m.FreshSeconds(4 * float64(n) * float64(n))
	return c
}

// PackedFactorCost predicts the Cholesky factorisation of a packed matrix in place, in
// double or in single precision.
func PackedFactorCost(n int, p Precision, m Machine) Cost {
	flops := CholeskyFlops(n)
	return Cost{Stage: "factor (packed)", Memory: 8 * int64(n), Keeps: 8 * int64(n), Flops: flops, Seconds: TimeAt(flops, m.CholeskyRateAt(p).At(n))}
}

// SolveCost predicts two triangular solves for the given number of right-hand sides:
// 2n²·rhs flops, or the time to read the factor twice if that is longer.
func SolveCost(n, rhs int, m Machine) Cost {
	flops := 2 * float64(n) * float64(n) * float64(rhs)
	bytes := 8 * int64(n) * int64(rhs)
	return Cost{Stage: "solve", Memory: bytes + min(bytes, int64(m.Workers)*8*int64(n)*solveBlock), Keeps: bytes, Flops: flops,
		Seconds: max(TimeAt(flops, m.GemmRate), TimeAt(8*float64(n)*float64(n), m.ReadRate))}
}

// InverseDiagCost predicts the diagonal of the inverse from the factor, which exact
// leave-one-out errors need: n³/3 flops, and 256 columns of the inverse factor per
// worker.
func InverseDiagCost(n int, m Machine) Cost {
	flops := CholeskyFlops(n)
	return Cost{Stage: "inverse diagonal", Memory: int64(m.Workers) * 8 * int64(n) * inverseBlock, Keeps: 8 * int64(n), Flops: flops, Seconds: TimeAt(flops, m.Cholesky.At(n))}
}

// EigenCost predicts all eigenvalues and eigenvectors of a dense symmetric matrix:
// 5n³ flops (less where eigenvalues cluster) and 32n² bytes beside the matrix, 8n² of
// which, the vectors, stay.
func EigenCost(n int, m Machine) Cost {
	flops := eigenFlops(n)
	square := 8 * int64(n) * int64(n)
	return Cost{Stage: "eigen", Memory: 4 * square, Keeps: square, Flops: flops, Seconds: TimeAt(flops, m.Eigen.At(n))}
}

// PathCost predicts a path of lambdas values from an eigendecomposition: targets are
// rotated once and each value costs 4n²·rhs flops for its exact leave-one-out errors.
func PathCost(n, rhs, lambdas int, m Machine) Cost {
	flops := 4 * float64(n) * float64(n) * float64(rhs) * float64(lambdas+1)
	return Cost{Stage: "path", Memory: 8 * int64(n) * int64(2*rhs+lambdas), Keeps: 8 * int64(n) * int64(rhs), Flops: flops, Seconds: TimeAt(flops, m.GemmRate)}
}
