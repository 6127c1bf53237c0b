// Package model holds what learning produces: a function f in the span of a kernel's
// sections, f(x) = b + Σᵢ αᵢ k(x, xᵢ), or its primal form f(x) = b + ⟨w, φ(x)⟩, and
// the safe, portable file in which it is kept.
package model
