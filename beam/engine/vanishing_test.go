package engine_test

import (
	"context"
	"os"

	"example.org/mercer/beam/engine"
	"example.org/mercer/distributed"
)

// vanishing is the engine of a cluster that loses a file before its first pass,
// behind the job that compiles.
type vanishing struct {
	engine.Engine
	path, to string
	jobs     int
}

func (e *vanishing) Start(ctx context.Context, note func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	_, store, err := e.Engine.Start(ctx, note)
	return e, store, err
}

func (e *vanishing) Run(ctx context.Context, pieces []distributed.Piece) error {
	if e.jobs++; e.jobs == 2 {
		if err := os.Rename(e.path, e.to); err != nil {
			return err
		}
	}
	return e.Engine.Run(ctx, pieces)
}
