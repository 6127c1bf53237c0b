package pipeline

import (
	"context"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/kernel/expr"
	"mercer/kernel/vec"
	"mercer/prep"
)

// schemaOf returns the names of the features of prepared rows.
func schemaOf(p *prep.Pipeline) vec.Schema {
	names, groups := p.Features()
	return vec.Schema{Names: names, Groups: groups}
}

// vectorKernel builds the kernel of an expression on the given columns. Words that
// stand for statistics of the data (median, scale) are replaced by numbers computed
// on xs; "?" stays an error that points to tuning.
func vectorKernel(ctx context.Context, text string, xs data.Vectors, schema vec.Schema) (kernel.Kernel[[]float64], error) {
	node, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	if node, err = vec.Fill(ctx, node, xs, schema); err != nil {
		return nil, err
	}
	return expr.Build(node, vec.Dictionary(schema))
}

// KernelOn builds the kernel of an expression on the columns of prepared rows, as
// [NewProblem] does.
func KernelOn(ctx context.Context, text string, p *prep.Pipeline, r *prep.Prepared) (kernel.Kernel[[]float64], error) {
	return vectorKernel(ctx, text, r.X, schemaOf(p))
}

// onIDs reports whether an expression speaks of precomputed Gram matrices, so that
// its points are row ids.
func onIDs(n expr.Node) bool {
	if n.Op == expr.Call && n.Name == "gram" {
		return true
	}
	for _, arg := range n.Args {
		if arg.Kernel != nil && onIDs(*arg.Kernel) {
			return true
		}
	}
	for _, term := range n.Terms {
		if onIDs(term) {
			return true
		}
	}
	return false
}

// IDs returns the dictionary of kernels on row ids: gram(file="…"), with the file
// replaced by override where that is not empty.
func IDs(override string) expr.Dictionary[string] {
	return expr.Dictionary[string]{Kernels: map[string]expr.Entry[string]{
		"gram": {
			Arguments: []expr.Argument{{Name: "file", Kind: expr.StringArg, Help: "a Gram matrix in .npy, its row ids beside it in .rows.txt"}},
			Summary:   "precomputed Gram matrix, looked up by row id",
			Build: func(a *expr.Args) (kernel.Kernel[string], error) {
				file := a.Text("file", "")
				read := file
				if override != "" {
					read = override
				}
				k, err := ReadGram(read, file)
				if err != nil {
					return nil, a.Errorf("file", "%v", err)
				}
				return k, nil
			},
		},
	}}
}

// idKernel builds the kernel of an expression on row ids.
func idKernel(text, override string) (kernel.Kernel[string], error) {
	node, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	return expr.Build(node, IDs(override))
}

var _ kernel.Kernel[string] = (*gram.Precomputed)(nil)
