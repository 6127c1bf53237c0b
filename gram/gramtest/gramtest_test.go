package gramtest_test

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram/gramtest"
)

// explicit multiplies with a matrix in memory: the plainest conforming operator.
type explicit struct{ *mat.Dense }

func (e explicit) Mul(ctx context.Context, dst, x *mat.Dense) error {
	rows, cols := e.Dims()
	n, rhs := x.Dims()
	if r, c := dst.Dims(); n != cols || !dst.IsEmpty() && (r != rows || c != rhs) {
		return fmt.Errorf("a %d×%d matrix cannot store %d×%d times %d×%d", r, c, rows, cols, n, rhs)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	dst.Mul(e.Dense, x)
	return nil
}

func TestRunAcceptsAnExplicitMatrix(t *testing.T) {
	k := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	gramtest.Run(t, explicit{k}, k, explicit{mat.DenseCopyOf(k)})
}
