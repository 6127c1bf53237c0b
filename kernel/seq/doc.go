// Package seq holds kernels on sequences: DNA, RNA, proteins, text by bytes, characters or
// words (see [Alphabet]).
//
// The [Spectrum] kernel is the inner product of the counts of k-mers, the words of k
// symbols that occur. A [Trie] holds these counts, and two tries are compared by walking
// through what they have in common: the readable definition. Bound to sets of sequences,
// the counts of all words are listed once, and tiles add up the lists. [Bounded] adds the
// spectrum kernels of several lengths.
//
// [Mismatch] and [GKM] also compare words that are not equal: they are sums of a function of
// the Hamming distance over all pairs of words, and tiles count the pairs at each distance
// without looking at all of them.
//
// [Subsequence], [Degree] and [Align] are computed pair by pair, by dynamic programming or
// along diagonals.
package seq
