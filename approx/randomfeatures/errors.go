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
	chosen := chooseSome(rand.New(rand.NewPCG(seed, 0x626c6f636b)), xs.Len(), 2*BlockRows)
	if len(chosen) < 2 {
		return nil, fmt.Errorf("randomfeatures: an approximation is measured on two points at least, there are %d", len(chosen))
	}
	half := len(chosen) / 2
	rows, cols := data.Subset(xs, chosen[:half]), data.Subset(xs, chosen[half:])
	plain := compute.Options{Workers: o.Workers}
	var exact mat.Dense
	if err := gram.Rect(ctx, &exact, kernel.Bind(k.of, rows, cols), plain); err != nil {
		return nil, err
	}
	left, right := mat.NewDense(half, k.Dim(), nil), mat.NewDense(len(chosen)-half, k.Dim(), nil)
	if err := k.mapRows(ctx, tile(left), rows, 0, o.WorkerCount()); err != nil {
		return nil, err
	}
	if err := k.mapRows(ctx, tile(right), cols, 0, o.WorkerCount()); err != nil {
		return nil, err
	}
	e, size, rest := &Errors{Points: len(chosen)}, 0.0, 0.0
	for i := range half {
		for j := range cols.Len() {
			want := exact.At(i, j)
			off := floats.Dot(left.RawRowView(i), right.RawRowView(j)) - want
			e.Max, size, rest = max(e.Max, math.Abs(off)), size+want*want, rest+off*off
		}
	}
	e.RMS = math.Sqrt(rest / float64(e.Compared()))
	if size > 0 {
		e.Block = math.Sqrt(rest / size)
	}
	var err error
	e.Expected, err = k.expected(ctx, rows, cols, left, right)
	return e, err
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
