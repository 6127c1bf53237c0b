// Package shapley shares the values of a function among the columns of a point: [Explain] exactly,
// for functions in the span of kernels that are products over columns, and [Sample] any other one
// by drawing orders of the columns, with standard errors.
//
// A function f(x) = Σᵢ aᵢ k(x, xᵢ) of a product k(x, y) = Πⱼ kⱼ(xⱼ, yⱼ) over columns is a game of
// the columns:
//
//	v(S) = Σᵢ aᵢ Π_{j∈S} kⱼ(xⱼ, xᵢⱼ),
//
// in which a column outside of S has the factor 1 (proposition 3 of the paper). The Shapley value
// of a column is the mean, over all orders of the d columns, of what it adds to those before it:
//
//	φⱼ = Σ_{S∌j} |S|!(d−1−|S|)!/d! (v(S∪{j}) − v(S)),   Σⱼ φⱼ = v(all) − v(∅).
//
// It may instead have the mean of its factors over a background of rows (Options.Background): then
// φⱼ is near 0 where xⱼ is nothing special, and v(∅) is near the mean of f.
//
// The sum has 2^(d−1) terms for each column; for products over columns all of them take O(n·d²).
//
// M. Mohammadi, S. Chau and K. Muandet, Computing exact Shapley values in polynomial time for
// product-kernel methods, arXiv:2505.16516 (2025); L. Shapley, A value for n-person games (1953).
package shapley
