// Package structured learns functions whose values are not numbers: sets of labels,
// rankings, sequences, or anything for which there is a loss.
//
// For a loss Δ(y, z) the prediction is
//
//	h(x) = argmin over y of Σᵢ αᵢ(x) Δ(y, yᵢ),
//	(K + NλW⁻¹) α(x) + ν(x)·1 = k_x,   1ᵀα(x) = 1 (without an intercept ν = 0 instead),
//
// the least-squares estimate of the expected loss E[Δ(y, Y) | x], decoded; it is
// consistent for every loss of the form below (Ciliberto, Rosasco and Rudi, A consistent
// regularization approach for structured prediction, 2016). With f(x, y) = −Σᵢ αᵢ(x) Δ(y,
// yᵢ) it is the principle h(x) = argmax_y f(x, y) of the lecture notes on kernel methods
// ("Supervised learning with kernels: general principles").
//
// Where Δ(y, z) = ⟨ψ(y), φ(z)⟩ + c(z) with φ(z) ∈ ℝᵈ, all that h needs of x is θ(x) = Σᵢ
// αᵢ(x) φ(yᵢ): a ridge regression with d outputs, minimising (1/N) Σ wᵢ‖φ(yᵢ) − f(xᵢ) − b‖²
// + λ‖f‖². An [Output] knows φ and finds argmin_y ⟨ψ(y), θ⟩:
//
//	LabelSet     subsets, Hamming loss                    exact
//	LabelSetF1   subsets, 1 − F₁                          exact
//	Ranking      orders: Spearman's ρ and footrule        exact (sorting; assignment)
//	Kendall      orders: discordant pairs                 exact up to 12 items, then local search
//	Sequence     labels along a line, chain loss          exact (Viterbi)
//	Candidates   any loss on a finite set of answers      exact
//	Dependency   kernel on answers, a finite set of them  exact
//
// A user's own loss is a user's own Output. [Dependency] is the ridge regression with the
// joint kernel k((x, y), (x′, y′)) = k_X(x, x′) k_Y(y, y′): kernel dependency estimation
// (Weston, Chapelle, Elisseeff, Schölkopf and Vapnik 2002; Cortes, Mohri and Weston 2005).
package structured
