// Package pass makes readings of rows: block by block and in one order, wherever the rows are.
//
//	S = S₁ + S₂ + …, slab by slab in their order
//
// [Reduce] does [Work] with all rows: it adds up sums over slabs, runs of blocks, and passes on
// what is made of each row. [Map], [Features] and [Through] are rows that are made of others each
// time that they are read. [Together] lets several searches, such as those from several starts,
// share their passes, so that a file is read once for all of them.
//
// A pass can be made where the rows are: on other machines, or in other processes. A [Pass] is a
// kernel, a [Job] and the [Piece]s of the rows, and rows that have a [Driver], [Rows], have their
// passes made by it. Methods never ask for one: what they read with does.
//
// Why bits do not change: slabs and pieces are cut by sizes alone, each is computed by one worker
// in one order, and sums are added in the order of the slabs ([InOrder]), whatever the order in
// which they come. So plain floating-point sums suffice, and a piece that is computed twice,
// after a fault, is the same piece.
package pass
