// Package manifold unrolls points that lie on a curved surface: it gives every point a few
// coordinates in which points that are near on the surface are near. What is near is said by a
// kernel, through the distances d²(x, z) = k(x, x) + k(z, z) − 2k(x, z) of its feature space; with
// the linear kernel they are those of the vectors.
//
//	classical      inner products of the points about their mean            −½ H D² H = Z Zᵀ
//	stress         coordinates whose distances are as near to d as can be   min Σ (‖zᵢ−zⱼ‖ − dᵢⱼ)²
//	isomap         lengths of shortest paths in the graph of neighbours     −½ H G² H = Z Zᵀ
//	lle            each point is the same mean of its neighbours as before  min ‖(I − W)Z‖²
//	eigenmap       neighbours stay together: eigenvectors of the graph      D⁻¹W z = μz
//	diffusion-map  eigenvectors of a random walk, after t steps             P ψ = μψ, z = μᵗψ
//
// The coordinates of classical scaling are the scores of
// [example.org/mercer/unsupervised/kpca].
//
// [Smooth] changes the norm of a kernel by the same graph: functions are to change little where
// points lie close, for methods that learn from few points with a target among many without.
//
// Every map also places new points, by a formula that agrees with the coordinates of the training
// points (see [Map.Place]): that of Y. Bengio et al., Out-of-sample extensions for LLE, Isomap,
// MDS, eigenmaps, and spectral clustering (2004). All methods hold n×n numbers.
package manifold
