package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"mercer/data"
	"mercer/kernel"
	"mercer/kernel/expr"
)

// byRow is a kernel on row ids seen as a kernel on the vectors (0), (1), …, so that
// what looks at kernels on vectors can look at a precomputed Gram matrix.
type byRow struct {
	of  kernel.Kernel[string]
	ids []string
}

var _ kernel.Exact[[]float64] = byRow{}

func (k byRow) id(x []float64) string { return k.ids[int(x[0])] }

// Eval returns the value for two row numbers.
func (k byRow) Eval(x, y []float64) float64 { return k.of.Eval(k.id(x), k.id(y)) }

// String returns the expression on ids.
func (k byRow) String() string { return k.of.String() }

// Derive returns what is known of the kernel on ids.
func (k byRow) Derive() kernel.Derivation { return kernel.Derive(k.of) }

// Contains accepts the numbers of rows.
func (k byRow) Contains(x []float64) error {
	if len(x) != 1 || x[0] != float64(int(x[0])) || x[0] < 0 || int(x[0]) >= len(k.ids) {
		return fmt.Errorf("%v is not the number of one of %d rows, counted from 0", x, len(k.ids))
	}
	return nil
}

// EvalBig returns the exact value for two row numbers.
func (k byRow) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	exact, ok := k.of.(kernel.Exact[string])
	if !ok {
		return nil, fmt.Errorf("not exact: %s can be evaluated in 64-bit numbers only", k.of)
	}
	return exact.EvalBig(k.id(x), k.id(y), prec)
}

// OnIDs reports whether an expression speaks of precomputed Gram matrices or of the nodes
// of a graph, so that its points are row ids and not vectors. A text that cannot be parsed does not.
func OnIDs(text string) bool {
	node, err := expr.Parse(text)
	return err == nil && onIDs(node)
}

// IDKernel builds the kernel of an expression on row ids.
func IDKernel(ctx context.Context, text string) (kernel.Kernel[string], error) {
	k, _, err := idKernel(ctx, text, Files{})
	return k, err
}

// IDNames returns what [IDKernel] knows beside the algebra.
func IDNames() []expr.Name {
	l := newIDLanguage(context.Background(), Files{})
	return slices.DeleteFunc(expr.Names(l.dictionary()), func(n expr.Name) bool { return l.dictionary().Kernels[n.Name].Build == nil })
}

// RowsOf returns an expression on row ids as a kernel on row numbers, and the numbers
// of the given rows; nil ids are all rows of the first Gram matrix, or all nodes of the first graph, that
// it names.
func RowsOf(ctx context.Context, text string, ids []string) (kernel.Kernel[[]float64], data.Vectors, error) {
	k, l, err := idKernel(ctx, text, Files{})
	if err != nil {
		return nil, data.Vectors{}, err
	}
	if err := ready(ctx, k, math.MaxInt32); err != nil {
		return nil, data.Vectors{}, err
	}
	if ids == nil {
		ids = l.first
	}
	if err := kernel.Validate(k, data.Slice[string](ids)); err != nil {
		return nil, data.Vectors{}, err
	}
	rows := data.MakeVectors(len(ids), 1)
	for i := range ids {
		rows.At(i)[0] = float64(i)
	}
	return byRow{of: k, ids: ids}, rows, nil
}
