// Package network computes the kernels of infinitely wide random networks of fully connected
// layers: the covariance of what such a network says of two points (NNGP), the kernel of its
// training by small steps (NTK), and the arc-cosine kernels, which are the first for powers of the
// rectifier. With independent weights of variance w and biases of variance b, activation φ and
// (u, v) normal of covariance Σˡ on the two points,
//
//	Σ⁰ = ιw⟨x, y⟩ + b,   Σˡ⁺¹ = w·E φ(u)φ(v) + b
//	Θ⁰ = Σ⁰,             Θˡ⁺¹ = Θˡ·w·E φ′(u)φ′(v) + Σˡ⁺¹.
//
// All depend on the points by their lengths and the angle between them alone. Each layer is
// computed from 1 − cos and 1 + cos of its angle, of which no digits are lost where points are near
// one another or opposite.
//
// Sources: Cho and Saul, Kernel methods for deep learning, NIPS 2009; Williams, Computing with
// infinite networks, 1997; Lee et al., Deep neural networks as Gaussian processes, ICLR 2018;
// Jacot, Gabriel and Hongler, Neural tangent kernel, NeurIPS 2018.
package network
