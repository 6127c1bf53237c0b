package engine_test

import (
	"context"
	"os"

	"example.org/mercer/beam/engine"
	"example.org/mercer/distributed"
)

// vanishing is the engine of a cluster that loses a file before its first pass.
type vanishing struct {
	engine.Engine
	path, to string
	lost     bool
}

func (e *vanishing) Start(ctx context.Context, note func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	_, store, err := e.Engine.Start(ctx, note)
	return e, store, err
}

func (e *vanishing) Run(ctx context.Context, pieces []distributed.Piece) error {
	if !e.lost {
		e.lost = true
		if err := os.Rename(e.path, e.to); err != nil {
			return err
		}
	}
	return e.Engine.Run(ctx, pieces)
}
