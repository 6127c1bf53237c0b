// Package propagation spreads labels from few points to many: along the affinities of a kernel,
// k(x, z) ≥ 0, from the points that have a label to those that have none.
//
//	harmonic   each has the mean of the others, labels are kept   f_U = (D_UU − W_UU)⁻¹ W_UL f_L
//	spreading  each takes a share of the others'                  F = (1−α)(I − αS)⁻¹ Y
//
// with W the affinities between different points, D their sums and S = D^−½WD^−½. A new point has
// the mean of all points by its affinities to them, so that what is learned is an expansion in the
// kernel whose largest output is the label.
package propagation
