// Package meanmap has means of kernels over a normal law in closed form. The mean map μ = E φ(z) of
// a law says of every point how much of it lies in the direction of the law: g(u) = ⟨φ(u), μ⟩/‖μ‖.
// A missing value takes that direction, and what is left beside it, k(a, b) − g(a)g(b), is a
// kernel whose functions have the mean 0.
//
// Sources: Smola, Gretton, Song and Schölkopf, A Hilbert space embedding for distributions, ALT
// 2007; Durrande, Ginsbourger, Roustant and Carraro, ANOVA kernels and RKHS of zero mean functions
// for model-based sensitivity analysis, J. Multivariate Analysis 115, 2013.
package meanmap
