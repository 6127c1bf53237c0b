// Package pass makes readings of rows into values that can be sent to where the rows are.
//
// A [Pass] is a kernel, a [Job] and the [Piece]s of the rows. Rows that have a [Driver], [Rows],
// have their passes made by it: on other machines, or in other processes. Methods never ask for
// one: the design matrices and the columns of landmarks that they read do.
//
//	S = S₁ + S₂ + …, piece by piece in their order
//
// Why bits do not change: the pieces are cut by sizes alone, a piece is computed by one worker in
// one order, and the sums of pieces are added in the order of the pieces ([InOrder]), whatever the
// order in which they come. So plain floating-point sums suffice, and a piece that is computed
// twice, after a fault, is the same piece.
package pass
