// Package kpca is kernel principal component analysis: the directions v of the RKHS of
// a kernel k along which the points φ(xᵢ) vary most about their mean,
//
//	C = Σᵢ pᵢ (φ(xᵢ) − μ)(φ(xᵢ) − μ)ᵀ,   μ = Σᵢ pᵢ φ(xᵢ),   C vⱼ = λⱼ vⱼ,   ‖vⱼ‖ = 1,
//
// with shares pᵢ = wᵢ/Σw, so that λⱼ is the variance of the scores along vⱼ. Every vⱼ
// of positive variance lies in the span of the centred points. With K_c the Gram matrix
// centred at μ, D = diag(p) and u a unit eigenvector of
//
//	G = D^½ K_c D^½,   G u = λ u,
//
// it is v = Σᵢ aᵢ (φ(xᵢ) − μ) with a = D^½ u/√λ. The score of any point x is
//
//	z(x) = ⟨v, φ(x) − μ⟩ = Σᵢ αᵢ k(x, xᵢ) + b,   α = a − (Σᵢ aᵢ) p,   b = −Σᵢ αᵢ mᵢ,
//
// where mᵢ = ⟨φ(xᵢ), μ⟩: the mean of k(x, ·) over the training points, which centring a
// new point takes off, is in α, whose sum is zero. So the result is an ordinary
// [example.org/mercer/model.Expansion] with one output for each component. (As G·D^½1 = 0, the sum
// of a is zero but for rounding.)
//
// With Options.Origin nothing is centred: μ is 0 in all of this, α = a and b = 0. Then the
// first component is near the mean, and the others are what is orthogonal to it.
//
// An eigenvector of eigenvalue zero is no direction of the span: eigenvalues below what
// rounding can produce are dropped, and the report counts them. Of the two signs the
// one is taken whose coefficient of largest magnitude is positive, see
// [example.org/mercer/linalg.Orient].
//
// With weights all equal, nλ are the eigenvalues that scikit-learn's KernelPCA reports,
// and the scores are its scores up to sign. The centring is K − 1ₙK − K1ₙ + 1ₙK1ₙ; the
// lecture notes on kernel methods print it with a slip in two places, and a test shows
// the difference.
//
// Schölkopf, Smola and Müller, Nonlinear component analysis as a kernel eigenvalue
// problem, Neural Computation 10 (1998).
package kpca
