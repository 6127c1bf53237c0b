// Package seq holds kernels on sequences, which are strings of bytes: DNA, proteins,
// text.
//
// The [Spectrum] kernel is the inner product of the counts of k-mers, the substrings of
// length k. A [Trie] holds these counts, and two tries are compared by walking through
// what they have in common.
package seq
