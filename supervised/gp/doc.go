// Package gp is Gaussian processes: regression, with means, variances and samples
// ([Solve], [Fit]), and the evidence of a kernel, its gradient and its maximum
// ([Gradient], [Tune]); and classification into two and more classes by Laplace's
// approximation ([SolveClasses], [FitClasses], [TuneClasses]), in the rows or in the
// weights of explicit features: both are spaces (package space).
//
// Equations are those of Rasmussen and Williams, Gaussian Processes for Machine
// Learning (2006), "R&W" below. With a prior f ~ GP(m, k) and yᵢ = f(xᵢ) + εᵢ,
// εᵢ ~ N(0, Σᵢᵢ), the posterior given n rows is
//
//	mean      m + k*ᵀα,  α = A⁻¹(y − m),  A = K + Σ        (R&W 2.25)
//	variance  k** − k*ᵀA⁻¹k*                               (R&W 2.26)
//	evidence  −½(y − m)ᵀα − ½ln|A| − (n/2)ln 2π            (R&W 2.30)
//
// The noise of row i is Σᵢᵢ = (σ² + rᵢ)/wᵢ, with a variance rᵢ of its own and a weight wᵢ;
// a weight of 2 is the row twice, also in the evidence.
//
// The constant m is zero, or that which generalised least squares gives,
// m = 1ᵀA⁻¹y/1ᵀA⁻¹1; the posterior then is that of a flat prior over it, with the
// variance that R&W (2.42) adds, and the evidence that of the best m.
//
// The package sees kernels and points through their Gram matrix only. Results have the
// same bits for any number of workers.
package gp
