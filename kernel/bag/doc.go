// Package bag holds kernels on bags: finite collections of points of any type T, in which a
// point may occur more than once and the order has no meaning. A bag is a []T, and its
// kernels are made of one on T, the base kernel k:
//
//	Sum       Σᵢⱼ k(xᵢ, yⱼ)                   = ⟨Σᵢ φ(xᵢ), Σⱼ φ(yⱼ)⟩
//	Mean      Σᵢⱼ k(xᵢ, yⱼ) / (|X||Y|)        = ⟨μ_X, μ_Y⟩, the inner product of the mean maps
//	MaxMatch  ½(meanᵢ maxⱼ k + meanⱼ maxᵢ k)  which is not positive definite
//
// ‖μ_X − μ_Y‖² is the squared maximum mean discrepancy of the two bags, and Mean of a power
// kᵖ weighs near pairs more the larger p is (Lyu 2005): with p → ∞ the nearest pair alone
// counts, as in MaxMatch, but positive definite for every p.
//
// Bound to bags, all points of all bags are bound once as one set to the base kernel, which
// so keeps its fast path; blocks of its tiles are added up. Where the base kernel has a
// short explicit feature map, a bag is the mean of its features.
//
// [Set] compares sets of words by the elements in common. [Dictionary] makes the dictionary
// of bags from that of their elements, whatever these are, bags among them.
package bag
