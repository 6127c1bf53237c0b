// Package sobol says what share of the variance of a function each column has, and each set of
// columns: Sobol's indices, under a normal law with independent columns. They are in closed form
// for functions in the span of an ANOVA kernel of centred Gaussian kernels,
//
//	f(x) = b + Σᵢ αᵢ Σ_s w_s Σ_{|u|=s} Π_{j∈u} k₀(xⱼ, xᵢⱼ),
//
// whose terms f_u have the mean 0 in each of their columns and are orthogonal: Var f = Σ_u D_u with
// D_u = w²·αᵀ(⊙_{j∈u} Γⱼ)α and Γⱼ = (E k₀(z, xᵢⱼ)k₀(z, x_lⱼ)).
//
// Sources: Sobol, Sensitivity estimates for nonlinear mathematical models, 1993; Durrande,
// Ginsbourger, Roustant and Carraro, ANOVA kernels and RKHS of zero mean functions for model-based
// sensitivity analysis, J. Multivariate Analysis 115, 2013.
package sobol
