package width

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

// ParseOn is [vec.ParseWith] of a kernel with words that stand for numbers computed from points,
// such as rbf(sigma=median); see [Fill].
func ParseOn(ctx context.Context, text string, xs data.Set[[]float64], schema vec.Schema) (vec.Kernel, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	if n, err = Fill(ctx, n, xs, schema); err != nil {
		return nil, err
	}
	return expr.Build(n, vec.Dictionary(schema))
}
