package rkhs

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// LipschitzPair is the pair of points between which a function changes most for their distance:
// its ratio is the least Lipschitz constant of the function on the points, in the metric of H.
type LipschitzPair struct {
	I     int     `json:"i"` // −1 where no pair could be compared
	J     int     `json:"j"`
	Ratio float64 `json:"ratio"` // |f(xᵢ) − f(xⱼ)|/‖φ(xᵢ) − φ(xⱼ)‖
	Rise  float64 `json:"rise"`  // |f(xᵢ) − f(xⱼ)|
	Run2  float64 `json:"run2"`  // ‖φ(xᵢ) − φ(xⱼ)‖²
	// Close is the number of pairs left out because their distance is lost in rounding, or
	// negative: ‖φ(xᵢ) − φ(xⱼ)‖² below 10⁻⁸(|kᵢᵢ| + |kⱼⱼ|).
	Close int64 `json:"close"`
}

// resolution is the squared distance of two points, relative to their norms, from which on
// the rounding of kernel values does not move a ratio by more than 10⁻⁷.
const resolution = 1e-8

// slopeRows is how many rows of the matrix are read between two checks of ctx.
const slopeRows = 64

// LargestSlope finds among all pairs of points the largest |f(xᵢ) − f(xⱼ)|/‖φ(xᵢ) − φ(xⱼ)‖, which
// by the Cauchy–Schwarz inequality is at most ‖f‖ for every f in H, with or without a
// constant. values are f(xᵢ). Of equal ratios the first pair counts. Every kernel value
// above the diagonal is computed once and none is kept.
func LargestSlope(ctx context.Context, p kernel.Pairs, values []float64, o compute.Options) (*LipschitzPair, error) {
	n, cols := p.Dims()
	if n != cols || len(values) != n {
		return nil, fmt.Errorf("rkhs: %d values of a function at the points of a %d×%d Gram matrix", len(values), n, cols)
	}
	diag := make([]float64, n)
	kernel.Diag(p, diag)
	blocks := (n + slopeRows - 1) / slopeRows
	found, workers := make([]LipschitzPair, blocks), max(1, min(o.WorkerCount(), blocks))
	buffers := make([][]float64, workers)
	err := parallel.Each(ctx, workers, blocks, func(worker, b int) {
		if buffers[worker] == nil {
			buffers[worker] = make([]float64, slopeRows*tileCols)
		}
		found[b] = largestSlopeOf(ctx, p, values, diag, b*slopeRows, buffers[worker])
	})
	if err != nil {
		return nil, err
	}
	best := &LipschitzPair{I: -1, J: -1}
	for _, s := range found {
		s.Close += best.Close
		if s.I >= 0 && (best.I < 0 || s.Ratio > best.Ratio) {
			*best = s
		}
		best.Close = s.Close
	}
	return best, nil
}

// largestSlopeOf is [LargestSlope] of the pairs (i, j), j > i, of a block of rows i.
func largestSlopeOf(ctx context.Context, p kernel.Pairs, values, diag []float64, row int, buffer []float64) LipschitzPair {
	n, best := len(values), LipschitzPair{I: -1, J: -1}
	rows := min(slopeRows, n-row)
	for col := row; col < n && ctx.Err() == nil; col += tileCols {
		width := min(tileCols, n-col)
		t := kernel.Tile{Rows: rows, Cols: width, Stride: width, Data: buffer[:rows*width]}
		p.Tile(t, row, col)
		for i := range rows {
			for j, k := range t.Row(i) {
				at := row + i
				if col+j <= at {
					continue
				}
				run2 := diag[at] + diag[col+j] - 2*k
				if !(run2 > resolution*(math.Abs(diag[at])+math.Abs(diag[col+j]))) {
					best.Close++
					continue
				}
				rise := math.Abs(values[at] - values[col+j])
				if ratio := rise / math.Sqrt(run2); best.I < 0 || ratio > best.Ratio {
					best.I, best.J, best.Ratio, best.Rise, best.Run2 = at, col+j, ratio, rise, run2
				}
			}
		}
	}
	return best
}
