// Package tree divides the rows of a table by a tree, a kernel machine for each of its leaves:
//
//	f(x) = Σ_ℓ w_ℓ(x) f_ℓ(x),   w_ℓ(x) = Π σ(±(⟨v, x⟩ − b)/(T·s)),   σ(t) = 1/(1 + e⁻ᵗ),
//
// the product over the splits above leaf ℓ, with − where its branch is the left one. A split has a
// direction v, the median b of ⟨v, x⟩ over the rows that come to it, and their interquartile range
// s. At the temperature T = 0 every row belongs to one leaf; above, rows near a split are predicted
// by both sides, and f is continuous.
//
// A machine of n rows costs n³, and L leaves n³/L². What is lost is that none of them sees all
// rows. Directions in which the target changes most keep that loss small: those of D. Beaglehole,
// D. Holzmüller, A. Radhakrishnan and M. Belkin, xRFM: accurate, scalable, and interpretable
// feature learning models for tabular data (2025), arXiv:2508.10053, whose tree this is. Package
// rfm has them and the machines.
package tree
