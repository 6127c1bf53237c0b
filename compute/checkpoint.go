package compute

import (
	"context"

	"example.org/mercer/linalg"
)

// Checkpoint keeps what takes long in a computation, in the order in which it is found. The
// computation, started again after it was killed, is given it back instead of computing it,
// and goes on to the same bits.
type Checkpoint interface {
	// Step fills the results of a step from what is kept, or else by compute, and keeps them.
	// compute may also put other slices of the same lengths in their places.
	// Steps of one name come in an order, and their sizes tell that they are the same; those of
	// parts that run side by side have names of their own, see [Options.Within].
	Step(ctx context.Context, name string, results [][]float64, compute func() error) error
}

// Step is that of the checkpoint; without one it computes.
func (o Options) Step(ctx context.Context, name string, results [][]float64, compute func() error) error {
	if o.Checkpoint == nil {
		return compute()
	}
	return o.Checkpoint.Step(ctx, name, results, compute)
}

// Factoring returns the options for the factorization or decomposition that a method is made of,
// whose parts are steps where KeepFactors asks for them.
func (o Options) Factoring() linalg.Options {
	by := linalg.Options{Workers: o.Workers, Progress: o.Progress}
	if o.KeepFactors && o.Checkpoint != nil {
		by.Step = o.Checkpoint.Step
	}
	return by
}

// Within returns the options for a part of a computation that runs beside others, or only
// where it has no result yet: its steps have its name before their own.
func (o Options) Within(part string) Options {
	if o.Checkpoint != nil {
		o.Checkpoint = within{o.Checkpoint, part + ": "}
	}
	return o
}

type within struct {
	Checkpoint
	prefix string
}

func (w within) Step(ctx context.Context, name string, results [][]float64, compute func() error) error {
	return w.Checkpoint.Step(ctx, w.prefix+name, results, compute)
}
