package parallel

import "context"

// SumBlocks adds up p numbers over n rows: add is called once for every block of rows
// from ≤ i < to, at most size of them, and adds the share of these rows to sum. Blocks run on
// the given number of workers (0 means all cores) and are added in order, so the result has the
// same bits for any number. It returns the error of ctx if that ends first.
func SumBlocks(ctx context.Context, workers, n, size, p int, add func(sum []float64, from, to int)) ([]float64, error) {
	blocks := (n + size - 1) / size
	partial := make([]float64, blocks*p)
	err := Each(ctx, Workers(workers), blocks, func(_, b int) {
		add(partial[b*p:(b+1)*p], b*size, min(n, (b+1)*size))
	})
	if err != nil {
		return nil, err
	}
	total := make([]float64, p)
	for b := range blocks {
		for j, v := range partial[b*p : (b+1)*p] {
			total[j] += v
		}
	}
	return total, nil
}
