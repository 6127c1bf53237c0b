// Package count binds kernels whose feature map counts things, and counts few of very many:
//
//	k(x, y) = Σ_f φ_f(x) φ_f(y),   φ_f(x) ∈ {0, 1, 2, …}.
//
// A [Row] holds the counts of a point that are not zero. [Bind] transposes the rows of the
// columns' points into lists of the points that have a feature, so that a row of the Gram
// matrix is a sum over the lists of its features. The few features that many points have
// would make these lists long; they are kept as dense columns and take a matrix product.
//
// All values are sums of whole numbers and exact below 2⁵³; dense columns are used only
// where no value can reach 2²⁴, so that single precision is exact, too. Therefore a value
// has the same bits in any tile and for any order of the features.
//
// Features that are few and need not be whole numbers are [Vectors].
package count
