package compute

import (
	"fmt"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Options say how to compute, never what. The zero value is ready: all cores, no
// memory limit.
type Options struct {
	// Workers is the number of goroutines that compute tiles; 0 means GOMAXPROCS.
	// Results have the same bits for any number.
	Workers int
	// MaxMemory is a hard limit in bytes on what a computation may hold at its peak;
	// 0 means none. A computation that is predicted to exceed it is refused.
	MaxMemory int64
	// Progress, if not nil, is told how much of a stage is done: first nothing, then more, and
	// all in the end. A stage may begin within another one. Calls are serialised.
	Progress func(stage string, done, total int64)
	// Precision is that of tiles, caches and factors; the zero value is Double. What
	// is returned is float64 in any case, and what a method certifies (a residual, a
	// gap) is computed in double precision.
	Precision Precision
	// Store, if not nil, keeps tiles for other computations and other runs, such as
	// example.org/mercer/gram/store does on disk. Results have the same bits with and without it.
	Store kernel.TileCache
	// Checkpoint, if not nil, is what a computation that lasts goes on from after it was killed.
	Checkpoint Checkpoint
	// KeepFactors also keeps there what has as many numbers as a matrix: a Cholesky factor of n
	// rows, 4n² bytes, and an eigendecomposition, 16n².
	KeepFactors bool
}

// Precision is the width of the numbers in tiles.
type Precision int

const (
	// Double is float64.
	Double Precision = iota
	// Single is float32: half the memory, about twice the speed.
	Single
)

// String returns "double" or "single".
func (p Precision) String() string {
	if p == Single {
		return "single"
	}
	return "double"
}

// ParsePrecision returns the precision of a name.
func ParsePrecision(name string) (Precision, error) {
	for _, p := range []Precision{Double, Single} {
		if p.String() == name {
			return p, nil
		}
	}
	return 0, fmt.Errorf("%q is not known; there are %s, %s", name, Double, Single)
}

// Bytes returns the size of one number, 8 or 4.
func (p Precision) Bytes() int64 {
	if p == Single {
		return 4
	}
	return 8
}

// WorkerCount returns Workers, or the number of usable cores if it is zero; of a number beyond what
// this machine can use, what it can.
func (o Options) WorkerCount() int { return parallel.Workers(o.Workers) }
