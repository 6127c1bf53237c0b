// Package metric says how well predictions meet what happened: labels, scores,
// probabilities, numbers and intervals. Every function takes row weights wᵢ ≥ 0 (nil:
// all 1), and a weight of 2 is the same as the row written twice. Classes are numbers
// 0 … m−1.
//
// What cannot be computed (an area under the curve without both classes, a mean over
// no rows) is NaN, never a number that looks like a result.
package metric
