// Package falkon fits functions on a few landmarks to very many rows: it finds
//
//	argmin over β ∈ ℝᵐ, b ∈ ℝ of (1/N) Σᵢ wᵢ ℓ(yᵢ, f(xᵢ) + b) + (λ/2)‖f‖²,  f = Σⱼ βⱼ k(·, cⱼ),
//
// N = Σᵢ wᵢ, for landmarks c₁ … c_m, usually some of the rows, m ≪ n. The losses are the
// smooth convex ones of package loss; with the squared loss (y − f)²/2 it is the problem
// of package krr with f restricted to the span of the landmarks, and with all rows as
// landmarks it is that problem itself.
//
// For the squared loss β solves the normal equations (R = Nλ)
//
//	(K_nmᵀ W K_nm + R K_mm) β = K_nmᵀ W (y − b).
//
// They are never formed. With K_mm = LLᵀ and γ = Lᵀβ, in which ‖f‖ = ‖γ‖, the matrix is
// H = L⁻¹K_nmᵀWK_nmL⁻ᵀ + R·I, and conjugate gradients multiply with it by one pass over
// the rows ([gram.TallSkinny.Fold]). Rows that are like the landmarks give K_nmᵀWK_nm ≈
// (N/m)K_mm², which makes H nearly C = (N/m)LᵀL + R·I: its Cholesky factor is the
// preconditioner, and the number of iterations does not depend on n (Rudi, Carratino and
// Rosasco, FALKON: an optimal large scale kernel method, NeurIPS 2017). Other losses take
// Newton steps on a falling sequence of penalties, each such a system with the curvature of
// the loss for W (Marteau-Ferey, Bach and Rudi, Globally convergent Newton methods for
// ill-conditioned generalized self-concordant losses, NeurIPS 2019).
//
// The span of the landmarks is no space of package space here, but in methods on features of a
// kernel at landmarks. One pass finds predictors, slopes and their pull on f, where values and
// covectors of a space would be two, and Newton steps are solved only as far as they are worth it.
//
// Memory: 8m² bytes for L and the factor of C, the rows as they are, and a few vectors of m
// numbers; kernel values are held only where they fit.
//
// What is exact here is the minimisation: the gradient at the end is computed from scratch
// in double precision, and bounds how far the objective is above its minimum over the span of the
// landmarks. What restricting f to that span loses is measured, not hidden: [Report.ResidualKernel]
// is the part of the kernel that the landmarks do not explain, on rows that are none of them.
package falkon
