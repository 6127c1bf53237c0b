package kmeans

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// silhouetteRows is the height of the tiles in which distances are summed, and
// silhouetteCols their width.
const silhouetteRows, silhouetteCols = 32, 512

// Silhouette returns, for every row, (b − a)/max(a, b), with a the mean distance
// √(kᵢᵢ − 2kᵢₗ + kₗₗ) to the other rows of its cluster and b the least mean distance to the
// rows of another; 0 for a row alone in its cluster. Their mean, the other result, is largest for a
// good number of clusters. Rousseeuw, J. Comput. Appl. Math. 20 (1987). All means are
// weighted; nil weights are all ones. Every element
// of the matrix is computed once, and none is kept. It is an error if there are fewer
// than two clusters with rows of positive weight.
func Silhouette(ctx context.Context, g Gram, labels []int, weights []float64, o compute.Options) (values []float64, mean float64, err error) {
	n, cols := g.Dims()
	if n != cols || n != len(labels) || weights != nil && len(weights) != n {
		return nil, 0, fmt.Errorf("kmeans: %d labels and %d weights for the silhouette of a %d×%d matrix", len(labels), len(weights), n, cols)
	}
	s := &silhouettes{pairs: g.Pairs(), labels: labels, diag: make([]float64, n), weights: weights}
	if weights == nil {
		s.weights = slices.Repeat([]float64{1}, n)
	}
	if err := s.weigh(); err != nil {
		return nil, 0, err
	}
	kernel.Diag(s.pairs, s.diag)
	values = make([]float64, n)
	pieces := (n + silhouetteRows - 1) / silhouetteRows
	err = parallel.Each(ctx, o.WorkerCount(), pieces, func(_, p int) {
		from, to := p*silhouetteRows, min(n, (p+1)*silhouetteRows)
		sums, k := s.distances(ctx, from, to), len(s.masses)
		for i := from; i < to; i++ {
			values[i] = s.value(i, sums[(i-from)*k:(i-from+1)*k])
		}
	})
	if err != nil {
		return nil, 0, err
	}
	total := floats.Sum(s.weights)
	for i, v := range values {
		mean += s.weights[i] / total * v
	}
	return values, mean, nil
}

// silhouettes is what those of all rows share.
type silhouettes struct {
	pairs         kernel.Pairs
	labels        []int
	diag, weights []float64
	masses        []float64 // of the clusters
	sizes         []int     // rows of positive weight
}

// weigh fills masses and sizes.
func (s *silhouettes) weigh() error {
	occupied := 0
	for i, j := range s.labels {
		if j < 0 || j >= len(s.labels) {
			return fmt.Errorf("kmeans: label %d is %d: number the clusters without gaps from 0", i, j)
		}
		for len(s.masses) <= j {
			s.masses, s.sizes = append(s.masses, 0), append(s.sizes, 0)
		}
		s.masses[j] += s.weights[i]
		if s.weights[i] > 0 {
			if s.sizes[j]++; s.sizes[j] == 1 {
				occupied++
			}
		}
	}
	if occupied < 2 {
		return fmt.Errorf("kmeans: a silhouette needs at least two clusters with rows")
	}
	return nil
}

// distances adds up the weighted distances of some rows to the rows of each cluster.
func (s *silhouettes) distances(ctx context.Context, from, to int) []float64 {
	n, k := len(s.diag), len(s.masses)
	sums, tile := make([]float64, (to-from)*k), kernel.NewTile(to-from, min(silhouetteCols, n))
	for col := 0; col < n && ctx.Err() == nil; col += silhouetteCols {
		tile.Cols = min(silhouetteCols, n-col)
		s.pairs.Tile(tile, from, col)
		for i := range to - from {
			row := sums[i*k : (i+1)*k]
			for c, v := range tile.Row(i) {
				if l := col + c; l != from+i {
					row[s.labels[l]] += s.weights[l] * math.Sqrt(max(0, s.diag[from+i]-2*v+s.diag[l]))
				}
			}
		}
	}
	return sums
}

// value is the silhouette of one row, from the sums of its distances.
func (s *silhouettes) value(i int, sums []float64) float64 {
	own, others := s.labels[i], s.sizes[s.labels[i]]
	if s.weights[i] > 0 {
		others--
	}
	if others == 0 {
		return 0
	}
	a, b := sums[own]/(s.masses[own]-s.weights[i]), math.Inf(1)
	for j, sum := range sums {
		if j != own && s.sizes[j] > 0 {
			b = min(b, sum/s.masses[j])
		}
	}
	if top := max(a, b); top > 0 {
		return (b - a) / top
	}
	return 0
}
