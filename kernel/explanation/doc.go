// Package explanation describes how a function g(x) = Σᵢ cᵢ k(x, xᵢ) in the span of a kernel is
// taken apart: into terms of the kernel, features of a point, and the places that these consist of.
//
// A kernel makes the explanation of its functions (kernel.Explainable). The algebra of kernels
// derives that of a compound kernel from its parts.
package explanation
