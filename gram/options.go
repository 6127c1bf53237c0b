package gram

import "runtime"

// Options say how to compute, never what. The zero value is ready: all cores, no
// memory limit.
type Options struct {
	// Workers is the number of goroutines that compute tiles; 0 means GOMAXPROCS.
	// Results have the same bits for any number.
	Workers int
	// MaxMemory is a hard limit in bytes on what a computation may hold at its peak;
	// 0 means none. A computation that is predicted to exceed it is refused.
	MaxMemory int64
	// Progress, if not nil, is told from time to time how much of the current stage
	// is done. Calls are serialised.
	Progress func(stage string, done, total int64)
}

// WorkerCount returns Workers, or the number of usable cores if it is zero.
func (o Options) WorkerCount() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}
