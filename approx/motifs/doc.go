// Package motifs makes explicit features of the kernels of a single layer that compare words
// (construction.Words): the Nyström map of convolutional kernel networks on sequences.
//
// A word of K symbols is a matrix u of zeros and ones, of length √K. With motifs z₁ … z_m,
// matrices of length 1,
//
//	φ(x) = (κ(ZᵀZ) + εI)^(−1/2) Σ_{u in x} κ(Zᵀu/√K),   κ(t) = exp((t − 1)/σ²),
//
// so that ⟨φ(x), φ(y)⟩ is k(x, y), up to ε, where all words of x or of y are motifs, and near it
// elsewhere. [Learn] finds motifs by spherical k-means on words of the training points. The sum of
// words of one symbol in each place has the same sum in each column: a motif is a table of the
// frequencies of symbols in K places, up to a factor, and can be drawn as a sequence logo.
//
// # Computation
//
//  1. Zᵀu is a sum of K rows of a table of m numbers: Km additions a word;
//  2. exponentials are taken, m a word, in single precision, and added up in double precision;
//  3. the sums are multiplied by the inverse root, 2m² flops a point; for a normalised kernel
//     the result is divided by its length.
//
// The bits of a point depend on nothing but itself.
//
// D. Chen, L. Jacob and J. Mairal, Biological sequence modeling with convolutional kernel
// networks, Bioinformatics 35, 2019. Sequence logos: T. D. Schneider and R. M. Stephens, Nucleic
// Acids Research 18, 1990.
package motifs
