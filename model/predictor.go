package model

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
)

// Predictor is a fitted function with one or more outputs. Predict returns one row
// per point and one column per output.
type Predictor[T any] interface {
	Outputs() int
	Predict(ctx context.Context, xs data.Set[T], o compute.Options) (*mat.Dense, error)
}
