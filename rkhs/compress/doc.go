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
// The points are chosen one after another, each so that ‖f − g‖² falls most: it falls by
// r(x)²/P(x)² for the residual r = f − g and P(x)² = k(x, x) − k(x, C)K_CC⁻¹k(C, x), the
// squared distance of k(·, x) from the span that is there already. This is the f/P-greedy
// rule (Müller, Complexity and stability in kernel methods, thesis, Göttingen 2009, and
// Wirtz and Haasdonk, A vectorial kernel orthogonal greedy algorithm, Dolomites Research
// Notes 6, 2013), and orthogonal least squares (Chen, Cowan and Grant, IEEE Transactions on
// Neural Networks 2, 1991). With several outputs the falls are added up, each relative to
// the squared norm of its own output, so that all outputs share their points.
package compress
