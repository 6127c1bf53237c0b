package kmeans

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// Columns is what a [Gram] may offer beyond products: the kernel bound to all rows and to
// some of them as columns. Most iterations of [Solve] then correct the sums for the rows that
// went to another cluster, without a product with the whole matrix: c rows take n·c kernel values
// instead of n²/2.
type Columns interface {
	Columns(rows []int) kernel.Pairs
}

// Sums are computed anew, and not corrected, when
//
//   - more than 1/maxCorrectedPart of the rows move: their columns have more elements than a
//     triangle;
//   - maxCorrectedPasses times all rows have moved: their rounding errors are those of as many
//     products;
//   - maxCorrections corrections have been made. Each rounds the sum once more, and 64·2⁻⁵³ is well
//     below what counts as a tie.
const (
	maxCorrectedPart   = 2
	maxCorrectedPasses = 2
	maxCorrections     = 64
)

// keptColumns is the least number of columns, for each cluster, of a correction that is written to
// a checkpoint. A smaller one is computed again about as fast as it is read.
const keptColumns = 64

// columnStream is the stream of a kernel on points, which can be bound by the column.
type columnStream[T any] struct {
	*gram.Stream
	k  kernel.Kernel[T]
	xs data.Set[T]
}

func (p columnStream[T]) Columns(rows []int) kernel.Pairs {
	return kernel.Bind(p.k, p.xs, data.Subset(p.xs, rows))
}

// Streams reports whether the values of a kernel are computed in every pass, and never stored:
// those that come in tiles, of which a few rows that moved need no more than theirs.
func Streams(p kernel.Pairs) bool {
	_, tiles := p.(kernel.Single)
	return tiles
}

// BindGram returns the Gram matrix of points as [Fit] wants it, and where its elements
// are, a word of [gram.CachedOperator].
func BindGram[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], clusters int, o compute.Options) (Gram, string, error) {
	pairs := kernel.Bind(k, xs, xs)
	if Streams(pairs) {
		return columnStream[T]{gram.Of(pairs, o), k, xs}, gram.InStream, nil
	}
	beside := 8 * 4 * int64(xs.Len()) * int64(clusters)
	return gram.CachedOperator(ctx, pairs, beside, o)
}

// kernelSums are Sᵢⱼ = Σ_{l∈j} w_l k(xᵢ, x_l) at some labels.
type kernelSums struct {
	*mat.Dense
	labels        []int // those of S; nil before the first product
	corrected     int   // how often since the last product
	correctedRows int   // and for how many rows
}

// update brings S to the labels of c.
func (s *kernelSums) update(ctx context.Context, c *kernelRun) error {
	moved := s.changedRows(c.labels)
	columns, ok := c.g.(Columns)
	if !ok || s.labels == nil || s.corrected == maxCorrections ||
		len(moved)*maxCorrectedPart > len(c.labels) || s.correctedRows+len(moved) > maxCorrectedPasses*len(c.labels) {
		s.corrected, s.correctedRows = 0, 0
		members := mat.NewDense(len(c.labels), c.k, nil)
		for i, j := range c.labels {
			members.Set(i, j, c.w[i])
		}
		s.labels = append(s.labels[:0], c.labels...)
		return gram.Checkpointed(c.g, c.compute).Mul(ctx, s.Dense, members)
	}
	if len(moved) == 0 {
		return nil
	}
	change := mat.NewDense(len(moved), c.k, nil)
	for r, i := range moved {
		change.Set(r, s.labels[i], -c.w[i])
		change.Set(r, c.labels[i], c.w[i])
		s.labels[i] = c.labels[i]
	}
	var add mat.Dense
	some := gram.Operator(gram.Cross(columns.Columns(moved), c.compute))
	if len(moved) >= keptColumns*c.k {
		some = gram.Checkpointed(some, c.compute)
	}
	if err := some.Mul(ctx, &add, change); err != nil {
		return err
	}
	s.Add(s.Dense, &add)
	s.corrected++
	s.correctedRows += len(moved)
	return nil
}

// changedRows returns the rows whose labels are not those of S.
func (s *kernelSums) changedRows(labels []int) []int {
	var rows []int
	for i := range s.labels {
		if s.labels[i] != labels[i] {
			rows = append(rows, i)
		}
	}
	return rows
}
