// Package dkl learns the network before a kernel (deep kernel learning): the weights θ of φ_θ in
//
//	k_θ(x, y) = k₀(φ_θ(x), φ_θ(y))
//
// by the evidence of a Gaussian process or by the exact leave-one-out error of ridge regression.
// With C the criterion and K the Gram matrix of the images z = φ_θ(x), both have ∂C/∂K in closed
// form (package krr), and
//
//	∂C/∂zₐ = 2 Σ_b (∂C/∂K)_ab ∇₁k₀(zₐ, z_b),   ∂C/∂θ = Σₐ (∂zₐ/∂θ)ᵀ ∂C/∂zₐ,
//
// the second by the reverse pass of the network. The penalty λ moves too, in its logarithm.
//
// A network with many weights can make the evidence large and the error of new rows with it. So
// every tenth row is kept aside: it judges each step, the best step is the result, and the search
// ends where steps do not improve it.
//
// A. G. Wilson, Z. Hu, R. Salakhutdinov and E. P. Xing, Deep kernel learning, AISTATS 2016;
// S. W. Ober, C. E. Rasmussen and M. van der Wilk, The promises and pitfalls of deep kernel
// learning, UAI 2021.
package dkl
