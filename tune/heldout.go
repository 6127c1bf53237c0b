package tune

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
)

// HeldOut returns for every row the outputs of what was learned without it, rows ×
// outputs, and the tag of the function of every split. All splits share one Gram
// matrix; the test rows of the splits must be a partition of the rows.
func HeldOut(ctx context.Context, k *mat.SymDense, splits []Split, learn func(ctx context.Context, k gram.Operator, rows []int) (*Function, error), o gram.Options) (*mat.Dense, []any, error) {
	n := k.SymmetricDim()
	if err := checkSplits(splits, n); err != nil {
		return nil, nil, err
	}
	times := make([]int, n)
	for _, s := range splits {
		for _, i := range s.Test {
			times[i]++
		}
	}
	for i, t := range times {
		if t != 1 {
			return nil, nil, fmt.Errorf("tune: row %d is held out in %d of the splits: to have one value for each row it must be in one", i, t)
		}
	}
	o.Progress = nil
	var out *mat.Dense
	var tags []any
	for at, s := range splits {
		f, err := learn(ctx, restricted(k, s.Train, o), s.Train)
		if err != nil {
			return nil, nil, fmt.Errorf("split %d of %d: %w", at+1, len(splits), err)
		}
		values, err := f.at(ctx, block(k, s.Test, s.Train), diagonal(k, s.Test), o.Workers)
		if err != nil {
			return nil, nil, fmt.Errorf("split %d of %d: %w", at+1, len(splits), err)
		}
		_, m := values.Dims()
		if out == nil {
			out = mat.NewDense(n, m, nil)
		}
		if _, width := out.Dims(); width != m {
			return nil, nil, fmt.Errorf("tune: split %d has %d outputs, and those before it %d", at+1, m, width)
		}
		for row, i := range s.Test {
			out.SetRow(i, values.RawRowView(row))
		}
		tags = append(tags, f.Tag)
	}
	return out, tags, nil
}

// restricted returns the operator of some rows of a matrix.
func restricted(k *mat.SymDense, rows []int, o gram.Options) gram.Operator {
	return gram.Of(gram.Restrict(gram.FromMatrix(k).Pairs(), rows, rows), o)
}
