// Package transform has strictly increasing functions of a numeric target: its logarithm, the
// family of Yeo and Johnson, and normal scores of its ranks.
//
// A method learns z = g(y), and what it says is taken back by y = g⁻¹(z). That pays where errors
// grow with the target, or where a few targets are far from all others: squares of errors of y
// count these alone. A prediction is then not the mean of y but nearer to its median, because g⁻¹
// of a mean is not the mean of g⁻¹.
package transform
