// Package gram makes Gram matrices of bound kernels, or avoids making them.
//
// # Views
//
// The same [kernel.Pairs] can be viewed as an operator that multiplies without ever
// being stored ([Of], [Cross]: conjugate gradients, Lanczos, prediction), as a dense
// or packed matrix ([Dense], [PackedOf], [Rect]: Cholesky, spectra), row by row
// ([Stream.Rows], [Export]), or reduced row by row ([Stream.RowSums], [Stream.ArgMax]). All views
// read the same elements, and the symmetric operators sum them in the same order, so they agree to
// the last bit for any number of workers. [Precomputed] is a kernel whose elements were computed
// elsewhere.
//
// What is said of bits assumes a kernel with k(x, y) = k(y, x) to the last bit, which
// kerneltest checks.
//
// # Rows
//
// A [Source] is rows of which any can be bound to any, for solvers that look at parts of the
// matrix: points with their kernel ([On]) or a matrix ([RowsOf]).
//
// # Transformations
//
// [Centre] and [Centring] move the origin of the feature space to the mean of the
// training points, for the matrix, for an operator, and for new points. [Spectrum] and
// [EffectiveDimension] measure a matrix.
//
// # Plans
//
// The package also knows what work costs before it starts. [compute.Calibrate] and
// [compute.PairRate] measure the machine and the kernel in a fraction of a second; functions such
// as [DenseGramCost] predict the memory and the time of a stage; a [compute.Plan] adds them up, and
// [compute.CheckMemory] refuses what would exceed a limit, with the alternatives.
package gram
