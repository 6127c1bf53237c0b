// Package distributed makes passes over the rows of a table on an engine for clusters.
//
// A [Table] is compiled files with rows, the shards. Its [Driver] makes a pass so:
//
//  1. The columns, the kernel and the job are written to a [Store], each once, by digest.
//  2. So are the numbers that go along with a piece of the rows. What a piece is named by is a
//     digest of all that its result depends on.
//  3. The [Engine] has a [Worker] work on the pieces whose results are not there.
//  4. A worker reads the columns and the kernel once, computes pieces, and writes results, each as
//     a whole or not at all.
//  5. The driver reads the results, and adds them in the order of the pieces.
//
// A pass is one kind of job. Another is the compilation of files, of which each is a piece
// ([Compiler]).
//
// Why names are digests: a piece that is computed twice, after a fault, by two workers or in the
// run before one that was killed, is the same file with the same bits. So an engine need only do
// each piece at least once.
package distributed
