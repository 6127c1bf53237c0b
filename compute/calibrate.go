package compute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

var calibrated struct {
	sync.Mutex
	of     map[int]Machine
	folder string // of KeepRates
}

// Calibrate measures the machine by timing small pieces of the real work, in about
// 0.4 s; the rates are kept for the life of the process, and by [KeepRates] for a day. Resident and
// Memory are read afresh every time.
func Calibrate(ctx context.Context, o Options) (Machine, error) {
	calibrated.Lock()
	defer calibrated.Unlock()
	m, ok := calibrated.of[o.WorkerCount()]
	if !ok {
		var err error
		if m, err = keptOrMeasured(ctx, calibrated.folder, o); err != nil {
			return Machine{}, err
		}
		if calibrated.of == nil {
			calibrated.of = map[int]Machine{}
		}
		calibrated.of[o.WorkerCount()] = m
	}
	debug.FreeOSMemory() // garbage is not held by the work that is planned
	m.Memory, m.Resident = physicalMemory(), ResidentMemory()+workingBytes
	return m, nil
}

// freshRuns is how often fresh memory is timed. The first pages that are touched are cold, see
// [Machine.FreshSeconds], and later ones those that were given back.
const freshRuns = 3

// workingBytes is what a process that begins to compute takes beside its buffers: pages of its
// program, stacks, and the garbage that is left before the collector runs at all.
const workingBytes = 10 << 20

// measure times each piece, the best of a few runs: other work on the machine only
// ever makes a run slower.
func measure(ctx context.Context, o Options) (Machine, error) {
	m := Machine{Workers: o.WorkerCount()}
	watch := StartStopwatch()
	m.GemmRate = 2 * math.Pow(768, 3) / Fastest(4, func() { gemm(768, m.Workers) })
	m.SingleGemmRate = 2 * math.Pow(768, 3) / Fastest(4, func() { singleGemm(768, m.Workers) })
	m.Share = watch.Share(m.Workers)
	var fresh []float64
	for run := range freshRuns {
		fresh = nil
		debug.FreeOSMemory() // memory that the heap has kept is not fresh
		rate := calibrationBytes / Fastest(1, func() {
			fresh = pages.Make[float64](calibrationBytes / 8) // may clear, and so touch, what was used before
			touch(fresh)
		})
		if m.CopyRate = max(m.CopyRate, rate); run == 0 {
			m.ColdRate = rate
		}
	}
	m.ReadRate = calibrationBytes / Fastest(2, func() { floats.Sum(fresh) })
	if err := ctx.Err(); err != nil {
		return Machine{}, err
	}
	// For large n a factorisation is as fast as the matrix products that it consists of.
	speed, err := measureSpeed(ctx, o, 1024, CholeskyFlops, func(a *mat.SymDense, lo linalg.Options) error {
		_, err := linalg.Factor(ctx, a, 1, lo)
		return err
	})
	if err != nil {
		return Machine{}, err
	}
	m.Cholesky = rateThrough(1024, speed, m.GemmRate)
	// Half of the reduction to tridiagonal form moves at the speed of memory: 0.4 to 0.6 of
	// the rate of products was measured for n from 1000 to 4000.
	speed, err = measureSpeed(ctx, o, 512, eigenFlops, func(a *mat.SymDense, lo linalg.Options) error {
		_, err := linalg.EigenSym(ctx, a, lo)
		return err
	})
	if err != nil {
		return Machine{}, err
	}
	m.Eigen = rateThrough(512, speed, 0.55*m.GemmRate)
	debug.FreeOSMemory() // what was timed is no part of what the process holds
	return m, nil
}

// Fastest returns the shortest of the given number of runs, in seconds.
func Fastest(runs int, work func()) float64 {
	best := math.Inf(1)
	for range runs {
		watch := StartStopwatch()
		work()
		best = min(best, watch.Seconds())
	}
	return best
}

// gemm multiplies two n×n matrices.
func gemm(n, workers int) {
	a := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for i := range a.Data {
		a.Data[i] = 1 / float64(i+1)
	}
	c := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	level3.Implementation{Workers: workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
}

// singleGemm is gemm in single precision.
func singleGemm(n, workers int) {
	a, c := make([]float32, n*n), make([]float32, n*n)
	for i := range a {
		a[i] = 1 / float32(i+1)
	}
	level3.Implementation{Workers: workers}.Sgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
}

// calibrationBytes is the size of the memory that is touched and read.
const calibrationBytes = 16 << 20

// touch writes to every page of fresh memory, which is when the system provides it.
func touch(fresh []float64) {
	for i := 0; i < len(fresh); i += 512 {
		fresh[i] = 1
	}
}

// trialMatrix returns exp(−|i−j|/8), a positive definite matrix.
func trialMatrix(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, math.Exp(-math.Abs(float64(i-j))/8))
		}
	}
	return a
}

// measureSpeed returns the flops per second of the best of three runs at size n.
func measureSpeed(ctx context.Context, o Options, n int, flops func(n int) float64, run func(a *mat.SymDense, o linalg.Options) error) (float64, error) {
	a, failure := trialMatrix(n), error(nil)
	elapsed := Fastest(3, func() {
		failure = errors.Join(failure, ctx.Err(), run(a, linalg.Options{Workers: o.Workers}))
	})
	if failure != nil {
		return 0, fmt.Errorf("compute: calibration: %w", failure)
	}
	return flops(n) / elapsed, nil
}

// WithPairs returns the machine with the rates of the kernel p: that of double
// precision and, where o asks for single precision, that too.
func (m Machine) WithPairs(ctx context.Context, p kernel.Pairs, o Options) (Machine, error) {
	asked := o.Precision
	for _, o.Precision = range []Precision{Double, Single} {
		if o.Precision > asked {
			break
		}
		rate, err := PairRate(ctx, p, o)
		if err != nil {
			return m, err
		}
		if o.Precision == Single {
			m.SinglePairRate = rate
		} else {
			m.PairRate = rate
		}
	}
	return m, nil
}

// trialSide is the side of the largest tile that is timed, that of a Gram matrix.
const trialSide = 128

// PairRate measures how many elements of p all workers together compute per second at
// the precision of o, on tiles spread over the matrix: in a few tens of milliseconds, and where the
// matrix is small in about as long as it takes itself. Without any element it returns 0, unknown.
func PairRate(ctx context.Context, p kernel.Pairs, o Options) (float64, error) {
	rows, cols := p.Dims()
	if rows == 0 || cols == 0 {
		return 0, ctx.Err()
	}
	fill := fillDouble(p, o.WorkerCount())
	if o.Precision == Single {
		fill = fillSingle(p, o.WorkerCount())
	}
	const enough, least = 0.02, 0.002 // seconds
	fill(0, 1, 1, 0, 0)               // what is made when it is first asked for is not part of the rate
	// Begin with small tiles: a kernel on graphs may take a millisecond for one pair.
	for side, tiles := 8, o.WorkerCount(); ; {
		high, wide := min(rows, side), min(cols, side)
		once := func() (seconds float64, err error) {
			watch := StartStopwatch()
			err = parallel.Each(ctx, o.WorkerCount(), tiles, func(w, i int) {
				fill(w, high, wide, (rows-high)*i/tiles, (cols-wide)*((i*7)%tiles)/tiles)
			})
			return watch.Seconds(), err
		}
		elapsed, err := once()
		if err == nil && elapsed > enough { // or something else ran meanwhile
			var again float64
			again, err = once()
			elapsed = min(elapsed, again)
		}
		if err != nil {
			return 0, err
		}
		switch {
		case elapsed > enough || tiles >= 1<<14 || elapsed > least && tiles*high*wide >= rows*cols:
			return float64(tiles) * float64(high*wide) / elapsed, nil
		case side < trialSide:
			side *= 4
		default:
			tiles *= 4
		}
	}
}

// fillDouble returns a function that computes a tile in a buffer of its worker.
func fillDouble(p kernel.Pairs, workers int) func(worker, rows, cols, row, col int) {
	buffers := make([]kernel.Tile, workers)
	for w := range buffers {
		buffers[w] = kernel.NewTile(trialSide, trialSide)
	}
	return func(worker, rows, cols, row, col int) {
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: cols, Data: buffers[worker].Data}, row, col)
	}
}

// fillSingle is fillDouble in single precision.
func fillSingle(p kernel.Pairs, workers int) func(worker, rows, cols, row, col int) {
	buffers := make([]kernel.Tile32, workers)
	for w := range buffers {
		buffers[w] = kernel.NewTile32(trialSide, trialSide)
	}
	return func(worker, rows, cols, row, col int) {
		kernel.Fill32(p, kernel.Tile32{Rows: rows, Cols: cols, Stride: cols, Data: buffers[worker].Data}, row, col)
	}
}
