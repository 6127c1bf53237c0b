// Package newton is Newton's method for every problem that the representer theorem
// turns into a sequence of weighted ridge regressions: with f = (f₁ … f_m) ∈ Hᵐ and
// constants b ∈ ℝᵐ,
//
//	minimise Σᵢ ℓᵢ(f(xᵢ) + b) + (R/2) Σ_c ‖f_c‖².
//
// The losses ℓᵢ, row weights included, are a [Model]. Where a model has the gradients
// g = ∇ℓ and the curvatures v = ∇²ℓ at the current values, the Newton step is the
// weighted ridge regression of the working response f − g/v with weights v ("Solving
// KLR by IRLS" in the lecture notes on kernel methods, where the loss is logistic).
//
// The functions live in a [Space]: that of coefficients over the rows, f = Kα
// ([NewDual]), or that of an explicit feature map, f = Φw ([NewPrimal]). Methods that
// need the same systems (interior points, approximate posteriors) call [Space.Weigh]
// themselves.
//
// # The weighted system
//
// In the dual a step solves (K + R·V⁻¹)θ + c·1 = V⁻¹ρ. It has the Cholesky factor of
// the lecture's V^½KV^½ + R·I up to a diagonal scaling, under which the rounding errors
// of Cholesky's algorithm do not change (van der Sluis 1969; Higham, Accuracy and
// Stability of Numerical Algorithms, theorem 10.6), but it leaves K as it is: K stays
// in the upper triangle of one buffer for all iterations, and the factors follow one
// another in the lower. A weight of zero is a shift beyond all numbers of K, kept
// finite at 10¹⁰⁰ times that of the largest weight.
//
// Results have the same bits for any number of workers.
package newton
