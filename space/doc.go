// Package space holds the spans in which a method seeks its functions. f = (f₁ … f_m) are m
// functions of the reproducing kernel Hilbert space H, b ∈ ℝᵐ their constants:
//
//   - [Dual]: f = Σ θᵢ k(·, xᵢ), coefficients of the n rows;
//   - [Primal]: f = ⟨θ, φ(·)⟩, weights of D explicit features, held or made in every pass over
//     the rows. Landmarks and random features are such features;
//   - [Constant]: f = 0, so that only the constants are left.
//
// A method is written once, for a [Space]: it sees coordinates θ, values f(xᵢ) and covectors, and
// never the matrix behind them.
//
// # Covectors
//
// A linear functional of f is a covector. It has the shape of θ. That of Σᵢ gᵢ·f(xᵢ), which is
// ⟨Σᵢ gᵢ φ(xᵢ), f⟩, is stored by [Space.Adjoint]: g in the dual, Φᵀg in the primal. The covector
// of ⟨f, ·⟩ is θ itself. So the gradient of Σᵢ ℓᵢ(f(xᵢ) + b) + (R/2)‖f‖² with g = ∇ℓ is
// Adjoint(g) + R·θ for f, and Σᵢ gᵢ for b.
//
// # The weighted ridge system
//
// [Space.Weigh] factors the Hessian H of
//
//	½ Σᵢ vᵢ (f(xᵢ) + b)² + (R/2)‖f‖²,    vᵢ ≥ 0,
//
// with the constant b or without it, and [Factor.Solve] solves H·(θ, b) = (ρ, β):
//
//	R·f + Σᵢ vᵢ(f(xᵢ) + b)φ(xᵢ) = ρ,    Σᵢ vᵢ(f(xᵢ) + b) = β.
//
// The weighted ridge regression of targets y, for example, is ρ = Adjoint(v∘y), β = Σ vᵢyᵢ.
// With V = diag(v) and A = K + R·V⁻¹ the same system has two forms.
//
//	dual:    Aθ + b·1 = V⁻¹ρ,  1ᵀθ = (1ᵀρ − β)/R;  with u = A⁻¹1,
//	         b = (1ᵀA⁻¹V⁻¹ρ − (1ᵀρ − β)/R)/1ᵀu,  θ = A⁻¹V⁻¹ρ − u·b
//	primal:  M = ΦᵀVΦ + R·I, h = Φᵀv, u = M⁻¹h,  s = 1ᵀv − hᵀu,
//	         b = (β − hᵀM⁻¹ρ)/s,  θ = M⁻¹ρ − u·b
//
// What else a factor gives, for leave-one-out values, standard errors and evidence:
//
//	[Factor.Variances]    cᵢ = φ̃ᵢᵀH⁻¹φ̃ᵢ, φ̃ᵢ the features of row i and 1 for the constant
//	    dual:             [kᵢᵢ − kᵢᵀA⁻¹kᵢ + (1 − uᵀkᵢ)²/1ᵀu]/R
//	    primal:           φᵢᵀM⁻¹φᵢ + (1 − uᵀφᵢ)²/s
//	[Factor.LeaveOneOut]  1 − hᵢ, hᵢ = vᵢcᵢ the leverage: eᵢ/(1 − hᵢ) is the residual of row i
//	                      in the ridge regression without it, at the same R
//	    dual:             R·[(M⁻¹)ᵢᵢ − (M⁻¹√v)ᵢ²/1ᵀu], which keeps its digits where hᵢ is near 1
//	[Factor.LogDet]       ln|V^½KV^½ + R·I| + ln 1ᵀA⁻¹1, the second with a constant alone
//	    dual:             ln|M| + ln 1ᵀu
//	    primal:           ln|M| + (n − D) ln R + ln s/R
//
// # How the dual system is solved
//
// The matrix that is solved with is M = V^½KV^½ + R·I, of which A⁻¹ = V^½M⁻¹V^½ and u = M⁻¹V^½1
// follow: no eigenvalue of M is below R, where those of A grow without bound as weights vanish
// (Rasmussen and Williams, Gaussian Processes for Machine Learning, section 3.4.3). A [Solver]
// chooses how:
//
//   - [Cholesky] holds K in the upper triangle of one buffer; the factors of M follow one another
//     in the lower;
//   - [Packed] computes the lower triangle of M anew for every factor, in half the memory;
//   - the same in single precision, where [Options] ask for it: a quarter of the memory, and
//     solutions refined in double precision;
//   - [CG] has no factor, but products with K and a preconditioner.
//
// Rows of next to no weight are put apart: θᵢ = ρᵢ/R to begin with, and the others feel it as
// K does. So ρᵢ/√vᵢ never drowns the other right-hand sides.
//
// # Landmarks
//
// Features on landmarks are columns of another kernel after a triangular solve. [Regress] sums up
// the columns and applies the solve to the sum, or goes by conjugate gradients that a sample of the
// rows preconditions, where no more than the solution is asked for ([Ridge]).
//
// # Cost
//
// [Systems] predicts what the systems of the rows hold and take, before there is a space.
//
// # The origin
//
// A free constant can take up the mean of the features. [Space.Centre] puts the origin of a primal
// space there, φ − φ̄, which keeps the digits that a large mean would take, and
// [Space.Constants] gives the constants about the caller's origin again, b − ⟨θ, φ̄⟩.
//
// Results have the same bits for any number of workers. Package spacetest compares every space
// with the definitions above, written out with dense matrices.
package space
