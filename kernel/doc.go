// Package kernel defines what a kernel is, how it is bound to points, and the
// algebra that builds new kernels from old ones on any type of point.
//
// A [Kernel] is a symmetric function k(x, y) with a text form; it is an immutable
// value without state. [Bind] joins it to two ordered sets of points and returns
// [Pairs], from which nobody can tell what a point is: every solver lives on that
// side. Norms, packing, projections on columns and whatever else can be done once
// per point is done in Bind.
//
// New kernels are made from old ones by [Sum], [Product], [Scaled], [Power], [Exp],
// [Series], [Normalized], [Conformal] and [Composed], on any type of point. Their text
// is an expression that package expr parses to the same kernel, bit for bit; sums are
// added from the left and products multiplied from the right. Each knows the rule by
// which it is positive definite, follows the chain rule for gradients, and joins the
// parameters, exact values and explicit maps of its parts. See [IsExact] and
// [Gradient] for whether all parts play along.
//
// Abilities that only some kernels have are small optional interfaces: [Domain],
// [Deriver], [Tunable], [Differentiable], [Exact], [Mapped], [Describer]. Each has
// a function of the same purpose that works on every kernel ([Validate], [Derive],
// …) and says so when the ability is missing.
package kernel
