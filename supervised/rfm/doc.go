// Package rfm is recursive feature machines: kernel ridge regression whose kernel compares vectors
// by a distance that it learns itself,
//
//	f(x) = b + Σⱼ βⱼ k(Lx, Lxⱼ),   ‖Lx − Ly‖² = (x − y)ᵀM(x − y),   M = LᵀL,
//
// in rounds (A. Radhakrishnan, D. Beaglehole, P. Pandit and M. Belkin, Mechanism for feature
// learning in neural networks and backpropagation-free machine learning models, Science 383,
// 2024): a ridge regression with the metric of the round, and for the next one M = Gˢ with
//
//	G = (1/N) Σᵢ wᵢ Σ_c ∇f_c(xᵢ) ∇f_c(xᵢ)ᵀ,
//
// the average gradient outer product of f. The round that predicts rows which it did not learn from
// best is kept. The rounds are those of package mahalanobis; this one gives them the
// regression and the score.
//
// Power ½, centred gradients and kernels of ‖x − y‖_p^q are those of D. Beaglehole, D. Holzmüller,
// A. Radhakrishnan and M. Belkin, xRFM: accurate, scalable, and interpretable feature learning
// models for tabular data (2025), arXiv:2508.10053. Its trees, for more than some ten thousand
// rows, are those of [FitTree].
//
// Labels are learned as codes, one output for each label, with a free constant. Far from all rows
// f is then the mean of the codes, the shares of the labels: the prevalence coding of xRFM up to a
// rotation of the outputs, which changes neither G nor the largest code.
package rfm
