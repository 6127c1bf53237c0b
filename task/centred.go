package task

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// centredPairs is HKH, H = I − 11ᵀ/n: element (i, j) is kᵢⱼ − k̄ᵢ − k̄ⱼ + k̄.
type centredPairs struct {
	kernel.Pairs
	means []float64 // k̄ᵢ, less k̄/2
}

// centred centres a square matrix of pairs by one pass for the means of its rows.
func centred(ctx context.Context, pairs kernel.Pairs, o compute.Options) (kernel.Pairs, error) {
	n, _ := pairs.Dims()
	ones, sums := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		ones.Set(i, 0, 1/float64(n))
	}
	if err := gram.Of(pairs, o).Mul(ctx, sums, ones); err != nil {
		return nil, err
	}
	means := sums.RawMatrix().Data
	floats.AddConst(-floats.Sum(means)/float64(n)/2, means)
	return centredPairs{pairs, means}, nil
}

// Tile takes the means from a tile of K.
func (c centredPairs) Tile(dst kernel.Tile, row, col int) {
	c.Pairs.Tile(dst, row, col)
	for i := range dst.Rows {
		for j, r := 0, dst.Row(i); j < len(r); j++ {
			r[j] -= c.means[row+i] + c.means[col+j]
		}
	}
}
