package newton

import (
	"context"

	"example.org/mercer/internal/compensated"
	"example.org/mercer/internal/parallel"
)

// blockRows is the number of rows that a goroutine takes at a time: sums over blocks are merged in
// their order, so that the number of goroutines changes no bit.
const blockRows = 1 << 13

// eachBlock calls do for blocks of n rows.
func eachBlock(workers, n int, do func(from, to int)) {
	_ = parallel.Each(context.Background(), parallel.Workers(workers), (n+blockRows-1)/blockRows, func(_, b int) {
		do(b*blockRows, min(n, (b+1)*blockRows))
	})
}

// sumBlocks returns the sum of those of blocks of n rows.
func sumBlocks(workers, n int, of func(from, to int) compensated.Sum) float64 {
	sums := make([]compensated.Sum, (n+blockRows-1)/blockRows)
	eachBlock(workers, n, func(from, to int) { sums[from/blockRows] = of(from, to) })
	var all compensated.Sum
	for _, s := range sums {
		all.Merge(s, 1)
	}
	return all.Value()
}
