package linalg

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// iterateColumns runs one recurrence per column from x with residual r.
func (c *cg) iterateColumns(ctx context.Context, best *bestColumns, x, r *mat.Dense) error {
	n, m := c.b.Dims()
	z, p, ap := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	curvature := make([]float64, m) // pᵀAp
	alpha, beta := make([]float64, m), make([]float64, m)
	target := c.targets()
	for c.report.Iterations < c.o.Iterations-1 {
		squares := columnDots(r, r)
		best.update(x, squares)
		active, some := exceeding(squares, target)
		if !some {
			return nil
		}
		if err := c.precondition(ctx, z, r); err != nil {
			return err
		}
		rz := columnDots(r, z)
		for j, along := range columnDots(ap, z) {
			beta[j] = 0
			if active[j] && curvature[j] > 0 {
				beta[j] = -along / curvature[j]
			}
		}
		addScaled(z, beta, p, p)
		if err := c.multiply(ctx, ap, p); err != nil {
			return err
		}
		curvature = columnDots(p, ap)
		for j := range alpha {
			alpha[j] = 0
			if !active[j] {
				continue
			}
			if !(curvature[j] > 0) || !(rz[j] > 0) {
				pp := columnDots(p, p)[j]
				return &NegativeCurvature{Column: j, Iteration: c.report.Iterations, Value: curvature[j] / pp}
			}
			alpha[j] = rz[j] / curvature[j]
		}
		addScaled(x, alpha, p, x)
		for j := range alpha {
			alpha[j] = -alpha[j]
		}
		addScaled(r, alpha, ap, r)
		if c.o.Watch != nil && c.o.Watch(x) {
			break
		}
	}
	best.update(x, columnDots(r, r))
	return nil
}
