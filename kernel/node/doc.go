// Package node holds kernels between the nodes of one graph. They are functions f ≥ 0 of a
// symmetric matrix M of the graph,
//
//	K = f(M) = Σᵢ f(λᵢ) uᵢuᵢᵀ,   M uᵢ = λᵢ uᵢ,
//
// so that K has the eigenvalues f(λᵢ) ≥ 0 and is positive semidefinite. With the weighted adjacency
// matrix A, the degrees D = diag(A1), L = D − A and L̃ = D^−½ L D^−½,
//
//	Diffusion             exp(−tL), exp(−tL̃)
//	RegularisedLaplacian  (I + tL)⁻¹, (I + tL̃)⁻¹
//	Walk                  (aI − L̃)^p, a ≥ 2
//	Exponential           exp(tA)
//	CommuteTime           L⁺, the pseudo-inverse
//
// A [Network] is a graph as these kernels see it: without directions, parallel edges joined.
// [New] joins it with a [Filter] f to a [Kernel] on the ids of its nodes, which any method
// takes. Small graphs are decomposed once ([Prepare]) for all f of the same M. For large ones
// [Kernel.Operator] multiplies by K without forming it: M is sparse, and f is expanded in
// Chebyshev polynomials with a bound on what is cut off.
//
// Kondor and Lafferty, Diffusion kernels on graphs and other discrete structures, ICML (2002);
// Smola and Kondor, Kernels and regularization on graphs, COLT (2003); Fouss, Pirotte, Renders
// and Saerens, Random-walk computation of similarities between nodes of a graph, IEEE TKDE 19
// (2007).
package node
