// Package tile computes blocks of Gram matrices from compiled kernels on vectors.
//
// A [Plan] is a compiled expression, as plain data: the statistics of a pair of points that it
// needs, each once, such as ‖x−y‖² and ⟨x, y⟩, and a postfix program that makes the value of the
// kernel of them. Package kernel/vec compiles plans; this package knows no kernel.
//
//  1. [Bind] gathers the coordinates that each statistic sees and packs the points in panels: a few
//     points side by side, coordinate by coordinate, as the loops of internal/simd want them.
//  2. It looks for a form of the points that is faster: bits, bytes, categories beside a few
//     numbers, or few coordinates that are not 0.
//  3. A tile is cut into strips of 8 rows by 256 columns. The statistics of a strip are computed
//     and the program runs over its rows while they lie in the first-level cache.
//  4. A plan whose only statistic is a distance skips the memory in between where it can: the
//     exponential follows the inner product in one loop, or values are looked up in a table.
//
// # Accuracy
//
// Squared distances of at most 16 coordinates are added from differences. Those of more come from
// norms and inner products of centred data, and the pairs whose distance is small against their
// norms are computed again from differences; the bound stands at keptShare. Identical points have
// distance exactly 0. An element has the same bits in every tile, and k(x, y) the same as k(y, x).
//
// [Statistic.Value] is the definition of each statistic, and the tests compare the loops with it.
package tile
