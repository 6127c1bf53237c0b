package level3

import (
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's implementation of BLAS with a faster level 3 for float64 and
// float32.
// The zero value is ready.
type Implementation struct {
	gonum.Implementation

	// Workers is the number of goroutines that a large product is shared by; 0 means
	// GOMAXPROCS. Results have the same bits for any number.
	Workers int
}

var (
	_ blas.Float64    = Implementation{}
	_ blas.Float32    = Implementation{}
	_ blas.Complex128 = Implementation{}
	_ blas.Complex64  = Implementation{}
)

// each calls f(0) … f(n−1), each once, from at most workers goroutines, one of which is
// the caller's.
func each(workers, n int, f func(i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
