// Package sckn learns the filters of a convolutional kernel network from targets (supervised
// convolutional kernel networks, end-to-end kernel learning): the unit filters Z of every layer,
// and the weights W, b of
//
//	min over Z, W, b of (1/N) Σᵢ wᵢ‖yᵢ − Wᵀφ_Z(xᵢ) − b‖² + λ‖W‖²
//
// for the features φ_Z of package filters. Steps alternate:
//
//  1. Every tenth row is kept aside, and the others are two halves. W is exact for each half and
//     for both, by ridge regression in the features. λ is the best of its neighbours for the rows
//     kept aside, and their error with the W of both halves judges the filters.
//  2. The filters take stochastic gradient steps on their spheres, over batches of the rows. A row
//     counts with the W of the half that it is not in.
//  3. Where the rows kept aside have no smaller error than ever before, the filters go back to the
//     best, and the length of a step is halved.
//
// The halves are there because weights of more features than rows leave no error on their own rows,
// and so no derivative. A step turns a filter z by an angle of about the rate, along its derivative
// in the tangent of the sphere, averaged over steps and divided by its usual length:
//
//	g = (I − zzᵀ)∂J/∂z,  m ← μm + (1−μ)g,  v ← βv + (1−β)‖g‖²
//	z ← z − rate·m̂/√v̂,  to length 1 again
//
// with m̂ = m/(1−μᵗ) and v̂ = v/(1−βᵗ). Images are shifted and flipped by chance for the steps,
// where that is asked for.
//
// J. Mairal, End-to-end kernel learning with supervised convolutional kernel networks, NIPS 2016;
// G. Bécigneul and O.-E. Ganea, Riemannian adaptive optimization methods, ICLR 2019.
package sckn
