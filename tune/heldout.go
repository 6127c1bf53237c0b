package tune

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// heldOutLearner learns on some rows, with computing options.
type heldOutLearner = func(ctx context.Context, k gram.Operator, rows []int, o compute.Options) (*Function, error)

// HeldOut returns for every row the outputs of what was learned without it, rows × outputs. All
// splits share one Gram matrix; the test rows of the splits must be a partition of the rows. A
// split is a step of the checkpoint of o, and learn is given the options with names for steps of
// its own.
func HeldOut(ctx context.Context, k *mat.SymDense, splits []Split, outputs int, learn heldOutLearner, o compute.Options) (*mat.Dense, error) {
	return HeldOutBy(ctx, k.SymmetricDim(), splits, outputs, func(ctx context.Context, s Split, values *mat.Dense, o compute.Options) error {
		return s.holdOut(ctx, values, k, learn, o)
	}, o)
}

// HeldOutBy is [HeldOut] of n rows by any way to learn: hold stores what was learned without the
// test rows of a split at these rows.
func HeldOutBy(ctx context.Context, n int, splits []Split, outputs int, hold func(ctx context.Context, s Split, values *mat.Dense, o compute.Options) error, o compute.Options) (*mat.Dense, error) {
	if err := checkSplits(splits, n); err != nil {
		return nil, err
	}
	times := make([]int, n)
	for _, s := range splits {
		for _, i := range s.Test {
			times[i]++
		}
	}
	for i, t := range times {
		if t != 1 {
			return nil, fmt.Errorf("tune: row %d is held out in %d of the splits: to have one value for each row it must be in one", i, t)
		}
	}
	out := mat.NewDense(n, outputs, nil)
	for at, s := range splits {
		name := fmt.Sprintf("split %d of %d", at+1, len(splits))
		values := mat.NewDense(len(s.Test), outputs, nil)
		err := o.Step(ctx, name, [][]float64{values.RawMatrix().Data}, func() error {
			return hold(ctx, s, values, o.Within(name))
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for row, i := range s.Test {
			out.SetRow(i, values.RawRowView(row))
		}
	}
	return out, nil
}

// holdOut stores the outputs of the test rows of a split.
func (s Split) holdOut(ctx context.Context, values *mat.Dense, k *mat.SymDense, learn heldOutLearner, o compute.Options) error {
	quiet := o
	quiet.Progress = nil
	f, err := learn(ctx, restricted(k, s.Train, quiet), s.Train, o)
	if err != nil {
		return err
	}
	found, err := f.at(ctx, block(k, s.Test, s.Train), diagonal(k, s.Test), o.Workers)
	if err != nil {
		return err
	}
	_, m := found.Dims()
	if _, outputs := values.Dims(); m != outputs {
		return fmt.Errorf("there are %d outputs, not %d", m, outputs)
	}
	values.Copy(found)
	return nil
}

// restricted returns the operator of some rows of a matrix.
func restricted(k *mat.SymDense, rows []int, o compute.Options) gram.Operator {
	return gram.Of(gram.RowsOf(gram.FromMatrix(k).Pairs()).Bind(rows, rows), o)
}

// block gathers a rectangular part of the Gram matrix.
func block(k *mat.SymDense, rows, cols []int) *mat.Dense {
	out := mat.NewDense(len(rows), len(cols), nil)
	for i, r := range rows {
		for j, c := range cols {
			out.Set(i, j, k.At(r, c))
		}
	}
	return out
}

// diagonal gathers elements of the diagonal.
func diagonal(k *mat.SymDense, rows []int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = k.At(r, r)
	}
	return out
}
