// Package krr is kernel ridge regression: in the RKHS H of a kernel k it finds
//
//	argmin over f ∈ H, b ∈ ℝ of (1/N) Σᵢ wᵢ (yᵢ − f(xᵢ) − b)² + λ‖f‖²,  N = Σᵢ wᵢ.
//
// By the representer theorem f = Σ αᵢ k(·, xᵢ). With R = Nλ, which [Options] and
// [Report] call the ridge (scikit-learn's alpha), α solves (K + R·W⁻¹)α = y − b·1
// with Σ αᵢ = 0. It is solved in the symmetric form M β = W^½(y − b·1),
// M = W^½ K W^½ + R·I, α = W^½ β ("Weighted regression" in the lecture notes on
// kernel methods), in which a weight of zero is an ordinary number: that row has
// αᵢ = 0 and does not act on the fit. With N = Σ wᵢ a weight of 2 equals writing the
// row twice, and for a given λ multiplying all weights changes nothing.
//
// [Solve] works in any [space.Space]: coefficients of the rows, or weights of features, of which
// landmarks and random features are some. [Fit] binds a kernel to points and returns a model.
// [NewPath] pays for one eigendecomposition and then
// gives for every λ, in O(n²), the solution with its exact leave-one-out residuals,
// generalised cross-validation, evidence and leverages. [NewIntervals] turns
// leave-one-out residuals into prediction intervals, [Explain] names the rows that
// carry a prediction, and [Gradient] tells a search how a criterion changes with
// every element of K.
//
// Everything exact here stays exact: no solver turns into an approximate one by
// itself, and nothing is ever added to the diagonal except the ridge.
package krr
