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
// The functions live in a [space.Space]: that of coefficients over the rows, f = Kα, or that of
// an explicit feature map, f = Φw. Methods that need the same systems (interior points,
// approximate posteriors) call [space.Space.Weigh] themselves.
//
// Results have the same bits for any number of workers.
package newton
