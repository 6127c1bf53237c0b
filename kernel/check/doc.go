// Package check tries to prove a kernel wrong.
//
// A symmetric function k is a positive definite kernel if
//
//	aᵀKa = Σᵢ Σⱼ aᵢ aⱼ k(xᵢ, xⱼ) ≥ 0
//
// for all finite sets of points x₁ … x_m and coefficients a. [Run] tests symmetry,
// the diagonal (m = 1), the Cauchy–Schwarz inequality (m = 2) and the spectrum of
// Gram matrices of structured and random sets of points of a [Domain], lowers the
// smallest eigenvalue by local search, and, where it finds a negative one, shrinks
// the counter-example: to the fewest points, the simplest coordinates and the
// simplest coefficients it can find. The [Witness] consists of float64 numbers
// taken as exact dyadic rationals, so that anyone can evaluate it again.
//
// # No accusation by rounding
//
// In float64 the Gram matrix of a true kernel often has eigenvalues below zero, of
// the size of the rounding errors. So float64 only proposes. A counter-example
// counts when aᵀKa, evaluated with [kernel.Exact] at Options.Prec bits, is below
//
//	−2^(−Prec+24) · Σᵢ Σⱼ |aᵢ aⱼ k(xᵢ, xⱼ)|
//
// and again, to the same value, at 2·Prec bits. Conversely a last stage factors Gram
// matrices in arbitrary precision, which finds indefiniteness that float64 cannot
// see. A kernel that cannot be evaluated exactly is never called NotAKernel; if aᵀKa
// lies below a generous bound of the float64 error (see [Witness].Bound) the verdict
// is NumericalEvidence.
//
// # What no counter-example means
//
// Nothing is proved by searching. The report says how much was tried, and holds the
// derivation of positive definiteness from the form of the kernel
// ([kernel.Derive]), which is a proof where there is one. A proof and a
// counter-example together are a contradiction inside this program and reported as
// such. On given rows ([Rows]) the answer concerns these rows only.
package check
