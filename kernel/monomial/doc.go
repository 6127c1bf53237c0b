// Package monomial writes feature maps of kernels out as weighted monomials Π xⱼ^aⱼ: that of a
// polynomial kernel ([Expansion]), and that of the Gaussian kernel up to an order ([Taylor]), which
// comes with a bound of what is left out. There are C(d+n, n) monomials of degree at most n in d
// variables: such maps are for few columns and for tests. Source: Cotter, Keshet and Srebro,
// Explicit approximations of the Gaussian kernel, 2011.
package monomial
