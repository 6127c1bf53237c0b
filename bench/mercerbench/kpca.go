package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
)

// components is kernel PCA: points → K → its centring → the largest eigenvalues of the
// centred matrix, which is never written.
type components struct {
	matrix
	count int
	top   *linalg.Top
}

func newComponents(dir string, p params) (work, error) {
	m, err := loadGram(dir, p)
	if err != nil {
		return nil, err
	}
	return &components{matrix: *m, count: p.Components}, nil
}

func (c *components) forget() { c.top = nil }

func (c *components) run(ctx context.Context) (float64, error) {
	xs := data.Set[[]float64](c.x)
	k, err := gram.Dense(ctx, kernel.Bind(c.k, xs, xs), gram.Options{})
	if err != nil {
		return 0, err
	}
	op := gram.FromMatrix(k)
	centring, err := gram.CentringOf(ctx, op)
	if err != nil {
		return 0, err
	}
	c.top, _, err = linalg.TopEigen(ctx, centring.Operator(op), c.count, linalg.TopOptions{})
	return 0, err
}

func (c *components) save(_ context.Context, dir string) error {
	if err := writeMatrix(dir, "result", c.top.Vectors); err != nil {
		return err
	}
	return writeMatrix(dir, "values", mat.NewDense(c.count, 1, c.top.Values))
}
