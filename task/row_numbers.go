package task

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// rowNumberKernel is a kernel on points of any type seen as a kernel on the vectors (0), (1), …, so
// that what looks at kernels on vectors can look at it, too.
type rowNumberKernel[T any] struct {
	of     kernel.Kernel[T]
	points data.Set[T]
}

var _ kernel.Exact[[]float64] = rowNumberKernel[string]{}

func (k rowNumberKernel[T]) point(x []float64) T { return k.points.At(int(x[0])) }

// Eval returns the value for two row numbers.
func (k rowNumberKernel[T]) Eval(x, y []float64) float64 { return k.of.Eval(k.point(x), k.point(y)) }

// String returns the expression on ids.
func (k rowNumberKernel[T]) String() string { return k.of.String() }

// Derive returns what is known of the kernel on ids.
func (k rowNumberKernel[T]) Derive() kernel.Derivation { return kernel.Derive(k.of) }

// Contains accepts the numbers of rows.
func (k rowNumberKernel[T]) Contains(x []float64) error {
	if len(x) != 1 || x[0] != float64(int(x[0])) || x[0] < 0 || int(x[0]) >= k.points.Len() {
		return fmt.Errorf("%v is not the number of one of %d rows, counted from 0", x, k.points.Len())
	}
	return nil
}

// EvalBig returns the exact value for two row numbers.
func (k rowNumberKernel[T]) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	exact, ok := k.of.(kernel.Exact[T])
	if !ok {
		return nil, fmt.Errorf("not exact: %s can be evaluated in 64-bit numbers only", k.of)
	}
	return exact.EvalBig(k.point(x), k.point(y), prec)
}

// IDKernel builds the kernel of an expression on row ids.
func IDKernel(ctx context.Context, parsed Parsed) (kernel.Kernel[string], error) {
	k, _, err := idKernel(ctx, parsed, Files{})
	return k, err
}

// idNames returns what [IDKernel] knows beside the algebra.
func idNames() []expr.Name {
	l := NewIDLanguage(context.Background(), Files{})
	return slices.DeleteFunc(expr.Names(l.dictionary()), func(n expr.Name) bool { return l.dictionary().Kernels[n.Name].Build == nil })
}

// RowsOf returns an expression on row ids as a kernel on row numbers, and the numbers of
// all rows of the first Gram matrix, or all nodes of the first graph, that it names.
func RowsOf(ctx context.Context, parsed Parsed) (kernel.Kernel[[]float64], data.Vectors, error) {
	k, l, err := idKernel(ctx, parsed, Files{})
	if err != nil {
		return nil, data.Vectors{}, err
	}
	if err := ready(ctx, k, math.MaxInt32); err != nil {
		return nil, data.Vectors{}, err
	}
	ids := data.Slice[string](l.first)
	if err := kernel.Validate(k, ids); err != nil {
		return nil, data.Vectors{}, err
	}
	numbered, rows := onRowNumbers(k, data.Set[string](ids))
	return numbered, rows, nil
}

// onRowNumbers returns a kernel on points as one on their numbers, and the numbers.
func onRowNumbers[T any](k kernel.Kernel[T], points data.Set[T]) (kernel.Kernel[[]float64], data.Vectors) {
	rows := data.MakeVectors(points.Len(), 1)
	for i := range rows.Len() {
		rows.At(i)[0] = float64(i)
	}
	return rowNumberKernel[T]{of: k, points: points}, rows
}

// KernelOn puts the kernel of an expression on the rows of a table, and returns it as a kernel
// on vectors, with the rows: the prepared features, or for other points their numbers.
func KernelOn(ctx context.Context, t *data.Table, s prep.Spec, text string) (kernel.Kernel[[]float64], data.Vectors, *prep.Prepared, error) {
	in, err := Prepare(t, s, text)
	if err != nil {
		return nil, data.Vectors{}, nil, err
	}
	l, err := in.Bind(ctx)
	if err != nil {
		return nil, data.Vectors{}, in.Rows, err
	}
	k, rows := l.AsVectors()
	return k, rows, in.Rows, nil
}

// AsVectors returns the kernel as one on vectors, and the points as vectors: their numbers (0),
// (1), … where they are none.
func (l TypedPoints[T]) AsVectors() (kernel.Kernel[[]float64], data.Vectors) {
	k, onVectors := any(l.Kernel).(kernel.Kernel[[]float64])
	if rows, ok := any(l.Set).(data.Vectors); ok && onVectors {
		return k, rows
	}
	return onRowNumbers(l.Kernel, l.Set)
}
