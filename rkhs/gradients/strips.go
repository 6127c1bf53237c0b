package gradients

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/model"
)

// Lanes is the number of parts that rows are divided among, whatever the number of workers.
const Lanes = 32

// Each computes the gradients of a function in strips of rows, which are divided among [Lanes]:
// these run side by side, and use is called for the strips of one in their order.
func Each(ctx context.Context, f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], workers int, use func(lane int, rows []int, gradients *mat.Dense)) error {
	return EachOf(ctx, slope.Of(f, xs), xs.Len(), f.Outputs()*len(f.Points.At(0)), workers, use)
}

// EachOf is [Each] of prepared gradients of n rows, width numbers for each.
func EachOf(ctx context.Context, at Gradient, n, width, workers int, use func(lane int, rows []int, gradients *mat.Dense)) error {
	count := min(Lanes, n)
	return parallel.Each(ctx, workers, count, func(_, lane int) {
		end := (lane + 1) * n / count
		for from := lane * n / count; from < end && ctx.Err() == nil; from += stripRows {
			rows := data.Range(from, min(from+stripRows, end))
			dst := mat.NewDense(len(rows), width, nil)
			at(dst, from)
			use(lane, rows, dst)
		}
	})
}

// All returns ∇f_c(xᵢ), a matrix of rows × coordinates for each output c. The bits do not
// depend on the number of workers. Errors are those of ctx.
func All(ctx context.Context, f *model.Expansion[[]float64], slope Slope, xs data.Set[[]float64], workers int) ([]*mat.Dense, error) {
	n, d := xs.Len(), len(f.Points.At(0))
	out := make([]*mat.Dense, f.Outputs())
	for c := range out {
		out[c] = mat.NewDense(n, d, nil)
	}
	err := Each(ctx, f, slope, xs, workers, func(_ int, rows []int, gradients *mat.Dense) {
		for at, i := range rows {
			for c, g := 0, gradients.RawRowView(at); c < len(out); c++ {
				out[c].SetRow(i, g[c*d:(c+1)*d])
			}
		}
	})
	return out, err
}
