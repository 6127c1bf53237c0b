// Package moments keeps the sufficient statistics of a ridge regression in explicit features, so
// that rows can be added and removed without reading the others:
//
//	S = Σᵢ aᵢaᵢᵀ,  aᵢ = √wᵢ·(φ(xᵢ), yᵢ, 1),
//
// a symmetric matrix of D + p + 1 rows for D features and p targets. It holds ΦᵀWΦ, ΦᵀWY, YᵀWY,
// ΦᵀW1, YᵀW1 and N = Σ wᵢ: the normal equations for every λ, with and without an intercept,
// and the squared errors of their solutions. The features are those of
// any [kernel.Mapped]: a Nyström kernel, random features, a polynomial in a few columns.
//
// # The sums are exact
//
// A sum of float64 depends on the order of its terms, and what is added and then subtracted
// leaves its rounding behind. Here each row is rounded first, by itself, to whole multiples of
// a step: aᵢⱼ ≈ 2^e·qᵢⱼ with |qᵢⱼ| ≤ 2⁴² for the rows that the step was chosen from. The
// products qᵢⱼqᵢₖ are then added up as integers of 128 bits, without any rounding. Therefore:
//
//   - S has the same bits for any order of the rows, any batches and any number of workers;
//   - rows that were added and then subtracted leave no trace;
//   - the only error is the rounding of a row to half a step: 2⁻⁴³ of the largest number of its
//     kind, 2⁻⁴² at worst.
//
// Products are computed as products of float64 matrices, which are exact on integers below 2⁵³:
//
//  1. Write q in digits of 22 bits: q = q₀ + 2²²q₁ with |q₀|, |q₁| ≤ 2²¹.
//
//  2. Products of two digits, or of two sums of digits, are at most 2⁴⁴. Add up to 512 of them.
//
//  3. Three products of matrices of digits give the one that is wanted (indices j, k left out):
//
//     q_j q_k = q₀q₀ + 2²²((q₀+q₁)(q₀+q₁) − q₀q₀ − q₁q₁) + 2⁴⁴q₁q₁
//
// That is three times the work of one product in rounded numbers.
//
// Karatsuba and Ofman, Multiplication of many-digit numbers by automatic computers, 1962; for
// matrices in slices, Ozaki, Ogita, Oishi and Rump, Error-free transformations of matrix
// multiplication, Numerical Algorithms 59, 2012.
package moments
