package level3

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's implementation of BLAS with a faster level 3 for float64.
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

// sharedFlops is the size of a product below which goroutines cost more than they give.
const sharedFlops = 4 << 20

// workers returns how many goroutines a product of so many multiply-adds deserves.
func (impl Implementation) workers(m, n, k int) int {
	switch {
	case 2*float64(m)*float64(n)*float64(k) < sharedFlops:
		return 1
	case impl.Workers > 0:
		return impl.Workers
	}
	return runtime.GOMAXPROCS(0)
}

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
