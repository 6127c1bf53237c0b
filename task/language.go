package task

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
	"example.org/mercer/unsupervised/dictionary"
)

// SchemaOf returns the names of the features of prepared rows.
func SchemaOf(p *prep.Pipeline) vec.Schema {
	names, groups := p.Features()
	if names == nil {
		names = []string{} // columns have names, and there are none
	}
	return vec.Schema{Names: names, Groups: groups}
}

// VectorKernel builds the kernel of an expression on the given columns. Words that
// stand for statistics of the data (median, scale) are replaced by numbers computed
// on xs; "?" stays an error that points to tuning.
func VectorKernel(ctx context.Context, k Parsed, xs data.Set[[]float64], schema vec.Schema) (kernel.Kernel[[]float64], error) {
	node, _, err := FilledVectors(ctx, k.Node, xs, schema)
	if err != nil {
		return nil, err
	}
	return expr.Build(node, vec.Dictionary(schema))
}

// FilledVectors resolves an expression of vectors, and replaces by numbers what is found from the
// points: dictionaries of images, of which notes tell, then widths, those of codes of images, too.
func FilledVectors(ctx context.Context, n expr.Node, xs data.Set[[]float64], schema vec.Schema) (filled expr.Node, notes []string, err error) {
	if n, err = expr.Resolve(n, vec.Dictionary(schema)); err != nil {
		return n, nil, err
	}
	if n, notes, err = dictionary.Fill(ctx, n, xs, schema, 0, compute.Options{}); err != nil {
		return n, nil, err
	}
	n, err = width.FillResolved(ctx, n, dictionary.Points(n, xs, schema))
	return n, notes, err
}
