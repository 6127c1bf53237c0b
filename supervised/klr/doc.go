// Package klr is kernel logistic regression: in the RKHS H of a kernel k it finds, for
// labels yᵢ = ±1,
//
//	argmin over f ∈ H, b ∈ ℝ of (1/N) Σᵢ wᵢ ln(1 + e^(−yᵢ(f(xᵢ) + b + oᵢ))) + (λ/2)‖f‖²,
//
// N = Σᵢ wᵢ, with offsets oᵢ that are usually zero. P(y = 1 | x) = σ(f(x) + b). The
// constant b is not penalised. With R = Nλ, which [Options] and [Report] call the
// ridge, this is scikit-learn's LogisticRegression at C = 1/R for a linear kernel. By
// the representer theorem f = Σ αᵢ k(·, xᵢ); it is found by Newton's method, of which
// every step is a weighted kernel ridge regression ("Solving KLR by IRLS" in the
// lecture notes on kernel methods; package newton).
//
// For m > 2 classes the model is multinomial, P(c | x) ∝ e^(f_c(x) + b_c), in the
// symmetric form: one function per class, none of them a reference,
//
//	argmin of −(1/N) Σᵢ wᵢ ln P(yᵢ | xᵢ) + (λ/2) Σ_c ‖f_c‖²,
//
// at whose minimum Σ_c f_c = 0; of the constants, which could all be raised together,
// those with Σ_c b_c = 0 are returned. Newton's equations with the full Hessian, which
// couples the classes, are solved by conjugate gradients. Two classes in this form
// would be the binary model with λ/2; they are fitted as the binary model.
//
// [Solve] works in index space, on any [gram.Operator]; [Fit] binds a kernel to points
// and returns a model. [Probabilities] and [Classes] turn its values into answers.
package klr
