// Package formula makes a kernel of a formula in x and y, such as
//
//	log(1 + x*y)
//	exp(-abs(x - y)^1.5)
//	x[0]*y[0] + (x[1] == y[1] ? 1 : 0)
//	(1 + dot(x, y))^3 / (1 + l1(x, y))
//
// so that any function can be tried, checked and, where it is not positive
// definite, falsified (package check).
//
// # Language
//
// x and y are the two points. Where points have one coordinate, x and y are
// numbers; x[0], x[1], … are the coordinates. Operators, in order of precedence:
// ^ (or **, right-associative), unary − and +, * and /, + and −, the comparisons
// < <= > >= == !=, "and", "or" (also && and ||; "not" or ! binds tighter), and the
// conditional c ? a : b. Note that −x^2 is −(x²). The functions are
//
//	exp log log1p log2 sqrt abs sin cos tan tanh asin erf floor sign
//	                                                             of a number
//	pow(a,b) gcd(a,b) lcm(a,b)                                   of two numbers
//	min(a,b,…) max(a,b,…)                                        of two or more numbers
//	dot(x,y) sqdist(x,y) l1(x,y) norm(x) len(x)                  of points
//
// and the constants are pi and e. gcd and lcm are those of the absolute values of
// integers, gcd(0, 0) = 0, and NaN for fractions. A literal such as 0.1 means the
// nearest float64.
//
// Everything is a float64: there is no integer arithmetic that could wrap around,
// and no text, list or loop. The grammar is that of github.com/expr-lang/expr, whose
// parser is used; of its syntax tree only the nodes above are accepted. The tree is
// evaluated in two ways: by a small stack program in float64, which allocates nothing
// (10 to 50 ns a value, a tenth of what the parser's own virtual machine takes), and
// in arbitrary precision with a bound of the error of every step, for [kernel.Exact].
//
// A formula is taken as written: nothing makes it symmetric or positive definite. A
// value that is not finite (log(0), 1/0, a missing coordinate) marks a point outside
// the domain.
package formula
