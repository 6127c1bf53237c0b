package kmeans

import (
	"context"
	"fmt"
	"math"
	"slices"

	"mercer/gram"
	"mercer/internal/parallel"
	"mercer/kernel"
)

// silhouetteRows is the height of the tiles in which distances are summed, and
// silhouetteCols their width.
const silhouetteRows, silhouetteCols = 32, 512

// Silhouette returns, for every row, (b − a)/max(a, b), with a the mean distance
// √(kᵢᵢ − 2kᵢₗ + kₗₗ) to the other rows of its cluster and b the least mean distance to the
// rows of another; 0 for a row alone in its cluster. Their mean, the other result, is largest for a
// good number of clusters. Rousseeuw, J. Comput. Appl. Math. 20 (1987). Every element
// of the matrix is computed once, and none is kept. It is an error if there are fewer
// than two clusters with rows.
func Silhouette(ctx context.Context, g Gram, labels []int, o gram.Options) (values []float64, mean float64, err error) {
	n, cols := g.Dims()
	if n != cols || n != len(labels) {
		return nil, 0, fmt.Errorf("kmeans: %d labels for the silhouette of a %d×%d matrix", len(labels), n, cols)
	}
	var sizes []int
	for i, j := range labels {
		if j < 0 || j >= n {
			return nil, 0, fmt.Errorf("kmeans: label %d is %d: number the clusters without gaps from 0", i, j)
		}
		for len(sizes) <= j {
			sizes = append(sizes, 0)
		}
		sizes[j]++
	}
	if n == 0 || slices.Max(sizes) == n {
		return nil, 0, fmt.Errorf("kmeans: a silhouette needs at least two clusters with rows")
	}
	pairs, diag := g.Pairs(), make([]float64, n)
	kernel.Diag(pairs, diag)
	values = make([]float64, n)
	pieces := (n + silhouetteRows - 1) / silhouetteRows
	err = parallel.Each(ctx, o.WorkerCount(), pieces, func(_, p int) {
		from, to := p*silhouetteRows, min(n, (p+1)*silhouetteRows)
		sums := distanceSums(ctx, pairs, diag, labels, len(sizes), from, to)
		for i := from; i < to; i++ {
			values[i] = silhouette(sums[(i-from)*len(sizes):(i-from+1)*len(sizes)], sizes, labels[i])
		}
	})
	if err != nil {
		return nil, 0, err
	}
	for _, v := range values {
		mean += v / float64(n)
	}
	return values, mean, nil
}

// distanceSums adds up the distances of some rows to the rows of each cluster.
func distanceSums(ctx context.Context, pairs kernel.Pairs, diag []float64, labels []int, k, from, to int) []float64 {
	n, sums := len(diag), make([]float64, (to-from)*k)
	tile := kernel.NewTile(to-from, min(silhouetteCols, n))
	for col := 0; col < n && ctx.Err() == nil; col += silhouetteCols {
		tile.Cols = min(silhouetteCols, n-col)
		pairs.Tile(tile, from, col)
		for i := range to - from {
			row := sums[i*k : (i+1)*k]
			for c, v := range tile.Row(i) {
				if l := col + c; l != from+i {
					row[labels[l]] += math.Sqrt(max(0, diag[from+i]-2*v+diag[l]))
				}
			}
		}
	}
	return sums
}

// silhouette is that of one row, from the sums of its distances.
func silhouette(sums []float64, sizes []int, own int) float64 {
	if sizes[own] == 1 {
		return 0
	}
	a, b := sums[own]/float64(sizes[own]-1), math.Inf(1)
	for j, s := range sums {
		if j != own && sizes[j] > 0 {
			b = min(b, s/float64(sizes[j]))
		}
	}
	if top := max(a, b); top > 0 {
		return (b - a) / top
	}
	return 0
}
