// Package compress replaces a function in the space of a kernel by one on fewer points.
//
// A fitted expansion f = Σᵢ αᵢ k(·, xᵢ) often has far more points than its values need.
// For points C = {c₁ … c_m} among the xᵢ the best function on them, in the norm of the
// space, is the projection
//
//	g = Σⱼ βⱼ k(·, cⱼ),   K_CC β = (f(c₁) … f(c_m)),
//
// which has the values of f at the points that are kept. What is lost is known exactly:
//
//	‖f − g‖² = (α − β)ᵀK(α − β),   |f(x) − g(x)| ≤ ‖f − g‖·√k(x, x)  for every x.
//
// The points are chosen by the f/P-greedy rule, which is orthogonal least squares:
//
//  1. Let r = f − g be the residual, and P(x)² = k(x, x) − k(x, C)K_CC⁻¹k(C, x) the squared
//     distance of k(·, x) from the span of the points chosen so far.
//  2. A new point x lowers ‖f − g‖² by r(x)²/P(x)². Add the point that lowers it most.
//  3. With several outputs add up these numbers, each relative to the squared norm of its output:
//     all outputs share their points.
//
// Müller, Complexity and stability in kernel methods, thesis, Göttingen 2009; Wirtz and Haasdonk,
// A vectorial kernel orthogonal greedy algorithm, Dolomites Research Notes 6, 2013; Chen, Cowan and
// Grant, IEEE Transactions on Neural Networks 2, 1991.
package compress
