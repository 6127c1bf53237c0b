package gram

import (
	"context"
	"math"
	"sync"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"mercer/kernel"
)

// Machine holds what a plan needs to know of the machine and of one bound kernel.
// [Calibrate] measures it.
type Machine struct {
	Workers  int     `json:"workers"`
	GemmRate float64 `json:"gemm_flops_per_second"` // matrix products
	CopyRate float64 `json:"bytes_per_second"`      // writing fresh memory
	Cholesky Rate    `json:"cholesky"`
	Eigen    Rate    `json:"eigen"` // counting 9n³ flops
	// PairRate is kernel evaluations per second over all workers. It belongs to one
	// bound kernel and is not calibrated: set it from [PairRate].
	PairRate float64 `json:"pairs_per_second"`
	Memory   int64   `json:"physical_memory"` // bytes; 0 where unknown
	Resident int64   `json:"resident"`        // bytes this process holds already
}

// Rate is the speed of a blocked algorithm as a function of its size n, by Hockney's
// law r(n) = r∞/(1 + n½/n) (R. W. Hockney and C. R. Jesshope, Parallel Computers,
// 1981, §1.3.2): half of the asymptotic speed is reached at n = n½.
type Rate struct {
	Asymptote float64 `json:"asymptote"` // flop/s for n → ∞
	HalfSize  float64 `json:"half_size"` // n½
}

// At returns the speed at size n in flop/s.
func (r Rate) At(n int) float64 { return r.Asymptote / (1 + r.HalfSize/math.Max(1, float64(n))) }

// fitRate returns the law through the speeds s1 at n1 and s2 at n2 > n1. A speed that
// falls with n has no such law; the lower one is then taken for all sizes.
func fitRate(n1 int, s1 float64, n2 int, s2 float64) Rate {
	if s2 <= s1 {
		return Rate{Asymptote: s2}
	}
	// 1/s = (1/r∞) + (n½/r∞)/n is linear in 1/n.
	a, b := 1/float64(n1), 1/float64(n2)
	slope := (1/s1 - 1/s2) / (a - b)
	inverse := max(1/s2-slope*b, 1/(2*s2)) // trust at most a doubling beyond n2
	return Rate{Asymptote: 1 / inverse, HalfSize: (1/s2 - inverse) / b / inverse}
}

var calibrated struct {
	sync.Mutex
	of map[int]Machine
}

// Calibrate measures the machine by timing small pieces of the real work, in about
// 0.4 s; the rates are kept for the life of the process. Resident and Memory are
// read afresh every time.
func Calibrate(ctx context.Context, o Options) (Machine, error) {
	calibrated.Lock()
	defer calibrated.Unlock()
	m, ok := calibrated.of[o.WorkerCount()]
	if !ok {
		var err error
		if m, err = measure(ctx, o); err != nil {
			return Machine{}, err
		}
		if calibrated.of == nil {
			calibrated.of = map[int]Machine{}
		}
		calibrated.of[o.WorkerCount()] = m
	}
	m.Memory, m.Resident = physicalMemory(), residentMemory()
	return m, nil
}

// measure times each piece once; the first call of a piece warms it up.
func measure(ctx context.Context, o Options) (Machine, error) {
	m := Machine{Workers: o.WorkerCount()}
	m.GemmRate = 2 * math.Pow(384, 3) / fastest(2, func() { gemm(384) })
	const fresh = 32 << 20
	m.CopyRate = fresh / fastest(1, func() { touch(fresh) })
	if err := ctx.Err(); err != nil {
		return Machine{}, err
	}
	m.Cholesky = fitRate(256, choleskyRate(256), 768, choleskyRate(768))
	if err := ctx.Err(); err != nil {
		return Machine{}, err
	}
	m.Eigen = fitRate(96, eigenRate(96), 224, eigenRate(224))
	return m, ctx.Err()
}

// fastest returns the shortest of the given number of runs, in seconds.
func fastest(runs int, work func()) float64 {
	best := math.Inf(1)
	for range runs {
		start := time.Now()
		work()
		best = min(best, time.Since(start).Seconds())
	}
	return max(best, 1e-9)
}

func gemm(n int) {
	a := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for i := range a.Data {
		a.Data[i] = 1 / float64(i+1)
	}
	c := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
}

func touch(bytes int) {
	fresh := make([]float64, bytes/8)
	for i := 0; i < len(fresh); i += 512 {
		fresh[i] = 1
	}
}

func trialMatrix(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, math.Exp(-math.Abs(float64(i-j))/8))
		}
	}
	return a
}

func choleskyRate(n int) float64 {
	return math.Pow(float64(n), 3) / 3 / fastest(2, func() { lapack64.Potrf(trialMatrix(n).RawSymmetric()) })
}

func eigenRate(n int) float64 {
	var e mat.EigenSym
	return 9 * math.Pow(float64(n), 3) / fastest(1, func() { e.Factorize(trialMatrix(n), true) })
}

// PairRate measures how many elements of p all workers together compute per second, on
// tiles spread over the matrix, in a few tens of milliseconds.
func PairRate(ctx context.Context, p kernel.Pairs, o Options) (float64, error) {
	rows, cols := p.Dims()
	if rows == 0 || cols == 0 {
		return math.Inf(1), ctx.Err()
	}
	high, wide := min(rows, tileSide), min(cols, tileSide)
	buffers := make([]kernel.Tile, o.WorkerCount())
	for w := range buffers {
		buffers[w] = kernel.NewTile(high, wide)
	}
	run := func(tiles int) (float64, error) {
		start := time.Now()
		err := forEach(ctx, len(buffers), tiles, func(w, i int) {
			p.Tile(buffers[w], (rows-high)*i/tiles, (cols-wide)*((i*7)%tiles)/tiles)
		})
		return max(time.Since(start).Seconds(), 1e-9), err
	}
	tiles := len(buffers)
	for {
		elapsed, err := run(tiles)
		if err != nil {
			return 0, err
		}
		if elapsed > 0.02 || tiles >= 1<<12 {
			return float64(tiles) * float64(high*wide) / elapsed, nil
		}
		tiles *= 4
	}
}
