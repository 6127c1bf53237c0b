package engine

import (
	"cmp"
	"runtime"

	"example.org/mercer/compute"
)

// costs are those of passes beside their work, measured (docs/results/cluster.md). A job server
// that is not known is taken to be as Flink is.
var costs = map[string]compute.PassCost{
	"prism":    {Overhead: 0.02, Slowdown: 1},
	"flink":    {Overhead: 0.6, First: 6, Slowdown: 1.2},
	"portable": {Overhead: 0.6, First: 6, Slowdown: 1.2},
}

// processOverhead is what worker processes of Prism take for a pass, in seconds.
const processOverhead = 0.06

// Cost says what a pass costs. Workers are taken to have as many cores as this machine where no
// flag says more; Prism has one worker.
func (e *Engine) Cost() compute.PassCost {
	c := costs[e.runner]
	c.By, c.Workers, c.Threads = e.runner, 1, cmp.Or(e.threads, runtime.GOMAXPROCS(0))
	if e.runner != "prism" {
		c.Workers = max(1, e.parallelism)
		return c
	}
	if e.pool != nil {
		c.Overhead = processOverhead
	}
	c.Threads = min(c.Threads, runtime.GOMAXPROCS(0)) // more have no cores
	return c
}
