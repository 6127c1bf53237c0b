// Package nystrom replaces a Gram matrix by one of low rank, made of the kernel sections
// of m chosen points, the landmarks C = {c₁ … c_m}:
//
//	k̃(x, y) = k(x, C)·K_CC⁻¹·k(C, y) = ⟨φ(x), φ(y)⟩,  φ(x) = L⁻¹k(C, x),  LLᵀ = K_CC,
//
// the inner product of the projections of k(·, x) and k(·, y) on the span of the sections
// k(·, cⱼ). K − K̃ is positive semidefinite, and its trace says how much of the points the
// landmarks leave unexplained (C. K. I. Williams and M. Seeger, Using the Nyström method
// to speed up kernel machines, NIPS 2001).
//
// An approximation takes three steps:
//
//  1. [Landmarks] chooses the landmarks among points of any type ([Select] from a bound kernel).
//  2. [New] makes them a [Kernel]: k̃ with its feature map φ. Every method takes it like any other
//     kernel, in features ([kernel.Mapped]) or by products ([Kernel.Operator]).
//  3. [Collapse] turns the function that a method found into an expansion of k on the landmarks.
//
// [Kernel.Errors] and [Kernel.TraceError] say how far k̃ is from k.
package nystrom
