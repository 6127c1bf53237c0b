// Package preimage finds points z whose images φ(z) in the RKHS H of a kernel k are
// nearest to given elements Ψ = Σᵢ γᵢ φ(xᵢ) of H,
//
//	minimise over z   ‖φ(z) − Ψ‖² = k(z, z) − 2 Σᵢ γᵢ k(z, xᵢ) + γᵀKγ.
//
// Most elements of H are no image of a point, so every answer carries its residual
// ‖φ(z) − Ψ‖, computed from kernel values by this very formula.
//
// [Targets] are the elements: any functions of H, or with [Project] the projections of
// images on the mean and the leading components of kernel principal component analysis,
// for which [Denoise] is the short way. A [Method] finds the points:
//
//   - [FixedPoint]: for kernels κ(‖x−y‖²), z = Σ γᵢκ′(dᵢ)xᵢ / Σ γᵢκ′(dᵢ) (Mika,
//     Schölkopf, Smola, Müller, Scholz and Rätsch, Kernel PCA and de-noising in feature
//     spaces, NIPS 11, 1999).
//   - [Distances]: the distances in H to the nearest points become distances in the space
//     of the points, from which z is located (Kwok and Tsang, The pre-image problem in
//     kernel methods, IEEE Trans. Neural Networks 15, 2004).
//   - [Descent]: gradient descent for any kernel on vectors.
//   - [Learned]: a regression from scores to points (Bakır, Weston and Schölkopf,
//     Learning to find pre-images, NIPS 16, 2004).
//   - [Candidates]: the best of a list, for points of any type.
package preimage
