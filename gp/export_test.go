package gp

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// SolveSoftmax is [SolveClasses] with one function per class, also for two.
func SolveSoftmax(ctx context.Context, k *mat.SymDense, y []int, o ClassOptions) (*Latent, *ClassReport, error) {
	r := &ClassReport{}
	l, err := o.softmax(ctx, k, y, classes(y), r)
	return l, r, err
}
