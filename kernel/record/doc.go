// Package record holds kernels on records: rows of a table whose columns have different
// types. A [Record] has numbers, on which the kernels of package vec work, and cells,
// such as strings and graphs, on which those of a [Language] do. In one expression they
// are added and multiplied,
//
//	rbf(sigma=1)[age,income] + spectrum(k=3)[dna] * normalize(of=walk(k=2)[molecule])
//
// because a kernel on a part of a record is a kernel on records: k(x, y) = kₚ(p(x), p(y))
// for the projection p on the part, which is positive definite where kₚ is (a [Part]).
// Selections in brackets name the part. Each part is bound once, as its own family binds
// it; the algebra joins them tile by tile.
//
// A cell comes from a file as text, and its language reads it: a sequence is the text
// itself, a graph is written as one line. So whatever keeps tables and models keeps text
// alone. [Dictionary] makes a dictionary of expressions from a [Schema] and languages,
// [Complete] finds the cells that an expression compares.
package record
