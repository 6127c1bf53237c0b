package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Operator is all that an iterative solver needs of a matrix. Mul stores A·x in dst;
// dst and x must not overlap. It stops within a second of ctx ending, and returns
// its error.
type Operator interface {
	Dims() (rows, cols int)
	Mul(ctx context.Context, dst, x *mat.Dense) error
}
