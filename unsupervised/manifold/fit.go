package manifold

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Fit finds coordinates of the points xs, and returns what places others, an [*Embedding]. Errors
// are those of [Solve], and of points outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (model.Predictor[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("manifold: %w", err)
	}
	m, r, err := Solve(ctx, kernel.Bind(k, xs, xs), o)
	if err != nil {
		return nil, nil, err
	}
	return &Embedding[T]{Kernel: k, Points: xs, Map: m}, r, nil
}

// Embedding places points by a map among training points.
type Embedding[T any] struct {
	Kernel kernel.Kernel[T]
	Points data.Set[T]
	Map    *Map
}

// Outputs is the number of coordinates.
func (e *Embedding[T]) Outputs() int {
	_, m := e.Map.Coordinates.Dims()
	return m
}

// placedRows is the number of new points whose kernel values are held at a time.
const placedRows = 512

// Predict returns the coordinates of points, by n kernel values for each and what its method takes.
func (e *Embedding[T]) Predict(ctx context.Context, xs data.Set[T], o compute.Options) (*mat.Dense, error) {
	if err := kernel.Validate(e.Kernel, xs); err != nil {
		return nil, fmt.Errorf("manifold: %w", err)
	}
	n := e.Points.Len()
	own := make([]float64, n)
	kernel.Diag(kernel.Bind(e.Kernel, e.Points, e.Points), own)
	out := mat.NewDense(max(xs.Len(), 1), e.Outputs(), nil)
	for from := 0; from < xs.Len(); from += placedRows {
		some := data.Subset(xs, data.Range(from, min(from+placedRows, xs.Len())))
		var values mat.Dense
		if err := gram.Rect(ctx, &values, kernel.Bind(e.Kernel, some, e.Points), o); err != nil {
			return nil, err
		}
		norms := make([]float64, some.Len())
		kernel.Diag(kernel.Bind(e.Kernel, some, some), norms)
		err := parallel.Each(ctx, o.WorkerCount(), some.Len(), func(_, i int) {
			at := &View{Values: values.RawRowView(i), Squares: make([]float64, n), Between: e.between}
			for j, v := range at.Values {
				if s := norms[i] + own[j] - 2*v; !(math.Abs(s) <= coincide*(math.Abs(norms[i])+math.Abs(own[j]))) {
					at.Squares[j] = max(s, 0)
				}
			}
			e.Map.Place(out.RawRowView(from+i), at)
		})
		if err != nil {
			return nil, err
		}
	}
	if xs.Len() == 0 {
		return &mat.Dense{}, nil
	}
	return out, nil
}

// between returns the squared distances between some of the training points.
func (e *Embedding[T]) between(rows []int) *mat.SymDense {
	some := data.Subset(e.Points, rows)
	tile := kernel.NewTile(len(rows), len(rows))
	kernel.Bind(e.Kernel, some, some).Tile(tile, 0, 0)
	out := mat.NewSymDense(len(rows), nil)
	for a := range rows {
		for b := a + 1; b < len(rows); b++ {
			out.SetSym(a, b, max(0, tile.Row(a)[a]+tile.Row(b)[b]-2*tile.Row(a)[b]))
		}
	}
	return out
}
