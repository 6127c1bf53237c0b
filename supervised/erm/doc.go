// Package erm minimises the empirical risk of any loss over the RKHS H of a kernel k:
//
//	argmin over f ∈ H, b ∈ ℝ of (1/N) Σᵢ wᵢ ℓ(yᵢ, f(xᵢ) + b + oᵢ) + (λ/2)‖f‖²,  N = Σᵢ wᵢ.
//
// By the representer theorem f = Σ αᵢ k(·, xᵢ) whatever the loss (Schölkopf, Herbrich
// and Smola 2001). Losses are values of package loss, or the caller's own. Where ℓ is
// (y − f)²/2 this is ridge regression with the same λ, where it is logistic, logistic
// regression.
//
// Three ways cover all losses, each a sequence of weighted ridge regressions (package
// newton), in coefficients or in the features of a kernel with an explicit map:
//
//   - smooth convex losses: Newton's method with step halving, and majorization where a
//     loss knows a parabola above it and Newton's step is too long;
//   - losses of straight pieces ([loss.Piecewise]: absolute, quantile, ε-insensitive,
//     hinge): an interior-point method on the dual quadratic programme, whose duality
//     gap is the certificate, and a last exact solve on the rows that lie on a corner;
//   - losses that are not convex (Tukey): majorization from a start that outliers cannot
//     move. The result is a local minimum and reported as such.
//
// [Solve] works in any [space.Space], [Fit] binds a kernel to points. [Quantiles] are several
// fits that share one matrix, and do not cross after [Rearrange].
package erm
