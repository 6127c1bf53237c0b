// Package deep holds kernels after a feed-forward network,
//
//	k(x, y) = k₀(φ(x), φ(y)),   φ(x) = W_L a(… a(W₂ a(W₁x + b₁) + b₂) …) + b_L,
//
// which are positive definite with k₀, because any map may stand before a kernel. The activation a
// acts on each unit; the last layer has none. [Network] is φ with its numbers, and tells what a
// change of them does to the images ([Network.Pull], the reverse pass). [Kernel] is k.
//
// The numbers are learned by what uses the kernel: package dkl moves them along the gradient of the
// evidence or of the leave-one-out error, package falkon along that of a fit on landmarks. Without
// numbers of its own a network has those of [Draw], which are where learning starts.
//
// A. G. Wilson, Z. Hu, R. Salakhutdinov and E. P. Xing, Deep kernel learning, AISTATS 2016.
package deep
