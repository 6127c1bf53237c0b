package space

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// Functions are functions of a space. The values of the rows are computed once, and held where
// each pass over them would be a product with the Gram matrix.
type Functions struct {
	Theta *mat.Dense // coordinates

	space  Space
	values *mat.Dense // f(xᵢ), once asked for, of a space that is not streamed
}

// summing is a space that holds nothing for each row of a sum.
type summing interface {
	// sum adds the covector of Σ tᵢf(xᵢ) to dst.
	sum(ctx context.Context, dst *mat.Dense, t Targets) error
}

// measuring is a space that knows the lengths of its rows.
type measuring interface {
	// distances is [Functions.Distances].
	distances(ctx context.Context, f *Functions, of func(i int) int, o compute.Options, do func(from, to int, values *mat.Dense, squares []float64) error) error
}

// Sum returns the functions f_c = Σ tᵢ_c φ(xᵢ), whose coordinates are the covectors of Σ tᵢ_c
// f(xᵢ), in one pass: 2nDm flops in a [Primal], a step of the checkpoint of o, which holds nothing
// for each row; and none in the dual.
func Sum(ctx context.Context, s Space, o compute.Options, t Targets) (*Functions, error) {
	n, coordinates := s.Dims()
	f := &Functions{Theta: mat.NewDense(coordinates, t.Columns, nil), space: s}
	if p, ok := s.(summing); ok {
		return f, o.Step(ctx, "sums", [][]float64{f.Theta.RawMatrix().Data}, func() error { return p.sum(ctx, f.Theta, t) })
	}
	rows := mat.NewDense(n, t.Columns, nil)
	for i := range n {
		if err := t.Row(rows.RawRowView(i), i); err != nil {
			return nil, err
		}
	}
	return f, s.Adjoint(ctx, f.Theta, rows)
}

// sum adds Φᵀt to dst.
func (s *Primal) sum(ctx context.Context, dst *mat.Dense, t Targets) error {
	sums, err := s.rows.Pass(ctx, design.Adjoint{Columns: t.Columns}, t.Row, nil, s.how())
	if err != nil {
		return err
	}
	dst.Add(dst, mat.NewDense(s.dim, t.Columns, sums))
	return nil
}

// evaluate makes the values of all rows.
func (f *Functions) evaluate(ctx context.Context) error {
	if f.values != nil {
		return nil
	}
	n, _ := f.space.Dims()
	_, m := f.Theta.Dims()
	values := mat.NewDense(n, m, nil)
	if err := f.space.Values(ctx, values, f.Theta); err != nil {
		return err
	}
	f.values = values
	return nil
}

// Norms2 returns ‖f_c‖²: a product with the matrix in the dual.
func (f *Functions) Norms2(ctx context.Context) ([]float64, error) {
	values := f.Theta // not looked at where coordinates are enough
	if _, ok := f.space.(streamed); !ok {
		if err := f.evaluate(ctx); err != nil {
			return nil, err
		}
		values = f.values
	}
	norms := make([]float64, f.Theta.RawMatrix().Cols)
	for c := range norms {
		theta := columnOf(f.Theta, c)
		norms[c] = max(0, f.space.Inner(theta, theta, columnOf(values, c)))
	}
	return norms, nil
}

// columnOf is a column as a matrix.
func columnOf(a *mat.Dense, c int) *mat.Dense {
	rows, _ := a.Dims()
	return a.Slice(0, rows, c, c+1).(*mat.Dense)
}

// Distances calls do with the values f(xᵢ) of the rows from … to−1, which do may write, and with
// ‖φ(xᵢ) − f_c‖², c = of(i), for all blocks in their order, in one pass. The squares are nil where
// the space is a Gram matrix of products alone, which does not know ‖φ(xᵢ)‖².
//
//   - In features they are Σ_d (φ_d − f_d)², with all digits where a point is close to f_c.
//   - In the span of the rows they are kᵢᵢ − 2f_c(xᵢ) + ‖f_c‖².
func (f *Functions) Distances(ctx context.Context, of func(i int) int, o compute.Options, do func(from, to int, values *mat.Dense, squares []float64) error) error {
	s, ok := f.space.(measuring)
	if !ok {
		return fmt.Errorf("space: a %T has no features, and no distances", f.space)
	}
	return s.distances(ctx, f, of, o, do)
}

func (s *Primal) distances(ctx context.Context, f *Functions, of func(i int) int, o compute.Options, do func(from, to int, values *mat.Dense, squares []float64) error) error {
	_, m := f.Theta.Dims()
	squares := make([]float64, design.BlockRows)
	_, err := s.rows.Pass(ctx, Distances{f.Theta}, func(dst []float64, i int) error {
		dst[0] = float64(of(i))
		return nil
	}, func(from, to int, out *mat.Dense) error {
		for i := range to - from {
			squares[i] = out.At(i, m)
		}
		return do(from, to, out.Slice(0, to-from, 0, m).(*mat.Dense), squares[:to-from])
	}, o)
	return err
}

// Distances are the values of functions with the coordinates Theta and, behind them, the square of
// the distance to the one whose number goes along.
type Distances struct{ Theta *mat.Dense }

func init() { pass.RegisterWork(Distances{}) }

// Sizes counts the number of a function, and values and a square.
func (w Distances) Sizes(int) (in, out, sums int) { return 1, w.Theta.RawMatrix().Cols + 1, 0 }

// Worker stores both for each row.
func (w Distances) Worker(dim int, p level3.Implementation) func(pass.Block) {
	_, m := w.Theta.Dims()
	return func(b pass.Block) {
		rows, _ := b.X.Dims()
		p.Gemm(blas.NoTrans, blas.NoTrans, 1, b.X.RawMatrix(), w.Theta.RawMatrix(), 0, b.Out.Slice(0, rows, 0, m).(*mat.Dense).RawMatrix())
		for i := range rows {
			c, sum := int(b.In.At(i, 0)), 0.0
			for j, v := range b.X.RawRowView(i)[:dim] {
				v -= w.Theta.At(j, c)
				sum += v * v
			}
			b.Out.Set(i, m, sum)
		}
	}
}

func (s *Dual) distances(ctx context.Context, f *Functions, of func(i int) int, _ compute.Options, do func(from, to int, values *mat.Dense, squares []float64) error) error {
	norms, err := f.Norms2(ctx) // and the values
	if err != nil {
		return err
	}
	var squares []float64
	if _, err := s.pairs(); err == nil {
		if squares, err = s.diagonal(ctx); err != nil {
			return err
		}
		for i := range squares {
			c := of(i)
			squares[i] = max(0, squares[i]-2*f.values.At(i, c)+norms[c])
		}
	}
	m := len(norms)
	return eachBlock(ctx, s.n, func(from, to int) error {
		values := mat.DenseCopyOf(f.values.Slice(from, to, 0, m))
		if squares == nil {
			return do(from, to, values, nil)
		}
		return do(from, to, values, squares[from:to])
	})
}
