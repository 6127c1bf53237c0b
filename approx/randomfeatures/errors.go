package randomfeatures

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// BlockRows is the number of rows, and of columns, of the block on which [Kernel.Errors]
// compares elements.
const BlockRows = 200

// varianceRows is the number of rows and columns of it for which the variance is computed.
const varianceRows = 32

// Errors say how far ⟨z(x), z(y)⟩ is from k(x, y) on a block of kernel values between random
// points.
type Errors struct {
	Max float64 `json:"max"` // the largest |k̃ − k|
	RMS float64 `json:"rms"` // the root of the mean of (k̃ − k)²
	// Expected is what the formulas of the variance say for RMS: the root of the mean variance
	// over what is drawn, or of its bound for sketches of products. Orthogonal frequencies are
	// taken for independent ones. 0: nothing is drawn.
	Expected float64 `json:"expected"`
	// Block is ‖K̃ − K‖_F/‖K‖_F.
	Block float64 `json:"block"`
	// Points is how many were compared, rows and columns of the block together.
	Points int `json:"points_compared"`
}

// Compared returns the number of kernel values of the block.
func (e *Errors) Compared() int { return e.Points / 2 * (e.Points - e.Points/2) }

// Errors measures the features on random points of xs, [BlockRows] rows and as many columns, or
// halves of the points where there are fewer.
func (k *Kernel[T]) Errors(ctx context.Context, xs data.Set[T], seed uint64, o compute.Options) (*Errors, error) {
	c, err := Compare(ctx, k.of, kernel.RowMapped[T](k), xs, 2*BlockRows, seed, o)
	if err != nil {
		return nil, err
	}
	c.Expected, err = k.expected(ctx, c.rows, c.cols, c.left, c.right)
	return &c.Errors, err
}

// Comparison is what [Compare] found.
type Comparison[T any] struct {
	Errors
	rows, cols  data.Set[T]
	left, right *mat.Dense // their features
}

// Compare measures how far the features of a map are from a kernel, between one half of so many
// random points and the other.
func Compare[T any](ctx context.Context, of kernel.Kernel[T], by kernel.RowMapped[T], xs data.Set[T], points int, seed uint64, o compute.Options) (*Comparison[T], error) {
	chosen := chooseSome(rand.New(rand.NewPCG(seed, 0x626c6f636b)), xs.Len(), points)
	if len(chosen) < 2 {
		return nil, fmt.Errorf("randomfeatures: an approximation is measured on two points at least, there are %d", len(chosen))
	}
	half := len(chosen) / 2
	c := &Comparison[T]{Errors: Errors{Points: len(chosen)}, rows: data.Subset(xs, chosen[:half]), cols: data.Subset(xs, chosen[half:])}
	var exact mat.Dense
	if err := gram.Rect(ctx, &exact, kernel.Bind(of, c.rows, c.cols), compute.Options{Workers: o.Workers}); err != nil {
		return nil, err
	}
	dim, _ := by.Features(xs.At(0))
	c.left, c.right = mat.NewDense(half, dim, nil), mat.NewDense(len(chosen)-half, dim, nil)
	by.MapRows(tile(c.left), c.rows, 0)
	by.MapRows(tile(c.right), c.cols, 0)
	size, rest := 0.0, 0.0
	for i := range half {
		for j := range c.cols.Len() {
			want := exact.At(i, j)
			off := floats.Dot(c.left.RawRowView(i), c.right.RawRowView(j)) - want
			c.Max, size, rest = max(c.Max, math.Abs(off)), size+want*want, rest+off*off
		}
	}
	c.RMS = math.Sqrt(rest / float64(c.Compared()))
	if size > 0 {
		c.Block = math.Sqrt(rest / size)
	}
	return c, nil
}

// expected is the root of the mean variance on a part of the block.
func (k *Kernel[T]) expected(ctx context.Context, rows, cols data.Set[T], left, right *mat.Dense) (float64, error) {
	sum, count := 0.0, 0
	for i := range min(varianceRows, rows.Len()) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for j := range min(varianceRows, cols.Len()) {
			sum += k.z.variance(rows.At(i), cols.At(j), left.RawRowView(i), right.RawRowView(j))
			count++
		}
	}
	return math.Sqrt(sum / float64(count)), nil
}

// chooseSome draws count of n different numbers, each set with the same probability, in random
// order (R. W. Floyd; Bentley and Floyd, Communications of the ACM 30, 1987).
func chooseSome(r *rand.Rand, n, count int) []int {
	var out []int
	for j := max(0, n-count); j < n; j++ {
		t := r.IntN(j + 1)
		if slices.Contains(out, t) {
			t = j
		}
		out = append(out, t)
	}
	r.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}
